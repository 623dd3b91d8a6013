# Clients of event streams: each hears of a bid while the stream goes on. Argument: the folder of npm packages.

import threading

import httpx
import httpx_sse
import requests
import sseclient

NODE, PACKAGES = "node", sys.argv[3]

owner = User()
auction = owner.auction()
item, currency = owner.lot_of_another(auction)
stream = f"{ADDRESS}{auction}/items/{item['id']}/events"
amount = 1_000_000


def bid():
    """A bid that is higher than the last one."""
    global amount
    amount += 100_000
    body = {"amount": str(amount), "currencyProfileId": currency}
    return owner.post(f"{auction}/items/{item['id']}/bids", body)["id"]


def hears(name, version, listen):
    """`listen` gives texts of events to a callback, from the moment at which the stream has begun."""
    heard, begun = [], threading.Event()

    def take(text):
        heard.append(text)
        begun.set()

    threading.Thread(target=listen, args=(take,), daemon=True).start()
    expect(begun.wait(60), f"{name} hears nothing")
    bids = [bid(), bid()]
    until(lambda: all(any(one in text for text in heard) for one in bids), f"bid heard by {name}")
    row(name, version, "hears each bid while the stream goes on")


def program(*words):
    def listen(take):
        process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True, cwd=PACKAGES)
        for line in process.stdout:
            take(line)

    return listen


def by_httpx(take):
    with httpx.Client(timeout=None, trust_env=False, headers={"Cookie": owner.cookie()}) as client:
        with httpx_sse.connect_sse(client, "GET", stream) as source:
            for event in source.iter_sse():
                take(event.data)


def by_sseclient(take):
    session = requests.Session()
    session.trust_env = False
    answer = session.get(stream, stream=True, headers={"Cookie": owner.cookie(), "Accept": "text/event-stream"})
    for event in sseclient.SSEClient(answer).events():
        take(event.data)


EVENTSOURCE = """
const { EventSource } = require('eventsource');
const [, url, cookie] = process.argv;
const withCookie = (to, init) => fetch(to, { ...init, headers: { ...init.headers, Cookie: cookie } });
const source = new EventSource(url, { fetch: withCookie });
for (const name of NAMES) source.addEventListener(name, (event) => console.log(event.data));
"""

curl = run("curl", "--version").split()[1]
hears("curl", curl, program("curl", "--no-buffer", "--silent", "--noproxy", "*", "--cookie", owner.cookie(), stream))
hears("httpx-sse", importlib.metadata.version("httpx-sse"), by_httpx)
hears("sseclient-py", importlib.metadata.version("sseclient-py"), by_sseclient)
version = json.loads(Path(PACKAGES, "node_modules/eventsource/package.json").read_text())["version"]
script = EVENTSOURCE.replace("NAMES", json.dumps(["item", "bid"]))
hears("eventsource (npm)", version, program(NODE, "-e", script, stream, owner.cookie()))

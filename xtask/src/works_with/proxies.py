# A proxy of Debian with the example of docs/operate/proxies, in namespaces of its own. Arguments: the root of the file
# system in which it is installed, its package, the example, and the program of Farthing. Prints one row.
#
# The names and the certificate are those of the example: the file of hosts leads the name to this machine.

import fcntl
import http.client
import os
import shutil
import socket
import ssl
import struct
import threading

ROOT, PACKAGE, EXAMPLE, FARTHING = Path(sys.argv[3]), sys.argv[4], Path(sys.argv[5]), sys.argv[6]
HOST = "auctions.example.org"
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
CERTIFICATES = {
    "etc/letsencrypt/live/auctions.example.org/fullchain.pem": "certificate.pem",
    "etc/letsencrypt/live/auctions.example.org/privkey.pem": "key.pem",
    "etc/haproxy/auctions.example.org.pem": "both.pem",
    "etc/lighttpd/auctions.example.org.pem": "both.pem",
}

# Where the example says that it goes, what is done then, and how it starts.
PROXIES = {
    "nginx": ("etc/nginx/conf.d/farthing.conf", "true", "nginx"),
    "apache2": (
        "etc/apache2/sites-available/farthing.conf",
        "a2enmod -q ssl proxy_http && a2ensite -q farthing",
        "apachectl start",
    ),
    "lighttpd": (
        "etc/lighttpd/conf-enabled/farthing.conf",
        "true",
        "lighttpd -f /etc/lighttpd/lighttpd.conf",
    ),
    "haproxy": ("etc/haproxy/haproxy.cfg", "true", "haproxy -D -f /etc/haproxy/haproxy.cfg"),
    "caddy": ("etc/caddy/Caddyfile", "true", "caddy start --config /etc/caddy/Caddyfile"),
}
NAMES = {"nginx": "nginx", "apache2": "Apache, `mod_proxy_http`", "lighttpd": "lighttpd, `mod_proxy`"}
NAMES |= {"haproxy": "HAProxy", "caddy": "Caddy"}


def shell(line):
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    words = ["chroot", ROOT, "sh", "-c", line]
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=60)
    expect(done.returncode == 0, f"`{line}` failed for {PACKAGE}")


def prepare():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
    run("hostname", HOST)
    run("mount", "-t", "proc", "proc", ROOT / "proc")
    run("mount", "--bind", "/dev", ROOT / "dev")
    subject = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    files = ["-keyout", FOLDER / "key.pem", "-out", FOLDER / "certificate.pem"]
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files)
    both = (FOLDER / "certificate.pem").read_text() + (FOLDER / "key.pem").read_text()
    (FOLDER / "both.pem").write_text(both)
    for place, file in CERTIFICATES.items():
        (ROOT / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / file, ROOT / place)
    place, then, start = PROXIES[PACKAGE]
    text = EXAMPLE.read_text()
    if PACKAGE == "caddy":
        # No authority for certificates is there to ask.
        text = "{\n\tlocal_certs\n\tskip_install_trust\n}\n" + text
    (ROOT / place).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / place).write_text(text)
    shell(then)
    shell(start + " >/tmp/proxy.log 2>&1")


def serve():
    words = [FARTHING, "serve", "--demo", "--listen=127.0.0.1:3000", f"--public-url=https://{HOST}"]
    words += ["--trusted-proxies=127.0.0.1", "--rate-limits=off", f"--database-url=sqlite://{FOLDER}/farthing.db"]
    log = open(FOLDER / "log", "wb")
    subprocess.Popen([*words, f"--data-dir={FOLDER}/data"], stdout=log, stderr=log, cwd=FOLDER)
    until(lambda: "listening on" in (FOLDER / "log").read_text(), "server")


class Browser:
    """A connection to the proxy for each request, with the cookies of a session."""

    def __init__(self):
        self.cookies = {}
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def open(self, method, path, body=b"", kind="application/json"):
        connection = http.client.HTTPSConnection("127.0.0.1", 443, context=self.context, timeout=60)
        # The name is that of the site, also in the handshake.
        connection.sock = self.context.wrap_socket(socket.create_connection(("127.0.0.1", 443)), server_hostname=HOST)
        headers = {"Host": HOST, "Content-Type": kind, "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return answer

    def json(self, method, path, body=None):
        answer = self.open(method, path, json.dumps(body).encode() if body is not None else b"")
        text = answer.read()
        expect(answer.status < 300, f"{PACKAGE}: {path} was answered with {answer.status}: {text[:300]}")
        return json.loads(text) if text else None


def is_up():
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", 443)) == 0


serve()
prepare()
until(is_up, "proxy")
browser = Browser()
browser.json("POST", "/api/auth/login", {"email": "ada@example.org", "password": PASSWORD})
expect(any(name.startswith("__Host-") for name in browser.cookies), "the cookie of https has another name")
page = browser.open("GET", "/")
expect(page.status == 200 and b"Farthing" in page.read(), "there is no first page")
own = [one for one in browser.json("GET", "/api/auctions")["auctions"] if one["myRole"] == "OWNER"]
items = browser.json("GET", f"/api/auctions/{own[0]['id']}/items")["items"]
me = browser.json("GET", "/api/user")["user"]["id"]
item = next(one for one in items if one["status"] == "OPEN" and one["seller"]["id"] != me)
path = f"/api/auctions/{own[0]['id']}/items/{item['id']}"

heard = []


def listen():
    answer = browser.open("GET", f"{path}/events")
    while line := answer.readline():
        heard.append(line)


threading.Thread(target=listen, daemon=True).start()
until(lambda: heard, "event: the stream does not begin")
currencies = browser.json("GET", f"/api/auctions/{own[0]['id']}/currencies")["currencies"]
scalar = next(one for one in currencies if one["inputMode"] == "SCALAR")
bid = browser.json("POST", f"{path}/bids", {"amount": "1000000", "currencyProfileId": scalar["id"]})
until(lambda: any(bid["id"].encode() in line for line in heard), "event of the bid")
# The form of an item takes ten pictures of 10 MB: none of them is refused for its size by the proxy.
boundary = "b"
part = b'--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
body = part + os.urandom(9_000_000) + b"\r\n--b--\r\n"
answer = browser.open("POST", f"{path}/images", body, f"multipart/form-data; boundary={boundary}")
text = answer.read()
expect(b'"code"' in text, f"{PACKAGE}: 9 MB were answered with {answer.status} by another than Farthing: {text[:300]}")

version = run("chroot", ROOT, "dpkg-query", "--show", "--showformat=${Version}", PACKAGE)
seen = f"with [the example](../operate/proxies/{EXAMPLE.name}): sign-in by https, streams begin at once, a bid is heard, 9 MB pass"
row(NAMES[PACKAGE], version.split(":")[-1].rsplit("-", 1)[0].split("+")[0], seen)
os._exit(0)

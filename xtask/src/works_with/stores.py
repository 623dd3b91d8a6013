# S3-compatible stores: the demo keeps its pictures in a bucket, and serves them from there. Arguments: the program of
# Farthing, and the description of the package s3rver, whose address the environment has.

import os
import socket

FARTHING, S3RVER, PACKAGE = sys.argv[3], os.environ["FARTHING_TEST_S3"], Path(sys.argv[4])


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def serves_pictures(name, version, endpoint, key):
    folder = FOLDER / name.split(" ")[0]
    folder.mkdir()
    environment = dict(os.environ) | {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": key,
    }
    words = [FARTHING, "serve", "--demo", "--listen=127.0.0.1:0", "--rate-limits=off", "--images=s3://pictures/demo"]
    words += [f"--database-url=sqlite://{folder}/farthing.db", f"--data-dir={folder}/data"]
    log = folder / "log"
    with open(log, "wb") as file:
        server = subprocess.Popen(words, stdout=file, stderr=file, cwd=folder, env=environment)
    try:
        until(lambda: "listening on http://" in log.read_text() or server.poll() is not None, "server")
        expect(server.poll() is None, log.read_text())
        address = "http://" + log.read_text().split("listening on http://")[1].split()[0].strip("/")
        owner = User(address=address)
        auction = owner.auction()
        for item in owner.get(auction + "/items")["items"]:
            for image in owner.get(f"{auction}/items/{item['id']}/images")["images"]:
                picture = owner.send(f"{auction}/items/{item['id']}/images/{image['id']}/thumbnail").read()
                expect(picture.startswith(b"\xff\xd8"), f"a picture from {name} is no JPEG")
                expect(not (folder / "data/images").exists(), f"pictures are kept in a folder beside {name}")
                row(name, version, "keeps the pictures, and they are served from there")
                return
        expect(False, "the demo has no picture")
    finally:
        server.kill()


def moto():
    port = free_port()
    log = open(FOLDER / "moto.log", "wb")
    server = subprocess.Popen([sys.executable, "-m", "moto.server", "-p", str(port)], stdout=log, stderr=log)
    try:

        def is_up():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        until(is_up, "moto")
        endpoint = f"http://127.0.0.1:{port}"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        opener.open(urllib.request.Request(endpoint + "/pictures", method="PUT"))
        serves_pictures("moto", importlib.metadata.version("moto"), endpoint, "testing")
    finally:
        server.kill()


serves_pictures("s3rver (npm)", json.loads(PACKAGE.read_text())["version"], S3RVER, "S3RVER")
moto()

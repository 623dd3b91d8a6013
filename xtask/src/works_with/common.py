# What the scripts beside this file have in common; it stands before each. Arguments: the address of a demo server, a folder
# for files, and what the script takes. Rows of the table are printed as JSON, one a line.

import http.cookiejar
import importlib.metadata
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ADDRESS, FOLDER = sys.argv[1], Path(sys.argv[2])
PASSWORD = "a farthing a bid"


def expect(condition, message):
    if not condition:
        sys.exit(f"{message}")


def row(tool, version, seen):
    print(json.dumps({"tool": tool, "version": version, "seen": seen}), flush=True)


def run(*words, **options):
    """The output of a program, which succeeds."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    expect(done.returncode == 0, f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def debian_version(package):
    """The version of a package of this machine, without Debian's revision."""
    version = run("dpkg-query", "--show", "--showformat=${Version}", package)
    return version.split(":")[-1].rsplit("-", 1)[0].split("+")[0]


def until(found, what, seconds=60):
    """Waits for a value."""
    begun = time.monotonic()
    while not (value := found()):
        expect(time.monotonic() - begun < seconds, f"no {what} in {seconds} s")
        time.sleep(0.1)
    return value


class User:
    """A user of the demo, who is signed in."""

    def __init__(self, email="ada@example.org", address=ADDRESS):
        self.address, self.jar = address, http.cookiejar.CookieJar()
        no_proxy = urllib.request.ProxyHandler({})
        self.opener = urllib.request.build_opener(no_proxy, urllib.request.HTTPCookieProcessor(self.jar))
        self.post("/api/auth/login", {"email": email, "password": PASSWORD})

    def send(self, path, body=None, method=None, kind="application/json"):
        data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        request = urllib.request.Request(self.address + path, data, {"Content-Type": kind}, method=method)
        try:
            return self.opener.open(request)
        except urllib.error.HTTPError as error:
            sys.exit(f"{path} was answered with {error.code}: {error.read().decode(errors='replace')}")

    def get(self, path):
        return json.load(self.send(path))

    def post(self, path, body):
        text = self.send(path, body, "POST").read()
        return json.loads(text) if text else None

    def cookie(self):
        """The cookies as a header has them."""
        return "; ".join(f"{one.name}={one.value}" for one in self.jar)

    def auction(self):
        """The path of the auction that this user owns."""
        own = [one for one in self.get("/api/auctions")["auctions"] if one["myRole"] == "OWNER"]
        expect(own, "the demo has no auction of this user")
        return f"/api/auctions/{own[0]['id']}"

    def lot_of_another(self, auction):
        """An open lot on which this user may bid, and the id of a currency in which amounts are bid."""
        me = self.get("/api/user")["user"]["id"]
        items = self.get(auction + "/items")["items"]
        item = next(one for one in items if one["status"] == "OPEN" and one["seller"]["id"] != me)
        currencies = self.get(auction + "/currencies")["currencies"]
        return item, next(one["id"] for one in currencies if one["inputMode"] == "SCALAR")

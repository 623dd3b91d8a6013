# Programs of second factors: each reads the address that the QR code has, and makes the same code. Argument: the folder of npm
# packages.

import re
import urllib.parse

import pyotp

NODE, PACKAGES = "node", sys.argv[3]

user = User("ben@example.org")
secret = user.post("/api/user/second-factor", {"password": PASSWORD})
address = secret["uri"]
base32 = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)["secret"][0]


def in_node(script):
    return run(NODE, "-e", script, address, base32, cwd=PACKAGES).strip()


def npm_version(package):
    return json.loads(Path(PACKAGES, "node_modules", package, "package.json").read_text())["version"]


READERS = {
    "pyotp": (lambda: pyotp.parse_uri(address).now(), importlib.metadata.version("pyotp")),
    "otpauth (npm)": (
        lambda: in_node("console.log(require('otpauth').URI.parse(process.argv[1]).generate())"),
        npm_version("otpauth"),
    ),
    "otplib (npm)": (
        lambda: in_node("console.log(require('otplib').generateSync({ secret: process.argv[2] }))"),
        npm_version("otplib"),
    ),
    "oathtool": (lambda: run("oathtool", "--totp", "--base32", base32).strip(), debian_version("oathtool")),
}


def codes():
    """The codes of all, in one period."""
    while True:
        period = int(time.time()) // 30
        found = {name: code() for name, (code, _) in READERS.items()}
        if int(time.time()) // 30 == period:
            return found


found = codes()
expect(len(set(found.values())) == 1, f"the codes differ: {found}")
code = found["pyotp"]
expect(re.fullmatch(r"\d{6}", code), f"`{code}` is no code")
user.post("/api/user/second-factor/confirm", {"code": code})
for name, (_, version) in READERS.items():
    row(name, version, "makes the code with which a second factor is confirmed")

"""Runs a mail server of Debian, and Farthing beside it, on a machine of their own until a mail has arrived.

Arguments: the root of the file system in which the mail server is installed, the command that starts it (empty, if it
serves nobody), the program of Farthing, a folder for its data, and the name of the machine. To be run in
namespaces of its own for network, mounts, processes and names. Prints how the mail came.
"""

import email
import email.policy
import fcntl
import http.client
import json
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

SECONDS_MAX = 60
SIOCSIFFLAGS, IFF_UP = 0x8914, 1

root, start, farthing, folder, host = sys.argv[1:]
root = Path(root)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def prepare():
    """The loopback interface, the name of the machine, and what a mail server needs besides its files."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
    run("hostname", host)
    run("mount", "-t", "proc", "proc", str(root / "proc"))
    run("mount", "--bind", "/dev", str(root / "dev"))
    run("chroot", str(root), "useradd", "--create-home", "ada")
    if start:
        run("chroot", str(root), *start.split())


def serve():
    """Farthing, once it listens. Its log goes to a file."""
    log = open(f"{folder}/log", "wb")
    words = [farthing, "serve", "--listen=127.0.0.1:3000", "--rate-limits=off", "--smtp-url=smtp://127.0.0.1:25"]
    words += [f"--database-url=sqlite://{folder}/farthing.db", f"--data-dir={folder}/data"]
    words += [f"--mail-from=auctions@{host}", "--public-url=http://bids.example.org"]
    process = subprocess.Popen(words, stdout=log, stderr=log, cwd=folder)
    until(lambda: "listening on" in logged() or process.poll() is not None)
    return process


def logged():
    return Path(folder, "log").read_text()


def until(found):
    """Waits for a value."""
    begun = time.monotonic()
    while not (value := found()):
        if time.monotonic() - begun > SECONDS_MAX:
            sys.exit(f"nothing came in {SECONDS_MAX} s. The log of Farthing:\n{logged()}")
        time.sleep(0.1)
    return value


def register():
    connection = http.client.HTTPConnection("127.0.0.1", 3000)
    body = json.dumps({"name": "Ada", "email": f"ada@{host}", "password": "a swish and a flick"})
    connection.request("POST", "/api/auth/register", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    if answer.status != 201:
        sys.exit(f"a registration was answered with {answer.status}: {answer.read()}")


def arrived():
    """The file of the mail: a box, or a file of a folder."""
    files = [root / "var/mail/ada", *(root / "home/ada/Maildir/new").glob("*")]
    return next((file for file in files if file.is_file() and file.stat().st_size > 0), None)


def read(file):
    """How the mail came. It is the one that was sent."""
    content = file.read_bytes()
    if content.startswith(b"From "):
        content = content.split(b"\n", 1)[1]
    message = email.message_from_bytes(content, policy=email.policy.default)
    text = message.get_body(("plain",)).get_content()
    if message["subject"] != "Confirm your e-mail (bids.example.org)" or "/confirm-email/" not in text:
        sys.exit(f"another mail arrived: {message}")
    # "with ESMTPS", in any case of letters (RFC 3848).
    return "by TLS" if " with esmtps" in message["received"].lower() else "without TLS"


prepare()
process = serve()
register()
if start:
    came = read(until(arrived))
else:
    until(lambda: "nothing listens" in logged())
    came = "not at all"
process.kill()
print(came)

"""A mail server for the tests: aiosmtpd, with the behaviour that a test asks for.

If FARTHING_TEST_MAILS names a folder, each mail is written to a file of it as it arrived.

Each line of the input is a behaviour or `sync`, and is answered by a line of the output. The other lines of the output
report what clients did. They are JSON. The server ends with its input.
"""

import argparse
import asyncio
import email
import email.policy
import json
import logging
import os
import ssl
import sys
import tempfile
import traceback
import warnings

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword, TLSSetupException

# The names are those of the enum `Smtp` in smtp.rs.
ACCEPTS, REFUSES, DEFERS, CLOSES = "Accepts", "Refuses", "Defers", "Closes"
HANGS, HANGS_AFTER_MESSAGE, DIES_AFTER_MESSAGE = "Hangs", "HangsAfterMessage", "DiesAfterMessage"
BEHAVIOURS = [ACCEPTS, REFUSES, DEFERS, CLOSES, HANGS, HANGS_AFTER_MESSAGE, DIES_AFTER_MESSAGE]


def report(event, **details):
    print(json.dumps({"event": event, **details}), flush=True)


def defects_of(content, message):
    """What a strict reader finds wrong: in the lines, in the parts, and in the headers (RFC 5322 and 2045)."""
    lines = content.split(b"\r\n")
    if any(b"\r" in line or b"\n" in line for line in lines):
        yield "a line does not end with CRLF"
    if any(len(line) > 998 for line in lines):
        yield "a line has more than 998 bytes"
    if any(byte == 0 or byte > 127 for byte in content):
        yield "a byte is not one of seven bits"
    for name in ["date", "from", "to", "subject", "message-id", "mime-version"]:
        if len(message.get_all(name, [])) != 1:
            yield f"not one header {name}"
    for part in message.walk():
        yield from map(repr, part.defects)
        for name, value in part.items():
            yield from (f"{name}: {defect!r}" for defect in value.defects)
        if not part.is_multipart() and part.get_content_type() not in {"text/plain", "text/html"}:
            yield f"a part of {part.get_content_type()}"


def described(content):
    """The message as a mail program reads it."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    return {
        "headers": {name.lower(): str(value) for name, value in message.items()},
        "parts": [part.get_content_type() for part in message.walk()],
        "text": message.get_body(("plain",)).get_content(),
        "html": message.get_body(("html",)).get_content(),
        "defects": list(defects_of(content, message)),
    }


class MailServer:
    """Answers the commands of all connections."""

    def __init__(self, users):
        self.users = users
        self.behaviour = ACCEPTS

    def authenticate(self, server, session, envelope, mechanism, credentials):
        assert isinstance(credentials, LoginPassword)
        user, password = credentials.login.decode(), credentials.password.decode()
        is_right = self.users.get(user) == password
        report("sign-in", user=user, mechanism=mechanism, is_right=is_right)
        session.user = user
        return AuthResult(success=is_right, handled=False)

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.behaviour == REFUSES:
            return "550 5.1.1 no such mailbox"
        if self.behaviour == DEFERS:
            return "451 4.3.0 later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if folder := os.environ.get("FARTHING_TEST_MAILS"):
            with tempfile.NamedTemporaryFile(dir=folder, suffix=".eml", delete=False) as file:
                file.write(envelope.content)
        report(
            "mail",
            to=envelope.rcpt_tos[0],
            sender=envelope.mail_from,
            user=getattr(session, "user", None),
            is_encrypted=server.transport.get_extra_info("sslcontext") is not None,
            **described(envelope.content),
        )
        if self.behaviour == HANGS_AFTER_MESSAGE:
            # The end of the connection cancels it.
            await asyncio.Future()
        if self.behaviour == DIES_AFTER_MESSAGE:
            server.transport.abort()
        return "250 OK"

    async def handle_exception(self, error):
        # A client that does not trust the certificate ends the handshake.
        if not isinstance(error, TLSSetupException):
            traceback.print_exception(error)
        return "421 4.3.0 the connection is unusable"


class Closing(asyncio.Protocol):
    def connection_made(self, transport):
        transport.abort()


async def serve(options):
    loop = asyncio.get_running_loop()
    users = dict(user.split(":", 1) for user in options.user)
    handler = MailServer(users)
    context = None
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate)

    def connection():
        if handler.behaviour == CLOSES:
            return Closing()
        if handler.behaviour == HANGS:
            return asyncio.Protocol()
        return SMTP(
            handler,
            hostname="mail.example.org",
            loop=loop,
            tls_context=context if options.tls in {"offered", "starttls"} else None,
            require_starttls=options.tls == "starttls",
            authenticator=handler.authenticate,
            auth_required=bool(users),
            # aiosmtpd takes a connection with TLS from the first byte for a plain one.
            auth_require_tls=options.tls == "starttls",
            auth_exclude_mechanism={"PLAIN", "LOGIN"} - set(options.mechanism or ["PLAIN", "LOGIN"]),
        )

    from_first_byte = context if options.tls == "implicit" else None
    server = await loop.create_server(connection, "127.0.0.1", 0, ssl=from_first_byte)
    report("listening", port=server.sockets[0].getsockname()[1])

    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := (await commands.readline()).decode().strip():
        if line in BEHAVIOURS:
            handler.behaviour = line
        elif line != "sync":
            sys.exit(f"no behaviour `{line}`")
        report("answer")


def main():
    # aiosmtpd warns of sign-ins without TLS, which the tests want.
    warnings.simplefilter("ignore", UserWarning)
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", choices=["none", "offered", "starttls", "implicit"], default="none")
    parser.add_argument("--certificate", help="file with the certificate and its key, for TLS")
    parser.add_argument("--user", action="append", default=[], help="USER:PASSWORD that may send mail [default: everyone]")
    parser.add_argument("--mechanism", action="append", default=[], help="how they sign in: PLAIN, LOGIN [default: both]")
    asyncio.run(serve(parser.parse_args()))


main()

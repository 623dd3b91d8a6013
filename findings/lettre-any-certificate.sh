#!/usr/bin/env bash
# Finding: lettre 0.11.23 with rustls refuses a certificate of another name, also if it is to accept invalid certificates.
#
# Mail servers as distributions install them offer STARTTLS with a certificate that they have made themselves, in the name
# of the machine; programs on it reach them at 127.0.0.1. Expected: `dangerous_accept_invalid_certs(true)` accepts "any
# certificate, including certificates from different hostnames", as its documentation says. Seen: the chain is not looked
# at and the name still is, so that the handshake ends with NotValidForName; `dangerous_accept_invalid_hostnames(true)` is
# needed, too. A test with a certificate of 127.0.0.1 does not show it, and a program that goes on without TLS then sends
# all its mail so.
#
# Takes cargo. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install aiosmtpd==1.4.6
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "try"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies.lettre]
version = "=0.11.23"
default-features = false
features = ["smtp-transport", "rustls", "ring", "webpki-roots", "builder"]
TOML
cat > src/main.rs <<'RS'
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::SmtpTransport;

fn main() {
    let port = std::env::args().nth(1).unwrap().parse().unwrap();
    for (certificates, names) in [(false, false), (true, false), (true, true)] {
        let builder = TlsParameters::builder("127.0.0.1".to_owned());
        let builder = builder.dangerous_accept_invalid_certs(certificates).dangerous_accept_invalid_hostnames(names);
        let tls = Tls::Required(builder.build_rustls().unwrap());
        let server = SmtpTransport::builder_dangerous("127.0.0.1").port(port).tls(tls).build();
        let seen = match server.test_connection() {
            Ok(connected) => format!("connected {connected}"),
            Err(error) if format!("{error:?}").contains("NotValidForName") => "another name".to_owned(),
            Err(error) if format!("{error:?}").contains("UnknownIssuer") => "unknown issuer".to_owned(),
            Err(error) => format!("{error:?}"),
        };
        println!("certificates {certificates} names {names}: {seen}");
    }
}
RS
cargo build --quiet

cat > try.py <<'PY'
import socket
import ssl
import subprocess

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink

subject = ["-subj", "/CN=mail.example.org", "-addext", "subjectAltName=DNS:mail.example.org"]
files = ["-keyout", "key.pem", "-out", "certificate.pem", "-addext", "basicConstraints=critical,CA:FALSE"]
make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
subprocess.run(make + subject + files, check=True, capture_output=True)
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain("certificate.pem", "key.pem")
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = Controller(Sink(), hostname="127.0.0.1", port=port, tls_context=context)
server.start()
print(subprocess.run(["target/debug/try", str(port)], capture_output=True, text=True).stdout, end="")
server.stop()
PY
seen=$(python/bin/python try.py 2> /dev/null)
expected='certificates false names false: unknown issuer
certificates true names false: another name
certificates true names true: connected true'
echo "$seen"
[ "$seen" = "$expected" ]

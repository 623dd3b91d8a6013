//! Farthing beside each mail server, in a network of their own. This machine's own mail is left alone.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::HOST;
use crate::path_context::PathContext;
use crate::pristine::{Pristine, apart, version};
use crate::process;
use crate::python::Python;
use crate::works_with::Program;
use crate::workspace::Workspace;

const BESIDE: &str = include_str!("beside.py");

struct Server {
    name: &'static str,
    package: &'static str,
    /// Starts it. Empty for a program that serves nobody.
    start: &'static str,
    /// How the mail comes.
    comes: &'static str,
    seen: &'static str,
}

const SERVERS: [Server; 4] = [
    Server {
        name: "Exim",
        package: "exim4-daemon-light",
        start: "/etc/init.d/exim4 start",
        comes: "by TLS",
        seen: "takes the mail by TLS, with a certificate of its own making",
    },
    Server {
        name: "Postfix",
        package: "postfix",
        start: "/etc/init.d/postfix start",
        comes: "by TLS",
        seen: "takes the mail by TLS, with the certificate of Debian’s making that nobody has signed",
    },
    Server {
        name: "OpenSMTPD",
        package: "opensmtpd",
        start: "/etc/init.d/opensmtpd start",
        comes: "without TLS",
        seen: "takes the mail, without TLS, which it does not offer",
    },
    Server {
        name: "dma",
        package: "dma",
        start: "",
        comes: "not at all",
        seen: "sends only, and listens on no port: mails wait, and the log says to name the server that it sends to",
    },
];

/// One row for each.
pub fn check(workspace: &Workspace, python: &Python, pristine: &Pristine) -> Result<Vec<Program>> {
    SERVERS.iter().map(|server| check_one(workspace, python, pristine, server)).collect()
}

fn check_one(
    workspace: &Workspace,
    python: &Python,
    pristine: &Pristine,
    server: &Server,
) -> Result<Program> {
    let Server { name, package, start, comes, seen } = server;
    pristine.with(&[package], |root| {
        let data = pristine.folder.join(package);
        fs::create_dir_all(&data).on_path("create", &data)?;
        let mut command = apart(&python.script(BESIDE));
        command.arg(root).arg(start).arg(workspace.binary()).arg(&data).arg(HOST);
        let came = process::output(&mut command).with_context(|| format!("with {name}"))?;
        let came = came.trim();
        println!("mail: {name}: the mail came {came}");
        ensure!(came == *comes, "with {name} the mail came {came}, and {comes} before");
        Ok(Program::new(&format!("{name}, `smtp://127.0.0.1`"), &version(root, package)?, seen))
    })
}

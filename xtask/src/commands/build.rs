//! `cargo xtask build`: first the site, then the server, whose binary embeds the site.

use std::time::Instant;

use anyhow::Result;

use crate::process;
use crate::site;
use crate::toolchain;
use crate::workspace::Workspace;

/// Arguments of cargo.
pub const SERVER: &[&str] = &["build", "--release", "-p", "server", "--bin", "farthing"];

/// What `cargo` optimizes for [`Purpose::Installation`].
const INSTALLATION: &str = "--config=.cargo/installation.toml";

/// Where the binary will run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// In an installation: every crate is optimized, in about three times the time.
    Installation,
    /// In the demo and the tests.
    Development,
}

pub fn run(workspace: &Workspace, purpose: Purpose) -> Result<()> {
    let started = Instant::now();
    toolchain::ensure_targets(workspace)?;
    site::build(workspace)?;
    let server = Instant::now();
    let mut cargo = workspace.cargo();
    cargo.args(SERVER);
    if purpose == Purpose::Installation {
        cargo.arg(INSTALLATION);
    }
    process::run(&mut cargo)?;
    println!("server: {} ({:.1} s)", workspace.binary().display(), server.elapsed().as_secs_f64());
    println!("build: done in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

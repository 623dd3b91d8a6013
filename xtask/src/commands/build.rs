//! `cargo xtask build`: first the site, then the server, whose binary embeds the site.

use std::time::Instant;

use anyhow::Result;

use crate::process;
use crate::site;
use crate::toolchain;
use crate::workspace::Workspace;

/// Arguments of cargo.
pub const SERVER: &[&str] = &["build", "--release", "-p", "server", "--bin", "farthing"];

pub fn run(workspace: &Workspace) -> Result<()> {
    let started = Instant::now();
    toolchain::ensure_targets(workspace)?;
    site::build(workspace)?;
    let server = Instant::now();
    process::run(workspace.cargo().args(SERVER))?;
    println!("server: {} ({:.1} s)", workspace.binary().display(), server.elapsed().as_secs_f64());
    println!("build: done in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

//! `cargo xtask build`: first the site, then the server, whose binary embeds the site.

use std::time::Instant;

use anyhow::Result;

use crate::process;
use crate::site;
use crate::toolchain;
use crate::workspace::Workspace;

/// Arguments of cargo.
pub const SERVER: &[&str] = &["build", "--release", "-p", "server", "--bin", "farthing"];

/// The crates that the profile leaves unoptimized for [`Purpose::Development`].
const OPTIMIZED: &[&str] = &["accounts", "app", "auction-house", "installation", "platform", "server"];

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
    let optimized = OPTIMIZED.iter().filter(|_| purpose == Purpose::Installation);
    let options = optimized.map(|name| format!("--config=profile.release.package.{name}.opt-level=1"));
    process::run(workspace.cargo().args(SERVER).args(options))?;
    println!("server: {} ({:.1} s)", workspace.binary().display(), server.elapsed().as_secs_f64());
    println!("build: done in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

//! `cargo xtask build`: the site first, because the server's binary embeds it.

use std::time::Instant;

use crate::failure::Outcome;
use crate::process;
use crate::site;
use crate::toolchain;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace) -> Outcome<()> {
    let begun = Instant::now();
    toolchain::ensure_targets(workspace)?;
    site::build(workspace)?;
    let server = Instant::now();
    process::run(workspace.cargo().args(["build", "--release", "-p", "server", "--bin", "farthing"]))?;
    println!("server: {} ({:.1} s)", workspace.binary().display(), server.elapsed().as_secs_f64());
    println!("build: done in {:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}

//! `cargo xtask run`: builds, then serves a demo auction until it is interrupted.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;

use crate::commands::build::{self, Purpose};
use crate::process;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// Passed on to `farthing serve`; `--demo` is always given
    #[arg(last = true)]
    server_arguments: Vec<String>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    build::run(workspace, Purpose::Development)?;
    println!(
        "run: http://127.0.0.1:3000 unless set otherwise; the line `listening on` names the address in use"
    );
    let mut server = Command::new(workspace.binary());
    server.args(["serve", "--demo"]).args(&options.server_arguments).current_dir(&workspace.root);
    let status = server.status().with_context(|| process::not_started(&server))?;
    // The server has printed why it stopped.
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

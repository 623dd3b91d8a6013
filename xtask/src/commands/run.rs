//! `cargo xtask run`: builds, then serves a demo auction until it is interrupted.

use std::process::{Command, ExitCode};

use clap::Args;

use crate::commands::build;
use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// Passed on to `farthing serve`; `--demo` is always given
    #[arg(last = true)]
    server_arguments: Vec<String>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome<ExitCode> {
    build::run(workspace)?;
    let binary = workspace.binary();
    println!("run: http://127.0.0.1:3000 unless told otherwise; the line `listening on` has the last word");
    let status = Command::new(&binary)
        .args(["serve", "--demo"])
        .args(&options.server_arguments)
        .current_dir(&workspace.root)
        .status()
        .map_err(|error| Failure::new(format!("can't start {}: {error}", binary.display())))?;
    // The server has said itself why it stopped.
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

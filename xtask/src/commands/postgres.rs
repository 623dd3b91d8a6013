//! `cargo xtask postgres`: runs a command beside a PostgreSQL cluster, as the tests are run.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::postgres::Cluster;
use crate::tools;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// The command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome<ExitCode> {
    tools::ensure_node()?;
    tools::ensure_packages(workspace)?;
    let cluster = Cluster::start(workspace)?;
    let mut command = Command::new(&options.command[0]);
    command.args(&options.command[1..]);
    let status = cluster.tell(workspace.prepare(&mut command)).status().map_err(|error| {
        Failure::new(format!("can't start `{}`: {error}", options.command[0].to_string_lossy()))
    })?;
    // What ended by a signal has no code.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

//! `cargo xtask postgres`: runs a command with a temporary PostgreSQL and a temporary S3-compatible store, as
//! `cargo xtask test` runs the tests.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;

use crate::node::Node;
use crate::postgres::Cluster;
use crate::process;
use crate::python::Python;
use crate::s3::ObjectStore;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// The command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let node = Node::ensure(workspace)?;
    node.ensure_packages(workspace)?;
    // The tests start a mail server in Python.
    Python::ensure(workspace)?;
    let (cluster, store) = (Cluster::start(workspace)?, ObjectStore::start(workspace, &node)?);
    let mut command = Command::new(&options.command[0]);
    store.describe_to(cluster.describe_to(workspace.prepare(command.args(&options.command[1..]))));
    let status = command.status().with_context(|| process::not_started(&command))?;
    // A command that was ended by a signal has no exit code.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

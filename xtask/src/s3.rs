//! A temporary S3-compatible store with the bucket `pictures`, for the tests. Its program comes from an npm
//! package.

use std::env;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, anyhow};

use crate::node::Node;
use crate::path_context::PathContext;
use crate::process;
use crate::workspace::Workspace;

const PROGRAM: &str = include_str!("s3.js");

pub struct ObjectStore {
    program: Child,
    url: String,
}

impl ObjectStore {
    /// The packages of `end2end/` must be installed.
    pub fn start(workspace: &Workspace, node: &Node) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("farthing-s3-")
            .tempdir()
            .on_path("create a folder in", &env::temp_dir())?;
        let mut command = node.command("node");
        // The program removes the folder once its input ends, also if this tool was killed.
        command.args(["-e", PROGRAM]).arg(folder.keep()).current_dir(workspace.end2end());
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut program = spawned.with_context(|| process::not_started(&command))?;
        let output = program.stdout.take().context("the store has no output")?;
        let port = process::wait_for_line(output, |line| line.strip_prefix("port ").map(str::to_owned))
            .map_err(|printed| anyhow!("the S3-compatible store ended before it was ready:\n{printed}"))?;
        Ok(Self { program, url: format!("http://127.0.0.1:{port}") })
    }

    /// Adds the store's address to a command's environment.
    pub fn describe_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("FARTHING_TEST_S3", &self.url)
    }
}

impl Drop for ObjectStore {
    fn drop(&mut self) {
        // `wait` closes the input first, which ends the program.
        let _ = self.program.wait();
    }
}

//! `cargo xtask install`: installs what the tests need beside the Rust toolchain, as `cargo xtask test` does
//! first.

use std::process::ExitCode;

use anyhow::Result;

use crate::browser::Browser;
use crate::engines::{self, EngineSet};
use crate::node::Node;
use crate::postgres::Cluster;
use crate::python::Python;
use crate::steps::TimedSteps;
use crate::workspace::Workspace;

/// The installed programs.
pub struct Tools {
    pub node: Node,
    pub browser: Browser,
    pub python: Python,
    /// Whether Firefox and WebKit are installed.
    pub has_engines: bool,
}

pub fn run(workspace: &Workspace) -> ExitCode {
    let mut steps = TimedSteps::start();
    // The summary prints the error.
    let _ = install(workspace, &mut steps).and_then(|_| {
        // Starts only if all its libraries are installed.
        steps.run("PostgreSQL", || Cluster::start(workspace).map(drop))
    });
    steps.summary()
}

pub fn install(workspace: &Workspace, steps: &mut TimedSteps) -> Result<Tools> {
    let node = steps.run("node", || Node::ensure(workspace))?;
    steps.run("npm packages", || node.ensure_packages(workspace))?;
    let browser = steps.run("browser", || Browser::ensure(workspace, &node))?;
    let python = steps.run("Python programs", || Python::ensure(workspace))?;
    let has_engines = steps.run("Firefox and WebKit", || engines::ensure(EngineSet::Usual))?;
    Ok(Tools { node, browser, python, has_engines })
}

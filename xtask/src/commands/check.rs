//! `cargo xtask check`: what a change is checked with before its tests run. The quickest checks come first,
//! and the first failure ends the run.

use std::process::ExitCode;

use anyhow::Result;

use crate::checks;
use crate::node::Node;
use crate::process;
use crate::steps::TimedSteps;
use crate::toolchain;
use crate::workspace::{SITE_VARIABLE, Workspace};

/// The rules about the source tree. They are tests of the server.
const TIDY: &[&str] = &["test", "--release", "--package=server", "--test=it", "tidy"];

pub fn run(workspace: &Workspace) -> ExitCode {
    let mut steps = TimedSteps::start();
    // The summary prints the error.
    let _ = all_steps(workspace, &mut steps);
    steps.summary()
}

fn all_steps(workspace: &Workspace, steps: &mut TimedSteps) -> Result<()> {
    steps.run("toolchain", || toolchain::ensure_targets(workspace))?;
    checks::format(workspace, steps)?;
    let node = steps.run("node", || Node::ensure(workspace))?;
    steps.run("npm packages", || node.ensure_packages(workspace))?;
    checks::types(workspace, &node, steps)?;
    checks::lints(workspace, steps)?;
    // Without the site, as a call of `cargo test` compiles the server, which then need not compile it again.
    steps.run("tidy", || process::run(workspace.cargo().args(TIDY).env_remove(SITE_VARIABLE)))
}

//! The checks of the source that run no program of the product. `cargo xtask check` and `cargo xtask test`
//! share them.

use anyhow::Result;

use crate::node::Node;
use crate::process;
use crate::site::all_features;
use crate::steps::TimedSteps;
use crate::wasm::FOR_BROWSER;
use crate::workspace::Workspace;

/// The engine's JSON Schemas, which its tests compare with its parser. The binary does not use them.
pub const SCHEMA: &str = "--features=rules-engine/schema";

/// Clippy's arguments, which turn its warnings into errors.
const DENY_WARNINGS: &[&str] = &["-D", "warnings"];

/// The projects of the scripts of pages, seen from TypeScript's folder `end2end`: pages and their service
/// worker have different global scopes.
const SCRIPTS: [&str; 2] = ["../app", "../app/tsconfig.worker.json"];

/// Compares the code with the output of rustfmt.
pub fn format(workspace: &Workspace, steps: &mut TimedSteps) -> Result<()> {
    steps.run("format", || process::run(workspace.cargo().args(["fmt", "--all", "--check"])))
}

/// Checks the types of the browser tests and of the scripts.
pub fn types(workspace: &Workspace, node: &Node, steps: &mut TimedSteps) -> Result<()> {
    steps.run("types of end2end", || process::run(&mut node.npx(workspace, "tsc")))?;
    steps.run("types of the scripts", || {
        let check = |project| process::run(node.npx(workspace, "tsc").args(["--project", project]));
        SCRIPTS.into_iter().try_for_each(check)
    })
}

/// Runs Clippy over the islands as the browser has them, and over the workspace.
pub fn lints(workspace: &Workspace, steps: &mut TimedSteps) -> Result<()> {
    let features = all_features();
    let bundle = ["clippy", "--package=app", "--lib", "--features", &features];
    steps.run("lints of the bundle", || {
        process::run(workspace.cargo().args(bundle).args(FOR_BROWSER).arg("--").args(DENY_WARNINGS))
    })?;
    let all = ["clippy", "--release", "--workspace", "--all-targets", SCHEMA, "--"];
    steps.run("lints", || process::run(workspace.cargo().args(all).args(DENY_WARNINGS)))
}

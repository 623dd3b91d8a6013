//! `cargo xtask bench engine`: the engine's own bench, the size of its npm package and its speed in Node.

use anyhow::{Context, Result};

use crate::commands::bench::{Report, kilobytes};
use crate::node::Node;
use crate::npm::{self, PackageLoader};
use crate::process;
use crate::toolchain;
use crate::workspace::Workspace;

/// Limit for a keystroke in Node, in microseconds.
const KEYSTROKE_LIMIT: f64 = 1.0;

pub fn measure(workspace: &Workspace) -> Result<Report> {
    toolchain::ensure_targets(workspace)?;
    // Prints its table, then fails if one of its own limits is exceeded.
    let native = process::output(workspace.cargo().args(["bench", "-p", "rules-engine"]))?;
    let size = kilobytes(npm::size(&npm::build(workspace, PackageLoader::Web)?)?);
    let limit = kilobytes(npm::LIMIT);
    let keystroke = keystroke(workspace)?;

    let rows: String =
        native.lines().filter(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    Ok(Report {
        name: "engine",
        table: format!(
            "{rows}| a keystroke in Node: one call of `check` | {keystroke:.2} µs | | | {KEYSTROKE_LIMIT:.0} µs |\n\
             | npm package, WebAssembly and glue, brotli | {size:.1} kB | | | {limit:.0} kB |\n"
        ),
        is_over_limit: keystroke > KEYSTROKE_LIMIT || size > limit,
    })
}

/// Measured in Node by a script, on the package.
fn keystroke(workspace: &Workspace) -> Result<f64> {
    let node = Node::ensure(workspace)?;
    let package = npm::build(workspace, PackageLoader::Nodejs)?;
    let script = workspace.root.join("rules-engine/wasm/bench/keystroke.cjs");
    let printed = process::output(node.command("node").arg(script).arg(package))?;
    printed.trim().parse().with_context(|| format!("the keystroke script printed `{}`", printed.trim()))
}

//! `cargo xtask bench --engine`: the engine's own bench, and what its npm package weighs and takes in Node, in one
//! table.

use std::process::{Command, ExitCode};

use crate::commands::bench::{Options, today};
use crate::failure::{Failure, Outcome};
use crate::npm::{self, Kind};
use crate::process;
use crate::site;
use crate::toolchain;
use crate::tools;
use crate::workspace::Workspace;

/// Microseconds that a keystroke may take in Node.
const KEYSTROKE_LIMIT: f64 = 1.0;

pub fn run(workspace: &Workspace, options: &Options) -> Outcome<ExitCode> {
    toolchain::ensure_targets(workspace)?;
    // It fails where one of its own limits is exceeded, once it has printed its table.
    let native = process::output(workspace.cargo().args(["bench", "-p", "rules-engine"]))?;
    let weight = npm::weight(&npm::build(workspace, Kind::Web)?)?;
    let keystroke = keystroke(workspace)?;

    let kilobytes = |bytes: u64| bytes as f64 / 1000.0;
    let (weight, limit) = (kilobytes(weight), kilobytes(npm::LIMIT));
    let rows: String =
        native.lines().filter(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    let table = format!(
        "{rows}| a keystroke in Node: one call of `check` | {keystroke:.2} µs | | | {KEYSTROKE_LIMIT:.0} µs |\n\
         | npm package, WebAssembly and glue, brotli | {weight:.1} kB | | | {limit:.0} kB |\n"
    );
    println!("\n{table}");
    if options.write {
        let path = workspace.root.join("docs/reference/engine-speed.md");
        site::write_if_changed(&path, page(&table).as_bytes())?;
        println!("written to {}", path.display());
    }
    let over = keystroke > KEYSTROKE_LIMIT || weight > limit;
    Ok(if over { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// As a script says that runs in Node on the package.
fn keystroke(workspace: &Workspace) -> Outcome<f64> {
    tools::ensure_node()?;
    let package = npm::build(workspace, Kind::Nodejs)?;
    let script = workspace.root.join("rules-engine/wasm/bench/keystroke.cjs");
    let answer = process::output(Command::new("node").arg(script).arg(package))?;
    let time = answer.trim().parse();
    time.map_err(|_| Failure::new(format!("the keystrokes took {}, which is no time", answer.trim())))
}

fn page(table: &str) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "# Speed of the rules engine\n\nWritten by `cargo xtask bench --engine --write` on {}, on a machine with \
         {cores} cores. A limit is a promise: what\nexceeds it is a bug. Times differ from machine to machine; the \
         ratio of two that were taken in turns does not.\n\n{table}\n\
         The decision is that of `rules-engine/benches/speed/reference.rs`: three denominations, four conditions, and \
         4096\nbids of which half are accepted and an eighth each break one, two, three and all four. By hand is what \
         one writes\nwith `rust_decimal`, and from JSON to JSON with `serde_json` as well. \
         `rules-engine/tests/allocations.rs` holds what a\ndecision allocates: nothing for an accepted bid, and one \
         list for another.\n",
        today()
    )
}

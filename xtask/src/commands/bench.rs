//! `cargo xtask bench`: measures the item page, or the rules engine, against limits, and writes the tables of
//! `docs/reference`.

use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Args;

use crate::commands::{bench_engine, bench_page};
use crate::process;
use crate::site;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// Writes the table to docs/reference, as speed.md or engine-speed.md
    #[arg(long)]
    write: bool,
    /// Measures the rules engine instead, which needs no server
    #[arg(long)]
    engine: bool,
}

/// The measurements of one kind of bench.
pub struct Report {
    /// Name in docs/reference.
    pub file: &'static str,
    pub title: &'static str,
    /// The options that repeat the measurement.
    pub command: &'static str,
    /// Markdown.
    pub table: String,
    /// Text before and after the table; a text before it continues the sentence on limits.
    pub introduction: &'static str,
    pub notes: &'static str,
    pub is_over_limit: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let report =
        if options.engine { bench_engine::measure(workspace)? } else { bench_page::measure(workspace)? };
    println!("\n{}", report.table);
    if options.write {
        let path = workspace.root.join("docs/reference").join(report.file);
        site::write_if_changed(&path, page(&report)?.as_bytes())?;
        println!("written to {}", path.display());
    }
    Ok(if report.is_over_limit { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn page(report: &Report) -> Result<String> {
    let Report { title, command, table, introduction, notes, .. } = report;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let date = process::output(Command::new("date").args(["-u", "+%F"]))?;
    let date = date.trim();
    Ok(format!(
        "# {title}\n\nWritten by `{command} --write` on {date}, on a machine with {cores} cores. A limit is a promise: \
         what\nexceeds it is a bug.{introduction}\n\n{table}{notes}"
    ))
}

pub fn kilobytes(bytes: u64) -> f64 {
    bytes as f64 / 1000.0
}

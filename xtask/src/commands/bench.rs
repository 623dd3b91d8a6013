//! `cargo xtask bench`: measures the server, the item page or the rules engine against limits, and writes the tables of
//! `docs/reference`.

use std::env::consts::EXE_SUFFIX;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::commands::{bench_engine, bench_page};
use crate::process;
use crate::site;
use crate::toolchain;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// What is measured
    #[arg(value_enum, default_value_t = Subject::Bids)]
    subject: Subject,
    /// Also writes the table to docs/reference
    #[arg(long)]
    write: bool,
    /// Passed on to the crate `bench`, which measures all but the item page and the engine; `-- --help` lists them
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// Bids, pages of items and live streams, against requests that do nothing
    Bids,
    /// The pages of large auctions
    Pages,
    /// Bids while hostile clients attack the server
    Hostile,
    /// Bids in an auction with a book against bids in one without
    Books,
    /// Bids that notify another bidder against bids without a notification
    Notifications,
    /// Bids and memory while large pictures are uploaded
    Pictures,
    /// The item page of the demo: processor time, size, and speed in Chromium
    ItemPage,
    /// The rules engine, which needs no server
    Engine,
}

/// Measurements against limits.
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
    let report = match options.subject {
        Subject::Engine => bench_engine::measure(workspace)?,
        Subject::ItemPage => bench_page::measure(workspace)?,
        _ => return measure_server(workspace, options),
    };
    println!("\n{}", report.table);
    if options.write {
        let path = workspace.root.join("docs/reference").join(report.file);
        site::write_if_changed(&path, page(&report)?.as_bytes())?;
        println!("written to {}", path.display());
    }
    Ok(if report.is_over_limit { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Runs the crate `bench`, which prints its table, and whose server embeds the site.
fn measure_server(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    toolchain::ensure_targets(workspace)?;
    site::build(workspace)?;
    process::run(workspace.cargo().args(["build", "--release", "-p", "bench"]))?;
    let mut bench = Command::new(workspace.target.join("release").join(format!("bench{EXE_SUFFIX}")));
    let subject = options.subject.to_possible_value().context("a subject without a name")?;
    bench.arg(subject.get_name()).args(&options.options).current_dir(&workspace.root);
    if options.write {
        bench.arg("--write");
    }
    let status = bench.status().with_context(|| process::not_started(&bench))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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

//! `cargo xtask bench`: measures the server, the item page or the rules engine against limits, and writes the
//! tables of `docs/reference`.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::commands::{bench_against, bench_engine, bench_page};
use crate::path_context::PathContext;
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
    /// Measures this commit, too, in turns with this checkout, and compares the rows that both have
    #[arg(long, value_name = "COMMIT", conflicts_with = "write")]
    against: Option<String>,
    /// Turns of each, with --against
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20), requires = "against")]
    turns: u32,
    /// Passed on to the crate `bench`, which measures all but the item page and the engine; `-- --help` lists
    /// them
    #[arg(last = true, value_name = "BENCH_OPTIONS")]
    options: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// Bids, pages of items and live streams, against requests that do nothing
    Bids,
    /// Instructions of requests, counted by valgrind
    Instructions,
    /// The pages of large auctions
    Pages,
    /// Bids while hostile clients attack the server
    Hostile,
    /// Bids in an auction with a book against bids in one without
    Books,
    /// Bids that notify another bidder against bids without a notification
    Notifications,
    /// Bids at several servers on one PostgreSQL database
    Servers,
    /// Bids and memory while large pictures are uploaded
    Pictures,
    /// Bids while others read without an account, bids in an auction with a group, and sign-ins by number
    Everyone,
    /// Hammers against bids, and screens against listeners
    Hall,
    /// Runs of a large book, bids beside them, and bids in a book with caps
    Runs,
    /// Imports of tables, bids beside them, and workbooks that are refused
    Tables,
    /// The item page of the demo: processor time, size, and speed in Chromium
    ItemPage,
    /// The rules engine, which needs no server
    Engine,
}

/// Measurements against limits.
pub struct Report {
    /// Name of the table in `docs/reference/measurements.md`.
    pub name: &'static str,
    /// Markdown.
    pub table: String,
    pub is_over_limit: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    if let Some(commit) = &options.against {
        let subject = options.subject.to_possible_value().context("a subject without a name")?;
        let mut arguments = vec![subject.get_name().to_owned()];
        if !options.options.is_empty() {
            arguments.push("--".to_owned());
            arguments.extend_from_slice(&options.options);
        }
        return bench_against::run(workspace, commit, options.turns, &arguments);
    }
    let report = match options.subject {
        Subject::Engine => bench_engine::measure(workspace)?,
        Subject::ItemPage => bench_page::measure(workspace)?,
        _ => return measure_server(workspace, options),
    };
    println!("\n{}", report.table);
    if options.write {
        let path = workspace.root.join("docs/reference/measurements.md");
        let old = fs::read_to_string(&path).on_path("read", &path)?;
        site::write_if_changed(&path, page(&old, &report)?.as_bytes())?;
        println!("written to {}", path.display());
    }
    Ok(if report.is_over_limit { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Builds a binary as it is released, with the site that it embeds. Returns its path.
pub fn build_dist(workspace: &Workspace, package: &str, binary: &str) -> Result<PathBuf> {
    toolchain::ensure_targets(workspace)?;
    site::build(workspace)?;
    process::run(workspace.cargo().args(["build", "--profile=dist", "-p", package, "--bin", binary]))?;
    Ok(workspace.target.join("dist").join(format!("{binary}{EXE_SUFFIX}")))
}

/// Runs the crate `bench`, which prints its table.
fn measure_server(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut bench = Command::new(build_dist(workspace, "bench", "bench")?);
    let subject = options.subject.to_possible_value().context("a subject without a name")?;
    bench.arg(subject.get_name()).args(&options.options).current_dir(&workspace.root);
    if options.write {
        bench.arg("--write");
    }
    let status = bench.status().with_context(|| process::not_started(&bench))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The page with the new table in the place of the last one, between two lines.
fn page(old: &str, report: &Report) -> Result<String> {
    const END: &str = "<!-- end -->";
    let Report { name, table, .. } = report;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let date = process::output(Command::new("date").args(["-u", "+%F"]))?;
    let mark = format!("<!-- {name} -->");
    let place = old.split_once(&mark).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = place.with_context(|| format!("the page has no lines `{mark}` and `{END}`"))?;
    let date = date.trim();
    Ok(format!("{before}{mark}\nOn {date}, on a machine with {cores} cores.\n\n{table}{END}{after}"))
}

pub fn kilobytes(bytes: u64) -> f64 {
    bytes as f64 / 1000.0
}

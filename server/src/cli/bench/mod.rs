//! `farthing bench`: what bids cost on this machine, next to requests that do nothing. A server of the same
//! binary runs in a process of its own, on a new database with durable commits; requests bear session cookies.
//! The machine's mood changes from second to second, so nothing is told in absolute terms: what is measured
//! stands between two measurements of the requests that do nothing, and is divided by their mean.

mod load;
mod server;
mod table;

pub use server::{StageError, run as run_server};

use std::time::Duration;

use crate::clock::{Clock, SystemClock};
use load::{Load, LoadError, Measured};
use server::Server;
use table::{Row, page, table};

/// Where `--write` puts the table.
const PAGE: &str = "docs/reference/bid-speed.md";
const CONNECTIONS: usize = 256;
/// Those that ask for pages.
const READERS: usize = 32;

#[derive(clap::Args)]
pub struct Options {
    /// Rounds: each measures everything once; the table shows medians
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Length of one measurement in milliseconds
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    millis: u64,
    /// Also writes the table to docs/reference/bid-speed.md
    #[arg(long)]
    write: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("can't start the server to measure: {0}")]
    Start(std::io::Error),
    #[error("the server to measure did not get ready: {0}")]
    Stage(#[from] StageError),
    #[error("can't measure: {0}")]
    Load(#[from] LoadError),
    #[error("can't write `{PAGE}`: {0}")]
    Write(std::io::Error),
    #[error("a limit is missed")]
    Missed,
}

/// Measures, prints the table, and fails where a limit is missed.
pub async fn bench(options: Options) -> Result<(), BenchError> {
    // Beside the working directory's other files, since a folder for temporary ones may be kept in memory,
    // where a durable commit costs nothing.
    let folder = tempfile::Builder::new().prefix("farthing-bench-").tempdir_in(".");
    let folder = folder.map_err(BenchError::Start)?;
    let server = Server::start(folder.path())?;
    let length = Duration::from_millis(options.millis);
    let mut rows = Row::all();
    for round in 1..=options.rounds {
        progress(&format!("round {round} of {}", options.rounds));
        for (row, ratio) in rows.iter_mut().zip(measure(&server, length).await?) {
            row.add(ratio);
        }
    }
    let text = table(&rows);
    print(&text);
    if options.write {
        let date: String = SystemClock.now().to_string().chars().take(10).collect();
        std::fs::write(PAGE, page(&text, &date, options.rounds)).map_err(BenchError::Write)?;
    }
    if rows.iter().all(Row::holds) { Ok(()) } else { Err(BenchError::Missed) }
}

/// One round: the ratios in the order of the rows.
async fn measure(server: &Server, length: Duration) -> Result<[f64; 4], LoadError> {
    let stage = &server.stage;
    let nothing = |connections| {
        let tokens = stage.tokens.clone();
        Load::new(server.address, server.pid(), length, connections, move |n, request| {
            load::post(request, "/nothing", &tokens[n % tokens.len()], r#"{"amount":1}"#);
        })
    };
    let bids = |items: usize| {
        let (tokens, paths) = (stage.tokens.clone(), stage.bid_paths.clone());
        let amounts = server.amounts.clone();
        Load::new(server.address, server.pid(), length, CONNECTIONS, move |n, request| {
            let item = n % items;
            let body = format!(r#"{{"amount":{}}}"#, amounts.next(item));
            load::post(request, &paths[item], &tokens[n % tokens.len()], &body);
        })
    };
    let pages = || {
        let (tokens, paths) = (stage.tokens.clone(), stage.page_paths.clone());
        Load::new(server.address, server.pid(), length, READERS, move |n, request| {
            load::get(request, &paths[n % paths.len()], &tokens[n % tokens.len()]);
        })
    };
    let first = nothing(CONNECTIONS).run().await?;
    let spread = bids(stage.bid_paths.len()).run().await?;
    let second = nothing(CONNECTIONS).run().await?;
    let hot = bids(1).run().await?;
    let third = nothing(CONNECTIONS).run().await?;
    let page = pages().run().await?;
    let fourth = nothing(CONNECTIONS).run().await?;
    let mean = |one: &Measured, other: &Measured, of: fn(&Measured) -> f64| (of(one) + of(other)) / 2.0;
    Ok([
        spread.accepted() / mean(&first, &second, Measured::accepted),
        hot.decided() / mean(&second, &third, Measured::accepted),
        spread.cpu_each() / mean(&first, &second, Measured::cpu_each),
        page.accepted() / mean(&third, &fourth, Measured::accepted),
    ])
}

#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn print(table: &str) {
    println!("{table}");
}

#[expect(clippy::print_stderr, reason = "who waits for a minute wants to see that it goes on")]
fn progress(what: &str) {
    eprintln!("{what}");
}

//! `farthing bench`: the cost of bids on this machine, relative to requests that do nothing. A server of the same binary
//! runs in its own process, on a new database with durable commits. Requests carry session cookies.
//!
//! The speed of a machine changes from second to second. So there are many short measurements, each between two
//! measurements of the requests that do nothing, and each result is divided by the mean of those two.

mod bidders;
mod books;
mod filling;
mod hostile;
mod listeners;
pub mod load;
mod notifications;
mod pages;
mod pictures;
mod processes;
mod server;
pub mod table;

pub use filling::Filling;
pub use server::{TargetError, run as run_server};

use std::net::SocketAddr;
use std::time::Duration;

use load::{Load, LoadError, Measured};
use platform::net::raise_descriptors;
use platform::time::{Clock, SystemClock};
use server::{NOTHING, Server};
use table::{Page, Row, Unit, table};

const CONNECTIONS: usize = 256;
/// Connections that request pages.
const READERS: usize = 32;

#[derive(clap::Args)]
pub struct Options {
    /// Rounds: each measures everything once; the table shows medians
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Length of one measurement in milliseconds
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    millis: u64,
    /// Process id of the database server, whose processes are then measured too
    #[arg(long)]
    database_pid: Option<u32>,
    /// Measures the pages of large auctions instead of bids
    #[arg(long)]
    pages: bool,
    /// Measures bids while hostile clients attack the server
    #[arg(long, conflicts_with = "pages")]
    hostile: bool,
    /// Measures bids in an auction with a book against bids in one without
    #[arg(long, conflicts_with_all = ["pages", "hostile"])]
    books: bool,
    /// Measures bids that notify another bidder against bids without a notification
    #[arg(long, conflicts_with_all = ["pages", "hostile", "books"])]
    notifications: bool,
    /// Measures bids and memory while large pictures are uploaded
    #[arg(long, conflicts_with_all = ["pages", "hostile", "books", "notifications"])]
    pictures: bool,
    /// Also writes the table to docs/reference
    #[arg(long)]
    write: bool,
}

impl Options {
    fn filling(&self) -> Filling {
        match self {
            Self { pages: true, .. } => Filling::Pages,
            Self { hostile: true, .. } => Filling::Hostile,
            Self { books: true, .. } => Filling::Books,
            Self { notifications: true, .. } => Filling::Notifications,
            Self { pictures: true, .. } => Filling::Pictures,
            _ => Filling::Bids,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("can't start the server to measure: {0}")]
    Start(std::io::Error),
    #[error("the server to measure did not start: {0}")]
    Target(#[from] TargetError),
    #[error("can't measure: {0}")]
    Load(#[from] LoadError),
    #[error("can't write `{path}`: {cause}")]
    Write { path: &'static str, cause: std::io::Error },
    #[error("a limit is missed")]
    Missed,
}

/// Measures, prints the table, and fails if a limit is missed. `database_url` names an empty database; without it, the
/// benchmark creates an SQLite file.
pub async fn bench(options: Options, database_url: Option<String>) -> Result<(), BenchError> {
    // In the working directory, because the system's folder for temporary files may be in memory, where a durable
    // commit costs nothing.
    let folder = tempfile::Builder::new().prefix("farthing-bench-").tempdir_in(".");
    let folder = folder.map_err(BenchError::Start)?;
    let database_url = database_url.unwrap_or_else(|| "sqlite://bench.db".to_owned());
    let filling = options.filling();
    let server = Server::start(folder.path(), filling, &database_url, options.database_pid)?;
    let (page, rows) = match filling {
        Filling::Bids => (table::BIDS, measure_bids(&server, &options).await?),
        Filling::Pages => (table::PAGES, pages::measure(&server, options.rounds).await?),
        Filling::Hostile => (table::HOSTILE, hostile::measure(&server, options.rounds).await?),
        Filling::Books => {
            let length = Duration::from_millis(options.millis);
            (table::BOOKS, books::measure(&server, length, options.rounds).await?)
        }
        Filling::Notifications => {
            let length = Duration::from_millis(options.millis);
            (table::NOTIFICATIONS, notifications::measure(&server, length, options.rounds).await?)
        }
        Filling::Pictures => (table::PICTURES, pictures::measure(&server, options.rounds).await?),
    };
    let text = table(&rows);
    print(&text);
    if options.write {
        write(&page, &text, &database_url, options.rounds)?;
    }
    if rows.iter().all(Row::holds) { Ok(()) } else { Err(BenchError::Missed) }
}

/// Puts the table in the place of the last one for this kind of database.
fn write(page: &Page, table: &str, database_url: &str, rounds: u32) -> Result<(), BenchError> {
    let date: String = SystemClock.now().to_string().chars().take(10).collect();
    let database = if database_url.starts_with("sqlite:") { "SQLite" } else { "PostgreSQL" };
    // The first run has no previous page.
    let old = std::fs::read_to_string(page.path).unwrap_or_default();
    std::fs::write(page.path, page.with(&old, database, table, &date, rounds))
        .map_err(|cause| BenchError::Write { path: page.path, cause })
}

async fn measure_bids(server: &Server, options: &Options) -> Result<Vec<Row>, LoadError> {
    let length = Duration::from_millis(options.millis);
    let mut rows = rows();
    let (ratios, absolute) = rows.split_at_mut(PAIRED);
    progress("listeners");
    for (row, number) in absolute.iter_mut().zip(measure_listeners(server).await?) {
        row.add(number);
    }
    for round in 1..=options.rounds {
        progress(&format!("round {round} of {}", options.rounds));
        for (row, number) in ratios.iter_mut().zip(measure(server, length).await?) {
            row.add(number);
        }
    }
    Ok(rows.into())
}

/// Number of rows that each round measures.
const PAIRED: usize = 10;

/// All rows: the results of [`measure`], then those of [`measure_listeners`].
fn rows() -> [Row; PAIRED + 3] {
    [
        Row::speed("accepted bids ÷ nothing, 256 connections on 50 items", 0.45, 0.60),
        Row::speed("decided bids ÷ nothing, 256 connections on one item", 0.50, 0.70),
        Row::plain("accepted ÷ decided bids, 256 connections on 50 items", Unit::Ratio),
        Row::cost("processor time for one bid ÷ nothing, on 50 items", Unit::Ratio, 2.0, 1.6),
        Row::plain("processor time for one bid ÷ nothing, with the client's", Unit::Ratio),
        Row::speed("item pages ÷ nothing, 32 connections", 0.03, 0.10),
        Row::plain("processor time for nothing behind all layers ÷ nothing", Unit::Ratio),
        Row::plain("processor time for nothing", Unit::Microseconds),
        Row::plain("processor time for one bid", Unit::Microseconds),
        Row::plain("processor time for one item page", Unit::Microseconds),
        Row::cost(
            "time until the last of 5000 listeners has received a bid, p99",
            Unit::Milliseconds,
            300.0,
            150.0,
        ),
        Row::cost("memory, idle", Unit::Megabytes, 40.0, 20.0),
        Row::cost("memory, 5000 listeners", Unit::Megabytes, 200.0, 150.0),
    ]
}

/// Measures delay and memory with many listeners, in absolute units, while the server has just started.
async fn measure_listeners(server: &Server) -> Result<[f64; 3], LoadError> {
    raise_descriptors();
    let megabytes = |bytes: f64| bytes / 1e6;
    let idle = server.processes.memory_bytes()?;
    let listening = listeners::measure(server).await?;
    Ok([listening.delay.as_secs_f64() * 1e3, megabytes(idle), megabytes(listening.memory_bytes)])
}

/// Measures one round. The results are in the order of the rows.
async fn measure(server: &Server, length: Duration) -> Result<[f64; PAIRED], LoadError> {
    let (target, filled) = (&server.target, &server.target.filled);
    let nothing_at = |address: SocketAddr| {
        let tokens = filled.tokens.clone();
        Load::new(address, server.processes, length, CONNECTIONS, move |n, request| {
            load::post(request, NOTHING, &tokens[n % tokens.len()], r#"{"amount":1}"#);
        })
    };
    let nothing = || nothing_at(target.bare_address);
    let bids = |items: usize| {
        let tokens = filled.tokens.clone();
        let paths: Vec<String> = (0..items).map(|item| filled.bid_path(item)).collect();
        let amounts = server.amounts.clone();
        Load::new(target.address, server.processes, length, CONNECTIONS, move |n, request| {
            let item = n % items;
            let body = format!(r#"{{"amount":{}}}"#, amounts.next(item));
            load::post(request, &paths[item], &tokens[n % tokens.len()], &body);
        })
    };
    let pages = || {
        let (tokens, paths) = (filled.tokens.clone(), filled.items.clone());
        Load::new(target.address, server.processes, length, READERS, move |n, request| {
            load::get(request, &paths[n % paths.len()], &tokens[n % tokens.len()]);
        })
    };
    let first = nothing().run().await?;
    let spread = bids(filled.items.len()).run().await?;
    let second = nothing().run().await?;
    let hot = bids(1).run().await?;
    let third = nothing().run().await?;
    let page = pages().run().await?;
    let fourth = nothing().run().await?;
    let through = nothing_at(target.address).run().await?;
    let mean = |one: &Measured, other: &Measured, of: fn(&Measured) -> f64| (of(one) + of(other)) / 2.0;
    let nothing_cost = mean(&first, &second, Measured::cpu_each);
    let nothing_cost_with_client = mean(&first, &second, Measured::cpu_each_with_client);
    let micros = |seconds: f64| seconds * 1e6;
    Ok([
        spread.accepted() / mean(&first, &second, Measured::accepted),
        hot.decided() / mean(&second, &third, Measured::accepted),
        spread.accepted() / spread.decided(),
        spread.cpu_each() / nothing_cost,
        spread.cpu_each_with_client() / nothing_cost_with_client,
        page.accepted() / mean(&third, &fourth, Measured::accepted),
        through.cpu_each() / fourth.cpu_each(),
        micros(nothing_cost),
        micros(spread.cpu_each()),
        micros(page.cpu_each()),
    ])
}

#[expect(clippy::print_stdout, reason = "the table is the output of the command")]
fn print(table: &str) {
    println!("{table}");
}

#[expect(clippy::print_stderr, reason = "the command takes minutes and shows its progress")]
fn progress(what: &str) {
    eprintln!("{what}");
}

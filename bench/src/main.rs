//! `cargo xtask bench`: measures a server on this machine against limits. The server runs in a process of its
//! own, on a new database with durable commits.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints to the terminal")]

mod bidders;
mod bids;
mod books;
mod client;
mod everyone;
mod filling;
mod hall;
mod hostile;
mod instructions;
mod listeners;
mod load;
mod notifications;
mod pages;
mod pictures;
mod processes;
mod reference;
mod runs;
mod serve;
mod servers;
mod subject;
mod table;
mod tables;
mod target;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::runtime;

use load::MeasureError;
use reference::WriteError;
use serve::ChildError;
use subject::BenchSubject;
use table::Figure;
use target::Server;

/// The allocator of the `farthing` binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CONNECTIONS: usize = 256;

/// Measures a server on this machine; fails if a limit is missed.
#[derive(Parser)]
#[command(name = "bench")]
struct Options {
    /// What is measured
    #[arg(value_enum, default_value_t = BenchSubject::Bids)]
    subject: BenchSubject,
    /// Rounds: each measures everything once; the table shows medians
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Length of one measurement in milliseconds
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    millis: u64,
    /// Measures only the attacks of hostile clients whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    attack: String,
    /// URL of an empty database; by default an SQLite file is created
    #[arg(long, env = target::DATABASE_URL, value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,
    /// Process id of the database server, whose processes are then measured too
    #[arg(long)]
    database_pid: Option<u32>,
    /// Also writes the table to docs/reference
    #[arg(long)]
    write: bool,
    /// Runs the server that is measured
    #[arg(long, hide = true)]
    serve: bool,
}

#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("can't start: {0}")]
    Start(#[from] std::io::Error),
    #[error("the server to measure did not start: {0}")]
    Serve(#[from] ChildError),
    #[error("can't measure: {0}")]
    Load(#[from] MeasureError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("a limit is missed")]
    Missed,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), BenchError> {
    let database_url = options.database_url.as_deref().unwrap_or("sqlite://bench.db");
    if options.serve {
        let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
        return Ok(runtime.block_on(serve::run(database_url.to_owned(), options.subject))?);
    }
    // On one thread, because it shares the machine with the server that it measures.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let rows = runtime.block_on(measure(options, database_url))?;
    let table = table::table(&rows);
    println!("{table}");
    if options.write {
        reference::write(options.subject, &table, database_url, options.rounds)?;
    }
    if rows.iter().all(Figure::holds) { Ok(()) } else { Err(BenchError::Missed) }
}

async fn measure(options: &Options, database_url: &str) -> Result<Vec<Figure>, BenchError> {
    // In the working directory, because the system's folder for temporary files may be in memory, where a
    // durable commit costs nothing.
    let folder = tempfile::Builder::new().prefix("farthing-bench-").tempdir_in(".")?;
    let server = Server::start(folder.path(), options.subject, database_url, options.database_pid)?;
    let (length, rounds) = (Duration::from_millis(options.millis), options.rounds);
    Ok(match options.subject {
        BenchSubject::Bids => bids::measure(&server, length, rounds).await?,
        BenchSubject::Instructions => instructions::measure(&server, folder.path(), rounds).await?,
        BenchSubject::Pages => pages::measure(&server, rounds).await?,
        BenchSubject::Hostile => hostile::measure(&server, rounds, &options.attack).await?,
        BenchSubject::Books => books::measure(&server, length, rounds).await?,
        BenchSubject::Notifications => notifications::measure(&server, length, rounds).await?,
        BenchSubject::Servers => {
            let servers = servers::start_others(folder.path(), database_url, server)?;
            servers::measure(&servers, length, rounds).await?
        }
        BenchSubject::Pictures => pictures::measure(&server, rounds).await?,
        BenchSubject::Everyone => everyone::measure(&server, length, rounds).await?,
        BenchSubject::Hall => hall::measure(&server, length, rounds).await?,
        BenchSubject::Runs => runs::measure(&server, length, rounds).await?,
        BenchSubject::Tables => tables::measure(&server, rounds).await?,
    })
}

/// A measurement takes minutes.
fn progress(what: &str) {
    eprintln!("{what}");
}

//! The server that is measured: a child process that fills an empty database, prints its addresses and paths as JSON, and
//! serves until its standard input is closed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use auction_house::accounts::hashing::HashError;
use auction_house::accounts::password::NoPassword;
use axum::Json;
use axum::http::StatusCode;
use axum::routing::post;
use installation::config::Settings;
use platform::db::{Database, DbError, OpenError};
use platform::logging::start_logging;
use platform::net::{self, ConnectionLimits, Threads};
use platform::time::SystemClock;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::BenchError;
use super::filling::{self, Filling};
use super::processes::Processes;
use crate::demo::fixtures::FixtureError;
use crate::http::layers::layered;
use crate::router::routes;
use crate::state::AppState;

/// Path of the route that does nothing.
pub const NOTHING: &str = "/api/nothing";
/// The subcommand that runs the child process.
const SUBCOMMAND: &str = "bench-server";
const DATABASE_URL: &str = "DATABASE_URL";

/// The addresses of the server and what its database contains.
#[derive(Debug, Serialize, Deserialize)]
pub struct Target {
    pub address: SocketAddr,
    /// Serves the same routes without the layers around them.
    pub bare_address: SocketAddr,
    pub filled: Filled,
}

/// What a benchmark's database contains.
#[derive(Debug, Serialize, Deserialize)]
pub struct Filled {
    /// The session of the owner of all auctions.
    pub owner: String,
    /// The sessions of the bidders.
    pub tokens: Arc<[String]>,
    /// Paths of pages of auctions.
    pub auctions: Arc<[String]>,
    /// Paths of pages of items.
    pub items: Arc<[String]>,
}

impl Filled {
    /// The path to which bids on an item are posted.
    pub fn bid_path(&self, item: usize) -> String {
        format!("/api{}/bids", self.items[item])
    }
}

/// Why the child process has nothing to measure.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Fixture(#[from] FixtureError),
    #[error("the password of the bidders is invalid: {0}")]
    Password(#[from] NoPassword),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("the database is not empty: the benchmark needs an empty one")]
    NotEmpty,
}

/// The child process. Dropping it kills the process.
pub struct Server {
    child: Child,
    pub target: Target,
    pub amounts: Amounts,
    pub processes: Processes,
}

/// The amount of the next bid on each item.
#[derive(Clone)]
pub struct Amounts(Arc<[AtomicU64]>);

impl Amounts {
    /// An amount above all previous ones.
    pub fn next(&self, item: usize) -> u64 {
        self.0[item].fetch_add(1, Ordering::Relaxed)
    }
}

impl Server {
    /// Starts the child with its files in `folder`, and waits until it is ready. `database_pid` is the parent process of
    /// the database server.
    pub fn start(
        folder: &Path,
        filling: Filling,
        database_url: &str,
        database_pid: Option<u32>,
    ) -> Result<Self, BenchError> {
        let binary = std::env::current_exe().map_err(BenchError::Start)?;
        let mut child = Command::new(binary)
            .args([SUBCOMMAND, filling.name()])
            .current_dir(folder)
            .env_clear()
            // Not an argument, because every user of the machine can read those.
            .env(DATABASE_URL, database_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(BenchError::Start)?;
        let processes = Processes::new(child.id(), database_pid);
        let target = match read_target(&mut child) {
            Ok(target) => target,
            Err(error) => {
                stop(&mut child);
                return Err(error.into());
            }
        };
        let amounts = Amounts(target.filled.items.iter().map(|_| AtomicU64::new(1)).collect());
        Ok(Self { child, target, amounts, processes })
    }
}

/// The line that the child prints once it is ready.
fn read_target(child: &mut Child) -> Result<Target, TargetError> {
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    Ok(serde_json::from_str(&line)?)
}

fn stop(child: &mut Child) {
    // Both fail only if the child has ended already.
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for Server {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}

/// Runs in the child process. Serves the routes of `serve` and `NOTHING`. On another port the same threads serve the
/// same routes without the layers around them.
pub async fn run(database_url: String, filling: Filling) -> Result<(), TargetError> {
    let rate_limits = filling.rate_limits();
    let settings = Settings { database_url, data_dir: "data".into(), rate_limits, ..Settings::default() };
    let db = Database::open(&settings.database_url).await?;
    start_logging(settings.log_format);
    let state = AppState::new(db, Arc::new(SystemClock), settings)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let bare_listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, bare_address) = (listener.local_addr()?, bare_listener.local_addr()?);
    print(&Target { address, bare_address, filled: filling::fill(&state, filling).await? })?;

    let nothing = post(async |_: axum::body::Bytes| (StatusCode::CREATED, Json("done")));
    let bare = routes(state.clone()).route(NOTHING, nothing).with_state(());
    let site = layered(bare.clone(), &state);
    let limits = ConnectionLimits::with_proxies(state.installation.settings.trusted_proxies.clone());
    let threads = Threads::for_this_machine()?;
    let stopping = state.installation.stopping.clone();
    tokio::spawn(async move {
        futures::join!(
            net::serve(listener, site, limits.clone(), stopping.clone(), &threads),
            net::serve(bare_listener, bare, limits, stopping, &threads),
        )
    });
    // The kernel closes standard input at the latest when the parent ends.
    let closed = tokio::task::spawn_blocking(|| std::io::stdin().lock().read_to_end(&mut Vec::new()));
    closed.await.map_err(std::io::Error::from)??;
    Ok(())
}

fn print(target: &Target) -> Result<(), TargetError> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, target)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

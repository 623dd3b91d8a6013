//! The server that is measured: a child process that fills an empty database, prints its addresses and paths as JSON, and
//! serves until its standard input is closed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use auction_house::access::Role;
use auction_house::accounts::extract::Visitor;
use auction_house::accounts::session;
use auction_house::ids::UserId;
use axum::Json;
use axum::http::StatusCode;
use axum::routing::post;
use installation::config::{Settings, Switch};
use platform::db::{Database, DbError, OpenError};
use platform::fields::Object;
use platform::logging::start_logging;
use platform::net::{self, ClientAddress, ConnectionLimits, Threads};
use platform::random;
use platform::time::SystemClock;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::BenchError;
use super::processes::Processes;
use crate::demo::fixtures::{FixtureError, Fixtures};
use crate::http::layers::layered;
use crate::router::routes;
use crate::state::AppState;

const BIDDERS: usize = 256;
const ITEMS: usize = 50;
/// Path of the route that does nothing.
pub const NOTHING: &str = "/api/nothing";
/// The subcommand that runs the child process.
const SUBCOMMAND: &str = "bench-server";
const DATABASE_URL: &str = "DATABASE_URL";

/// The addresses of the server, the sessions of the bidders, and the items.
#[derive(Debug, Serialize, Deserialize)]
pub struct Target {
    pub address: SocketAddr,
    /// Serves the same routes without the layers around them.
    pub bare_address: SocketAddr,
    pub tokens: Arc<[String]>,
    pub bid_paths: Arc<[String]>,
    pub page_paths: Arc<[String]>,
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
    pub fn start(folder: &Path, database_url: &str, database_pid: Option<u32>) -> Result<Self, BenchError> {
        let binary = std::env::current_exe().map_err(BenchError::Start)?;
        let mut child = Command::new(binary)
            .arg(SUBCOMMAND)
            .current_dir(folder)
            .env_clear()
            // Not an argument, because every user of the machine can read those.
            .env(DATABASE_URL, database_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(BenchError::Start)?;
        let processes = Processes::new(child.id(), database_pid);
        let amounts = Amounts((0..ITEMS).map(|_| AtomicU64::new(1)).collect());
        let target = match read_target(&mut child) {
            Ok(target) => target,
            Err(error) => {
                stop(&mut child);
                return Err(error.into());
            }
        };
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
pub async fn run(database_url: String) -> Result<(), TargetError> {
    let settings =
        Settings { database_url, data_dir: "data".into(), rate_limits: Switch::Off, ..Settings::default() };
    let db = Database::open(&settings.database_url).await?;
    start_logging(settings.log_format);
    let state = AppState::new(db, Arc::new(SystemClock), settings)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let bare_listener = TcpListener::bind("127.0.0.1:0").await?;
    print(&fill(&state, listener.local_addr()?, bare_listener.local_addr()?).await?)?;

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

/// An auction in one currency with a minimum increment, its items, and a session for each bidder.
async fn fill(
    state: &AppState,
    address: SocketAddr,
    bare_address: SocketAddr,
) -> Result<Target, TargetError> {
    let fixtures = Fixtures::new(state.context.clone());
    // The benchmark does not delete its data afterwards.
    if !fixtures.database_is_empty().await? {
        return Err(TargetError::NotEmpty);
    }
    // Not a hash, so that no password matches.
    let password_hash = random::new_token().map_err(DbError::from)?;
    let owner = fixtures.add_users([("Owner", "owner@example.org")], &password_hash).await?[0];
    let auction = fixtures.add_auction(owner, json(r#"{"name": "Bench", "joinMode": "FREE"}"#)?).await?;
    let currency = r#"{"code": "PTS", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR"}"#;
    fixtures.add_currency(auction, owner, json(currency)?).await?;
    let rule = r#"{"type": "MIN_INCREMENT", "params": {"amount": 1}}"#;
    fixtures.add_rule(auction, owner, json(rule)?).await?;
    let mut items = Vec::with_capacity(ITEMS);
    for n in 1..=ITEMS {
        let body = json(&format!(r#"{{"name": "Item {n}", "isPublished": true}}"#))?;
        let item = fixtures.add_item(auction, owner, body).await?;
        items.push(format!("/auctions/{auction}/items/{item}"));
    }
    let people: Vec<_> =
        (1..=BIDDERS).map(|n| (format!("Bidder {n}"), format!("bidder{n}@example.org"))).collect();
    let people = people.iter().map(|(name, email)| (name.as_str(), email.as_str()));
    let bidders = fixtures.add_users(people, &password_hash).await?;
    fixtures.add_members(auction, bidders.iter().map(|bidder| (*bidder, Role::Bidder))).await?;
    let tokens = start_sessions(state, &bidders).await?;
    let bid_paths = items.iter().map(|path| format!("/api{path}/bids")).collect();
    Ok(Target { address, bare_address, tokens: tokens.into(), bid_paths, page_paths: items.into() })
}

/// Signs the users in. Returns the session tokens.
async fn start_sessions(state: &AppState, users: &[UserId]) -> Result<Vec<String>, DbError> {
    let now = state.context.clock.now();
    let mut tokens = Vec::with_capacity(users.len());
    let address = ClientAddress::of(Ipv4Addr::LOCALHOST.into());
    let visitor = Visitor { address, session: None, user_agent: None };
    let mut db = state.context.db.write().await?;
    for user in users {
        let token = session::begin(&mut db, *user, &visitor, now).await?;
        tokens.push(token.as_str().to_owned());
    }
    db.commit().await?;
    Ok(tokens)
}

fn json(text: &str) -> Result<Object, serde_json::Error> {
    serde_json::from_str(text)
}

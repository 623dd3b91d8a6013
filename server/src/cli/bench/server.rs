//! The server that is measured: a child process that fills a new database, says where what is, and serves until
//! its standard input ends.

use auction_house::locks::LockingWrites;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::http::StatusCode;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::BenchError;
use super::processes::Processes;
use crate::http::layers::layered;
use crate::router::routes;
use crate::state::AppState;
use auction_house::access::{self, Role};
use auction_house::accounts::{self, User, session};
use auction_house::auctions::create::create_auction;
use auction_house::currencies::create::{CreateCurrencyRefusal, create_currency};
use auction_house::ids::{AuctionId, UserId};
use auction_house::items::create::{CreateItemRefusal, create_item};
use auction_house::rules::create::{CreateRuleRefusal, create_rule};
use installation::config::{Settings, Switch};
use platform::db::{Database, DbError, OpenError};
use platform::fields::Object;
use platform::logging::start_logging;
use platform::net::{self, ConnectionLimits, Threads};
use platform::random;
use platform::time::SystemClock;
use platform::verb::VerbError;
use std::convert::Infallible;

const BIDDERS: usize = 256;
const ITEMS: usize = 50;
/// What does nothing.
pub const NOTHING: &str = "/api/nothing";
/// What the child is started with.
const SUBCOMMAND: &str = "bench-server";
const DATABASE_URL: &str = "DATABASE_URL";

/// What there is to bid on, and with which sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stage {
    pub address: SocketAddr,
    /// Where no layer stands before the routes.
    pub bare_address: SocketAddr,
    pub tokens: Arc<[String]>,
    pub bid_paths: Arc<[String]>,
    pub page_paths: Arc<[String]>,
}

/// Why there is nothing to measure.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("the database holds something already: give it an empty one")]
    NotEmpty,
    #[error("an e-mail that is none")]
    Email,
    #[error("auction: {0}")]
    Auction(#[from] VerbError<Infallible>),
    #[error("currency: {0}")]
    Currency(#[from] VerbError<CreateCurrencyRefusal>),
    #[error("rule: {0}")]
    Rule(#[from] VerbError<CreateRuleRefusal>),
    #[error("item: {0}")]
    Item(#[from] VerbError<CreateItemRefusal>),
}

/// The child process. Dropped, it is killed.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    pub stage: Stage,
    pub amounts: Amounts,
    pub processes: Processes,
}

/// For each item the amount of the next bid.
#[derive(Clone)]
pub struct Amounts(Arc<[AtomicU64]>);

impl Amounts {
    /// Higher than all before.
    pub fn next(&self, item: usize) -> u64 {
        self.0[item].fetch_add(1, Ordering::Relaxed)
    }
}

impl Server {
    /// Starts it with its files in `folder`, and waits until it is ready. The process `database_pid` has started
    /// those of the database.
    pub fn start(folder: &Path, database_url: &str, database_pid: Option<u32>) -> Result<Self, BenchError> {
        let binary = std::env::current_exe().map_err(BenchError::Start)?;
        let child = Command::new(binary)
            .arg(SUBCOMMAND)
            .current_dir(folder)
            .env_clear()
            // No argument, since everyone on the machine can read those.
            .env(DATABASE_URL, database_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(BenchError::Start)?;
        let amounts = Amounts((0..ITEMS).map(|_| AtomicU64::new(1)).collect());
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let processes = Processes::new(child.id(), database_pid);
        let nothing = Stage {
            address,
            bare_address: address,
            tokens: [].into(),
            bid_paths: [].into(),
            page_paths: [].into(),
        };
        let mut server = Self { child, address, stage: nothing, amounts, processes };
        let mut said = String::new();
        if let Some(out) = server.child.stdout.take() {
            BufReader::new(out).read_line(&mut said).map_err(BenchError::Start)?;
        }
        server.stage = serde_json::from_str(&said).map_err(StageError::from)?;
        server.address = server.stage.address;
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The child's side: serves what `serve` does, and in it [`NOTHING`]. On another port the same threads serve the same
/// routes behind none of the layers.
pub async fn run(database_url: String) -> Result<(), StageError> {
    let settings =
        Settings { database_url, data_dir: "data".into(), rate_limits: Switch::Off, ..Settings::default() };
    let db = Database::open(&settings.database_url).await?;
    start_logging(settings.log_format);
    let state = AppState::new(db, Arc::new(SystemClock), settings)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let bare_listener = TcpListener::bind("127.0.0.1:0").await?;
    let stage = set(&state, listener.local_addr()?, bare_listener.local_addr()?).await?;
    tell(&stage)?;

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
    // Ends with the parent at the latest.
    let parent = tokio::task::spawn_blocking(|| std::io::stdin().lock().read_to_end(&mut Vec::new()));
    parent.await.map_err(std::io::Error::from)??;
    Ok(())
}

fn tell(stage: &Stage) -> Result<(), StageError> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, stage)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// An auction in one currency with a least increment, its items, and everyone who bids on them.
async fn set(state: &AppState, address: SocketAddr, bare_address: SocketAddr) -> Result<Stage, StageError> {
    // What is measured stays in the database: that must be nobody's.
    if accounts::store::any_user(&mut state.context.db.read().await?).await? {
        return Err(StageError::NotEmpty);
    }
    let (owner, _) = add_user(state, 0).await?;
    let auction = r#"{"name": "Bench", "joinMode": "FREE"}"#;
    let auction = create_auction(&state.context, owner, serde_json::from_str::<Object>(auction)?)
        .await?
        .resource
        .auction
        .id;
    let currency = r#"{"code": "PTS", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR"}"#;
    create_currency(&state.context, auction, owner, serde_json::from_str::<Object>(currency)?).await?;
    let rule = r#"{"type": "MIN_INCREMENT", "params": {"amount": 1}}"#;
    create_rule(&state.context, auction, owner, serde_json::from_str::<Object>(rule)?).await?;
    let mut items = Vec::with_capacity(ITEMS);
    for n in 1..=ITEMS {
        let item = format!(r#"{{"name": "Item {n}", "isPublished": true}}"#);
        let seen =
            create_item(&state.context, auction, owner, serde_json::from_str::<Object>(&item)?).await?;
        items.push(format!("/auctions/{auction}/items/{}", seen.resource.item.id));
    }
    let mut tokens = Vec::with_capacity(BIDDERS);
    for n in 1..=BIDDERS {
        let (bidder, token) = add_user(state, n).await?;
        join(state, auction, bidder).await?;
        tokens.push(token);
    }
    let bid_paths = items.iter().map(|path| format!("/api{path}/bids")).collect();
    Ok(Stage { address, bare_address, tokens: tokens.into(), bid_paths, page_paths: items.into() })
}

/// Somebody with a session, and a password that nothing fits.
async fn add_user(state: &AppState, n: usize) -> Result<(UserId, String), StageError> {
    let now = state.context.clock.now();
    let email = format!("bidder{n}@example.org");
    let id = UserId::new(now).map_err(DbError::from)?;
    let user = User { id, email, name: format!("Bidder {n}"), locale: None, created_at: now };
    let email = user.email.parse().map_err(|_| StageError::Email)?;
    let hash = random::new_token().map_err(DbError::from)?;
    let mut db = state.context.db.write().await?;
    accounts::store::insert_user(&mut db, &user, &email, &hash).await?;
    let token = session::begin(&mut db, id, None, now).await?;
    db.commit().await?;
    Ok((id, token.as_str().to_owned()))
}

async fn join(state: &AppState, auction: AuctionId, bidder: UserId) -> Result<(), StageError> {
    let mut db = state.context.db.write_in(&[auction]).await?;
    access::store::insert(&mut db, auction, bidder, Role::Bidder, state.context.clock.now()).await?;
    Ok(db.commit().await?)
}

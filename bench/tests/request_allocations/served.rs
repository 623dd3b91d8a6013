//! The server that is measured, in this process, with one connection thread.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use accounts::session::{self, Visitor};
use auction_house::access::Role;
use auction_house::bids::batch::needs::Needs;
use auction_house::bids::batch::state::BatchState;
use auction_house::bids::place::BidError;
use auction_house::bids::queue::BidQueue;
use auction_house::bids::request::QueuedRequest;
use auction_house::ids::AuctionId;
use axum::Json;
use axum::http::StatusCode;
use axum::routing::post;
use installation::config::{Settings, Switch};
use parking_lot::Mutex;
use platform::db::Database;
use platform::http::body::JsonBody;
use platform::net::{self, ClientAddress, ConnectionLimits, Routes, Threads};
use platform::time::{Moment, SystemClock};
use server::demo::fixtures::Fixtures;
use server::http::layers::layered;
use server::router::routes;
use server::state::AppState;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Path of the route that does nothing.
pub const NOTHING: &str = "/api/nothing";
/// Each bids on an item of its own.
const BIDDERS: usize = 64;

/// The addresses of the server and what its database contains.
pub struct Served {
    pub address: SocketAddr,
    /// Serves the same routes without the layers around them.
    pub bare_address: SocketAddr,
    /// The sessions of the bidders.
    pub tokens: Vec<String>,
    /// Paths of the pages of items.
    pub items: Vec<String>,
    auction: AuctionId,
    queue: BidQueue,
    _threads: Arc<Threads>,
    _folder: TempDir,
}

impl Served {
    /// The path to which the nth bidder posts bids.
    pub fn bid_path(&self, bidder: usize) -> String {
        format!("/api{}/bids", self.items[bidder])
    }

    /// Holds up the queue, so that the bids that arrive meanwhile are one batch.
    pub fn hold_up(&self) -> HeldUp {
        let (released, waits) = channel();
        let holds_up = HoldsUp { auction: self.auction, waits: Mutex::new(waits) };
        self.queue.push(holds_up).expect("room in the queue");
        HeldUp(released)
    }
}

/// The queue, which waits for the test.
pub struct HeldUp(Sender<()>);

impl HeldUp {
    pub fn judge(self) {
        self.0.send(()).expect("a queue that waits");
    }
}

/// A request that is judged when the test says so.
struct HoldsUp {
    auction: AuctionId,
    waits: Mutex<Receiver<()>>,
}

impl QueuedRequest for HoldsUp {
    type Accepted = ();
    type Error = BidError;

    fn needs(&self) -> Needs {
        Needs::of(self.auction)
    }

    fn judge(&self, _batch: &mut BatchState, _now: Moment) -> Result<(), BidError> {
        self.waits.lock().recv().expect("a test that goes on");
        Ok(())
    }
}

/// Serves the routes of `farthing serve` and [`NOTHING`] on a new database.
pub async fn serve() -> Result<Served, Box<dyn Error>> {
    let folder = TempDir::new()?;
    let database_url = format!("sqlite://{}", folder.path().join("farthing.db").display());
    let data_dir = folder.path().to_owned();
    let settings = Settings { database_url, data_dir, rate_limits: Switch::Off, ..Settings::default() };
    let db = Database::open(&settings.database_url).await?;
    let state = AppState::new(db, Arc::new(SystemClock), settings)?;
    let (auction, items, tokens) = fill(&state).await?;
    let nothing = post(async |_: JsonBody| (StatusCode::CREATED, Json("done")));
    let bare = routes(state.clone()).route(NOTHING, nothing).with_state(());
    let site = layered(bare.clone(), &state);
    let threads = Arc::new(Threads::start(1)?);
    let address = listen(&state, site, &threads).await?;
    let bare_address = listen(&state, bare, &threads).await?;
    tokio::spawn(state.accounts.follow_changes(state.installation.stopping.clone()));
    Ok(Served {
        address,
        bare_address,
        tokens,
        items,
        auction,
        queue: state.bids.clone(),
        _threads: threads,
        _folder: folder,
    })
}

async fn listen(
    state: &AppState,
    routes: impl Routes,
    threads: &Arc<Threads>,
) -> Result<SocketAddr, std::io::Error> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let limits = ConnectionLimits::with_proxies(state.installation.settings.trusted_proxies.clone());
    let (threads, stopping) = (Arc::clone(threads), state.installation.stopping.clone());
    tokio::spawn(async move { net::serve(listener, routes, limits, stopping, &threads).await });
    Ok(address)
}

/// An auction in one currency with a minimum increment, the pages of its items, and a session for each
/// bidder.
async fn fill(state: &AppState) -> Result<(AuctionId, Vec<String>, Vec<String>), Box<dyn Error>> {
    let fixtures = Fixtures::new(state.context.clone());
    // Not a hash, so that no password matches.
    let owner = fixtures.add_users([("Owner", "owner@example.org")], "none").await?[0];
    let people =
        Vec::from_iter((1..=BIDDERS).map(|n| (format!("Bidder {n}"), format!("bidder{n}@example.org"))));
    let people = people.iter().map(|(name, email)| (name.as_str(), email.as_str()));
    let bidders = fixtures.add_users(people, "none").await?;
    let auction = serde_json::from_str(r#"{"name": "Counted", "joinMode": "FREE"}"#)?;
    let auction = fixtures.add_auction(owner, auction).await?;
    let currency = r#"{"code": "PTS", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR"}"#;
    fixtures.add_currency(auction, owner, serde_json::from_str(currency)?).await?;
    let rule = r#"{"type": "MIN_INCREMENT", "params": {"amount": 1}}"#;
    fixtures.add_rule(auction, owner, serde_json::from_str(rule)?).await?;
    fixtures.add_members(auction, bidders.iter().map(|bidder| (*bidder, Role::Bidder))).await?;
    let (mut items, mut tokens) = (Vec::new(), Vec::new());
    for n in 1..=BIDDERS {
        let body = format!(r#"{{"name": "Item {n}", "isPublished": true}}"#);
        let item = fixtures.add_item(auction, owner, serde_json::from_str(&body)?).await?;
        items.push(format!("/auctions/{auction}/items/{item}"));
    }
    let now = state.context.clock.now();
    let address = ClientAddress::of(Ipv4Addr::LOCALHOST.into());
    let visitor = Visitor { address, session: None, user_agent: None, device: None };
    let mut db = state.context.db.write().await?;
    for bidder in bidders {
        tokens.push(session::begin(&mut db, bidder, &visitor, now).await?.as_str().to_owned());
    }
    db.commit().await?;
    Ok((auction, items, tokens))
}

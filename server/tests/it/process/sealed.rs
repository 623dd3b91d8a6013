//! `kill -9` while sealed bids or tickets come and their item is closed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::Process;
use super::crash::{ANSWERED, Sale, get, open_sale_with, post};
use crate::harness::{database, times};

/// Bids of each bidder, which replace one another.
const BIDS: u64 = 30;
const STARTING: u64 = 10_000;
/// Price of a ticket.
const TICKET: u64 = 10;

/// A sealed bid that was answered with 201 stands after `kill -9`, unless its bidder has sent another one; an
/// item is closed with the outcomes and the charges of all its copies, or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sealed_bids_and_what_they_pay_survive_kill_9() {
    for round in 0..times(4, 12) {
        let folder = tempfile::tempdir().unwrap();
        let url = database::fresh(folder.path()).await;
        survives(&url, Duration::from_millis(3 * round)).await;
    }
}

async fn survives(database_url: &str, kill_after: Duration) {
    let terms = json!({"format": "SEALED", "copies": 2, "price": "NEXT"});
    let body = |at, bid| json!({"amount": amount(at, bid)});
    let Killed { server, sale, last, is_answered, .. } =
        Killed::at(database_url, terms, body, kill_after).await;
    let seen = get(&sale.owner, item(&server.url, &sale)).await;
    let is_closed = seen["status"] == "CLOSED";
    assert!(is_closed || !is_answered, "an answered request has closed the item");
    let mut standing = HashMap::new();
    for (at, bidder) in sale.bidders.iter().enumerate() {
        let user = get(bidder, format!("{}/api/user", server.url)).await["user"]["id"].clone();
        let listed = get(bidder, format!("{}/bids", item(&server.url, &sale))).await;
        let bids = listed["bids"].as_array().expect("a list");
        let own = bids.iter().find(|bid| bid["bidder"]["id"] == user);
        let own = own.map(|bid| bid["amount"].as_u64().expect("an amount"));
        let at_least = last[&at].map(|bid| amount(at, bid));
        assert!(own >= at_least, "{own:?} stands, and {at_least:?} was answered");
        assert_eq!(bids.len(), if is_closed { bids.len() } else { usize::from(own.is_some()) });
        standing.insert(user.to_string(), own);
    }
    check_charges(&server.url, &sale, &seen, &standing).await;
}

/// Tickets that were answered with 201 are in the hat after `kill -9`; a draw has the outcomes of all its
/// copies and charges everyone, or is not done at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tickets_and_their_draw_survive_kill_9() {
    for round in 0..times(4, 12) {
        let folder = tempfile::tempdir().unwrap();
        let url = database::fresh(folder.path()).await;
        draw_survives(&url, Duration::from_millis(3 * round)).await;
    }
}

async fn draw_survives(database_url: &str, kill_after: Duration) {
    let terms = json!({"format": "DRAW", "copies": 2, "ticket": {"amount": TICKET}});
    let body = |_, _| json!({"tickets": 1});
    let Killed { server, sale, last, is_answered, .. } =
        Killed::at(database_url, terms, body, kill_after).await;
    let seen = get(&sale.owner, item(&server.url, &sale)).await;
    let is_closed = seen["status"] == "CLOSED";
    assert!(is_closed || !is_answered, "an answered request has closed the item");
    assert_eq!(seen["outcomes"].as_array().expect("a list").len(), if is_closed { 2 } else { 0 });
    let mut tickets = 0;
    for (at, bidder) in sale.bidders.iter().enumerate() {
        let funds = get(bidder, format!("{}/api/auctions/{}/balance", server.url, sale.auction)).await;
        let points = |name: &str| -> u64 { funds[name].as_str().expect("points").parse().expect("whole") };
        let (committed, charged) = (points("committed"), STARTING - points("balance"));
        assert_eq!(if is_closed { committed } else { charged }, 0, "{funds}");
        let own = (committed + charged) / TICKET;
        let answered = last[&at].map_or(0, |bid| bid + 1);
        assert!(own >= answered, "{own} are in the hat, and {answered} were answered");
        tickets += own;
    }
    assert_eq!(seen["ticketCount"], json!(tickets));
}

/// A server that was killed while bids came and their item was closed, and runs again.
struct Killed {
    server: Process,
    sale: Arc<Sale>,
    /// The last bid of each bidder that was answered with 201.
    last: HashMap<usize, Option<u64>>,
    /// The request that closes the item was answered with 200.
    is_answered: bool,
    _folder: tempfile::TempDir,
}

impl Killed {
    /// `body` is a bid: the bidder and the number of the bid.
    async fn at(
        database_url: &str,
        terms: Value,
        body: impl Fn(usize, u64) -> Value + Copy + Send + 'static,
        kill_after: Duration,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Process::start(database_url, folder.path()).await;
        let sale = open_sale_with(&server.url, async |owner| open(&server.url, owner, terms).await).await;
        let sale = Arc::new(sale);
        let (answered, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let mut bidding = JoinSet::new();
        for (at, bidder) in sale.bidders.iter().cloned().enumerate() {
            let url = format!("{}/bids", item(&server.url, &sale));
            let (answered, enough) = (Arc::clone(&answered), Arc::clone(&enough));
            bidding.spawn(async move {
                let mut last = None;
                for bid in 0..BIDS {
                    let Ok(answer) = bidder.post(&url).json(&body(at, bid)).send().await else { break };
                    if answer.status() != 201 {
                        break;
                    }
                    last = Some(bid);
                    if answered.fetch_add(1, Ordering::Relaxed) == ANSWERED {
                        enough.notify_one();
                    }
                }
                // Also if the server refuses bids: then the checks say why.
                enough.notify_one();
                (at, last)
            });
        }
        enough.notified().await;
        let (owner, close) = (sale.owner.clone(), format!("{}/close", item(&server.url, &sale)));
        let closing = tokio::spawn(async move { owner.post(close).send().await });
        // The rounds hit the time before, during and after the close.
        tokio::time::sleep(kill_after).await;
        server.kill();
        let is_answered = closing.await.unwrap().is_ok_and(|answer| answer.status() == 200);
        let last = bidding.join_all().await.into_iter().collect();
        let server = Process::start(database_url, folder.path()).await;
        Self { server, sale, last, is_answered, _folder: folder }
    }
}

/// Winners have paid their prices, and nobody anything else.
async fn check_charges(url: &str, sale: &Sale, seen: &Value, standing: &HashMap<String, Option<u64>>) {
    let outcomes = seen["outcomes"].as_array().expect("a list");
    assert_eq!(outcomes.len(), if seen["status"] == "CLOSED" { 2 } else { 0 });
    let mut best: Vec<u64> = standing.values().copied().flatten().collect();
    best.sort_unstable_by_key(|amount| std::cmp::Reverse(*amount));
    let mut paid = HashMap::new();
    for outcome in outcomes {
        let price: u64 =
            outcome["bid"]["normalizedAmount"].as_str().expect("a price").parse().expect("whole");
        assert_eq!(Some(&price), best.get(2), "the best losing bid");
        paid.insert(outcome["winner"]["id"].to_string(), price);
    }
    for bidder in &sale.bidders {
        let user = get(bidder, format!("{url}/api/user")).await["user"]["id"].to_string();
        let funds = get(bidder, format!("{url}/api/auctions/{}/balance", sale.auction)).await;
        let balance = STARTING - paid.get(&user).copied().unwrap_or_default();
        assert_eq!(funds["balance"], balance.to_string());
        let committed = standing[&user].filter(|_| outcomes.is_empty()).unwrap_or_default();
        assert_eq!(funds["committed"], committed.to_string());
    }
}

fn item(url: &str, sale: &Sale) -> String {
    format!("{url}/api/auctions/{}/items/{}", sale.auction, sale.items[0])
}

/// The amounts of a bidder rise, and no two bidders have the same.
fn amount(bidder: usize, bid: u64) -> u64 {
    100 * (bid + 1) + u64::try_from(bidder).expect("a small number")
}

/// An auction with a book, and the terms of its item, of which a ticket gets the currency.
async fn open(url: &str, owner: &Client, mut terms: Value) -> (String, Value) {
    let body =
        json!({"name": "Points", "baseUnit": {"name": "Point"}, "startingBalance": STARTING.to_string()});
    let book = post(owner, format!("{url}/api/books"), body).await;
    let body = json!({"name": "Crash", "joinMode": "FREE", "bookId": book["id"]});
    let auction = post(owner, format!("{url}/api/auctions"), body).await;
    let auction = auction["id"].as_str().expect("an id").to_owned();
    let points = json!({"code": "PTS", "name": "Point", "rateToBase": "1", "inputMode": "SCALAR"});
    let currency = post(owner, format!("{url}/api/auctions/{auction}/currencies"), points).await;
    if let Some(ticket) = terms.get_mut("ticket") {
        ticket["currencyProfileId"] = currency["id"].clone();
    }
    (auction, terms)
}

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use platform::time::{Clock, SystemClock};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::Process;
use crate::harness::{database, http, times};

const BIDDERS: usize = 8;
const ITEMS: usize = 3;
/// Number of accepted bids before a round kills its server.
const ANSWERED_PER_ROUND: usize = 120;
/// Number of accepted bids before the auction is closed or its items end, while others are in flight.
pub const ANSWERED: usize = 40;
/// How long the outcomes of ended items may take after a restart.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(20);

/// An accepted bid, as its answer described it.
#[derive(Debug)]
pub struct AcceptedBid {
    item: usize,
    sequence: u64,
    id: String,
    normalized: String,
}

impl AcceptedBid {
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn sequence(&self) -> u64 {
        self.sequence
    }
}

/// The answer to a bid.
#[derive(Debug)]
pub enum Answer {
    Accepted(AcceptedBid),
    /// A higher bid came first.
    TooLow,
    /// Writes are paused.
    Later,
    Closed,
}

pub struct Sale {
    pub owner: Client,
    pub auction: String,
    pub items: Vec<String>,
    pub bidders: Vec<Client>,
}

/// A bid that was answered with 201 is stored after `kill -9`, and the ledger is complete.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_accepted_bid_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    outlives_kill_9(&database::fresh(folder.path()).await).await;
}

async fn outlives_kill_9(database_url: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(database_url, folder.path()).await;
    let sale = Arc::new(open_sale(&server.url).await);
    let next = Arc::new(AtomicU64::new(1));
    let mut told = Vec::new();
    for _ in 0..times(3, 10) {
        let (before, enough) = (told.len(), Arc::default());
        let bidding = start_bidding(&server.url, &sale, &next, ANSWERED_PER_ROUND, &enough);
        enough.notified().await;
        server.kill();
        told.extend(bidding.join_all().await.into_iter().flatten());
        assert!(told.len() >= before + ANSWERED_PER_ROUND);
        server = Process::start(database_url, folder.path()).await;
        check(&server.url, &sale, &told).await;
    }
}

pub async fn post(client: &Client, url: String, body: Value) -> Value {
    let response = client.post(url).json(&body).send().await.expect("an answer");
    let status = response.status();
    let text = response.text().await.expect("a body");
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

pub async fn register(url: &str, name: &str) -> Client {
    let client = http().cookie_store(true).build().expect("a client");
    let email = format!("{name}@example.org");
    let body = json!({"email": email, "password": "correct horse", "name": name});
    post(&client, format!("{url}/api/auth/register"), body).await;
    client
}

pub async fn open_sale(url: &str) -> Sale {
    open_sale_with(url, async |owner| {
        let body = json!({"name": "Crash", "joinMode": "FREE"});
        let auction = post(owner, format!("{url}/api/auctions"), body).await;
        (auction["id"].as_str().expect("an id").to_owned(), json!({"currencyCode": "EUR"}))
    })
    .await
}

/// A sale in the auction that `open` creates. It returns the fields of each item, too.
pub async fn open_sale_with(url: &str, open: impl AsyncFnOnce(&Client) -> (String, Value)) -> Sale {
    let owner = register(url, "owner").await;
    let (auction, item) = open(&owner).await;
    let mut items = Vec::new();
    for _ in 0..ITEMS {
        items.push(add_item_with(url, &owner, &auction, item.clone()).await);
    }
    let mut bidders = Vec::new();
    for n in 0..BIDDERS {
        let bidder = register(url, &format!("bidder{n}")).await;
        post(&bidder, format!("{url}/api/auctions/{auction}/join"), json!({})).await;
        bidders.push(bidder);
    }
    Sale { owner, auction, items, bidders }
}

/// Adds an item to the auction and returns its id.
pub async fn add_item(url: &str, owner: &Client, auction: &str) -> String {
    add_item_with(url, owner, auction, json!({"currencyCode": "EUR"})).await
}

async fn add_item_with(url: &str, owner: &Client, auction: &str, mut body: Value) -> String {
    body["name"] = json!("Item");
    body["isPublished"] = json!(true);
    let item = post(owner, format!("{url}/api/auctions/{auction}/items"), body).await;
    item["id"].as_str().expect("an id").to_owned()
}

/// Every bidder bids on every item until the server is gone or the auction is closed, and returns the
/// accepted bids. Notifies `enough` when there are `count` in total.
pub fn start_bidding(
    url: &str,
    sale: &Arc<Sale>,
    next: &Arc<AtomicU64>,
    count: usize,
    enough: &Arc<Notify>,
) -> JoinSet<Vec<AcceptedBid>> {
    let answered = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for bidder in 0..BIDDERS {
        let (sale, next, url) = (sale.clone(), next.clone(), url.to_owned());
        let (answered, enough) = (answered.clone(), enough.clone());
        tasks.spawn(async move {
            let mut told = Vec::new();
            loop {
                let amount = next.fetch_add(1, Ordering::SeqCst);
                let item = usize::try_from(amount).expect("small") % ITEMS;
                match bid(&sale, &url, bidder, item, amount).await {
                    Ok(Answer::Accepted(bid)) => told.push(bid),
                    Ok(Answer::TooLow) => continue,
                    Ok(Answer::Later) => {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                    Ok(Answer::Closed) | Err(_) => return told,
                }
                if answered.fetch_add(1, Ordering::SeqCst) + 1 == count {
                    enough.notify_one();
                }
            }
        });
    }
    tasks
}

/// Places one bid. Fails once the server is gone.
pub async fn bid(
    sale: &Sale,
    url: &str,
    bidder: usize,
    item: usize,
    amount: u64,
) -> Result<Answer, reqwest::Error> {
    let url = format!("{url}/api/auctions/{}/items/{}/bids", sale.auction, sale.items[item]);
    let response = sale.bidders[bidder].post(url).json(&json!({"amount": amount})).send().await?;
    let status = response.status().as_u16();
    let body: Value = response.json().await?;
    match status {
        201 => Ok(Answer::Accepted(AcceptedBid {
            item,
            sequence: body["sequence"].as_u64().expect("a sequence"),
            id: body["id"].as_str().expect("an id").to_owned(),
            normalized: body["normalizedAmount"].as_str().expect("an amount").to_owned(),
        })),
        409 => Ok(Answer::Closed),
        422 => Ok(Answer::TooLow),
        503 => Ok(Answer::Later),
        other => panic!("{other}: {body}"),
    }
}

pub async fn get(client: &Client, url: String) -> Value {
    client.get(url).send().await.expect("an answer").json().await.expect("JSON")
}

/// Checks the ledger of each item: it has all accepted bids, no gap and rising amounts of standing bids, and
/// agrees with the item.
pub async fn check(url: &str, sale: &Sale, told: &[AcceptedBid]) {
    for (at, item) in sale.items.iter().enumerate() {
        let item_url = format!("{url}/api/auctions/{}/items/{item}", sale.auction);
        let ledger = ledger(&sale.bidders[0], &item_url).await;
        for (place, bid) in ledger.iter().enumerate() {
            assert_eq!(
                bid["sequence"].as_u64(),
                u64::try_from(place + 1).ok(),
                "the sequence of item {at} has a gap"
            );
        }
        let standing: Vec<&Value> = ledger.iter().filter(|bid| bid["withdrawn"].is_null()).collect();
        let amounts: Vec<u64> = standing.iter().map(|bid| whole(&bid["normalizedAmount"])).collect();
        assert!(amounts.is_sorted_by(|lower, higher| lower < higher), "{amounts:?}");

        let by_sequence: HashMap<u64, &Value> =
            ledger.iter().filter_map(|bid| Some((bid["sequence"].as_u64()?, bid))).collect();
        for bid in told.iter().filter(|bid| bid.item == at) {
            let kept = by_sequence.get(&bid.sequence).unwrap_or_else(|| panic!("lost: {bid:?}"));
            assert_eq!(kept["id"], bid.id.as_str(), "{bid:?}");
            assert_eq!(kept["normalizedAmount"], bid.normalized.as_str(), "{bid:?}");
        }

        let item = get(&sale.bidders[0], item_url).await;
        assert_eq!(item["bidCount"].as_u64(), u64::try_from(standing.len()).ok());
        let highest = standing.last().map_or(&Value::Null, |bid| &bid["normalizedAmount"]);
        assert_eq!(&item["highestBid"]["normalizedAmount"], highest);
    }
}

fn whole(amount: &Value) -> u64 {
    amount.as_str().and_then(|text| text.parse().ok()).expect("a whole amount")
}

/// All bids of an item from all pages, oldest first.
pub async fn ledger(client: &Client, item_url: &str) -> Vec<Value> {
    let mut bids = Vec::new();
    let mut page = format!("{item_url}/bids?limit=100");
    loop {
        let answer = get(client, page).await;
        bids.extend(answer["bids"].as_array().expect("a list").iter().cloned());
        match answer["nextBefore"].as_u64() {
            Some(before) => page = format!("{item_url}/bids?limit=100&before={before}"),
            None => break,
        }
    }
    bids.reverse();
    bids
}

/// All outcomes of the auction.
pub async fn outcomes(url: &str, sale: &Sale) -> Vec<Value> {
    let listed = get(&sale.owner, format!("{url}/api/auctions/{}/outcomes?limit=100", sale.auction)).await;
    assert_eq!(listed["nextCursor"], Value::Null);
    listed["outcomes"].as_array().expect("a list").clone()
}

/// Everybody bids on the sale that `open` makes until its items end; `kill_after` their end the server is
/// killed and another one started. Checks that it has kept every answered bid, and returns it once it has
/// written the outcome of each item.
pub async fn kill_at_the_end<T>(
    database_url: &str,
    folder: &Path,
    kill_after: Duration,
    open: impl AsyncFnOnce(&str) -> (Sale, T),
) -> (Process, Arc<Sale>, T) {
    let mut server = Process::start(database_url, folder).await;
    let (sale, more) = open(&server.url).await;
    let sale = Arc::new(sale);
    let enough = Arc::default();
    let bidding = start_bidding(&server.url, &sale, &Arc::new(AtomicU64::new(1)), ANSWERED, &enough);
    enough.notified().await;
    let end = SystemClock.now().plus_seconds(2);
    for item in &sale.items {
        let url = format!("{}/api/auctions/{}/items/{item}", server.url, sale.auction);
        let patch = sale.owner.patch(url).json(&json!({"endDate": end.to_string()})).send().await.unwrap();
        assert_eq!(patch.status(), 200);
    }
    let left = u64::try_from(end.millis() - SystemClock.now().millis()).unwrap_or(0);
    // The rounds hit the time at the end, while the items close, and after that.
    tokio::time::sleep(Duration::from_millis(left) + kill_after).await;
    server.kill();
    let told: Vec<_> = bidding.join_all().await.into_iter().flatten().collect();

    let server = Process::start(database_url, folder).await;
    let asked = Instant::now();
    while outcomes(&server.url, &sale).await.len() < sale.items.len() {
        assert!(asked.elapsed() < OUTCOME_TIMEOUT, "an item has no outcome");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    check(&server.url, &sale, &told).await;
    (server, sale, more)
}

//! `kill -9` while bids are placed in an auction with a book, and its items end.

use std::collections::HashMap;
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

use super::crash::{Sale, get, kill_at_the_end, open_sale_with, post};
use crate::harness::{database, times};

const STARTING: i64 = 1_000_000;

/// Each winner is charged once, whenever the server dies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_charged_twice_after_kill_9() {
    for round in 0..times(3, 12) {
        let folder = tempfile::tempdir().unwrap();
        let url = database::fresh(folder.path()).await;
        charges_once(&url, Duration::from_millis(5 * round)).await;
    }
}

/// Each price is shared once, whenever the server dies, and the balances together stay the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_shared_twice_after_kill_9() {
    for round in 0..times(2, 12) {
        let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let database = database::fresh(data.path()).await;
        let kill_after = Duration::from_millis(5 * round);
        let (server, sale, book) = kill_at_the_end(&database, folder.path(), kill_after, open_sharing).await;
        let url = &server.url;
        check_book(url, &sale, &book).await;
        let runs = get(&sale.owner, format!("{url}/api/books/{book}/runs?limit=100")).await;
        let mut shared: Vec<_> =
            runs["runs"].as_array().unwrap().iter().map(|run| &run["params"]["itemId"]).collect();
        shared.sort_by_key(ToString::to_string);
        let mut items = sale.items.clone();
        items.sort();
        assert_eq!(shared, items.iter().collect::<Vec<_>>(), "each once");
        let holders = get(&sale.owner, format!("{url}/api/books/{book}/holders")).await;
        let balances =
            holders["holders"].as_array().unwrap().iter().map(|holder| holder["balance"].as_str().unwrap());
        let total: i64 = balances.map(|balance| balance.parse::<i64>().unwrap()).sum();
        assert_eq!(total, STARTING * i64::try_from(sale.bidders.len()).unwrap());
    }
}

/// An auction whose book shares at once; everyone is present.
async fn open_sharing(url: &str) -> (Sale, String) {
    let (sale, book) = open(url).await;
    let share = json!({"share": {"automatic": true, "digits": 0, "rest": "SPREAD"}});
    let patch = sale.owner.patch(format!("{url}/api/books/{book}")).json(&share).send().await.unwrap();
    assert_eq!(patch.status(), 200);
    let mut ids = Vec::new();
    for bidder in &sale.bidders {
        ids.push(get(bidder, format!("{url}/api/user")).await["user"]["id"].clone());
    }
    let path = format!("{url}/api/auctions/{}/present", sale.auction);
    let here = json!({"userIds": ids, "present": true});
    assert_eq!(sale.owner.put(path).json(&here).send().await.unwrap().status(), 200);
    (sale, book)
}

async fn charges_once(database_url: &str, kill_after: Duration) {
    let folder = tempfile::tempdir().unwrap();
    let (server, sale, book) = kill_at_the_end(database_url, folder.path(), kill_after, open).await;
    check_book(&server.url, &sale, &book).await;
}

/// An auction with a book, in points.
pub async fn open(url: &str) -> (Sale, String) {
    let book = async |owner: &Client| {
        let terms = json!({"name": "Class 4b", "baseUnit": {"name": "Point", "symbol": ""}, "startingBalance": STARTING.to_string()});
        post(owner, format!("{url}/api/books"), terms).await["id"].as_str().expect("an id").to_owned()
    };
    let mut opened = String::new();
    let sale = open_sale_with(url, async |owner| {
        opened = book(owner).await;
        let auction = json!({"name": "Crash", "joinMode": "FREE", "bookId": opened});
        let auction = post(owner, format!("{url}/api/auctions"), auction).await["id"].clone();
        let auction = auction.as_str().expect("an id").to_owned();
        let currency = json!({"code": "PTS", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR"});
        post(owner, format!("{url}/api/auctions/{auction}/currencies"), currency).await;
        (auction, json!({}))
    })
    .await;
    (sale, opened)
}

/// The charges are the outcomes, and each balance is the sum of its entries.
async fn check_book(url: &str, sale: &Sale, book: &str) {
    let exported = get(&sale.owner, format!("{url}/api/books/{book}/export?format=json")).await;
    let entries = exported["entries"].as_array().unwrap();
    let number = |value: &Value| value.as_str().unwrap().parse::<i64>().unwrap();
    let mut charges: HashMap<String, (String, i64)> = HashMap::new();
    let mut sums: HashMap<String, i64> = HashMap::new();
    for entry in entries {
        let holder = entry["holder"]["id"].as_str().unwrap().to_owned();
        *sums.entry(holder.clone()).or_default() += number(&entry["amount"]);
        if entry["kind"] == "CHARGE" {
            let item = entry["itemId"].as_str().unwrap().to_owned();
            let twice = charges.insert(item, (holder, number(&entry["amount"])));
            assert_eq!(twice, None, "charged once");
        }
    }
    assert_eq!(charges.len(), sale.items.len());
    for item in &sale.items {
        let shown = get(&sale.owner, format!("{url}/api/auctions/{}/items/{item}", sale.auction)).await;
        let bid = &shown["outcome"]["bid"];
        let winner = shown["outcome"]["winner"]["id"].as_str().unwrap().to_owned();
        assert_eq!(charges[item], (winner, -number(&bid["normalizedAmount"])));
    }
    let mut listed = 0;
    for holder in
        get(&sale.owner, format!("{url}/api/books/{book}/holders")).await["holders"].as_array().unwrap()
    {
        let sum = sums.get(holder["user"]["id"].as_str().unwrap()).copied().unwrap_or(0);
        assert_eq!((number(&holder["balance"]), number(&holder["committed"])), (sum, 0));
        listed += 1;
    }
    assert_eq!(listed, sale.bidders.len() + 1);
}

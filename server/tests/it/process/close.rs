use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use reqwest::Client;
use serde_json::Value;

use super::Process;
use super::crash::{
    ANSWERED, Answer, Sale, bid, check, get, kill_at_the_end, open_sale, outcomes, start_bidding,
};
use crate::harness::database;
use crate::harness::times;

/// Higher than every bid before that.
const LATE: u64 = 1_000_000;

/// If the server is killed while it closes an auction and bids arrive, either all items of the auction are
/// closed or none; all, if the request was answered. Every answered bid is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auction_closes_with_all_items_or_with_none() {
    for round in 0..times(5, 10) {
        let folder = tempfile::tempdir().unwrap();
        closes_whole_or_not_at_all(&database::fresh(folder.path()).await, Duration::from_millis(2 * round))
            .await;
    }
}

async fn closes_whole_or_not_at_all(database_url: &str, kill_after: Duration) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(database_url, folder.path()).await;
    let sale = Arc::new(open_sale(&server.url).await);
    let enough = Arc::default();
    let bidding = start_bidding(&server.url, &sale, &Arc::new(AtomicU64::new(1)), ANSWERED, &enough);
    enough.notified().await;

    let close = format!("{}/api/auctions/{}/close", server.url, sale.auction);
    let owner: Client = sale.owner.clone();
    let closing = tokio::spawn(async move { owner.post(close).send().await });
    // The rounds hit the time before, during and after the close.
    tokio::time::sleep(kill_after).await;
    server.kill();
    let answered = closing.await.unwrap().is_ok_and(|answer| answer.status() == 200);
    let told: Vec<_> = bidding.join_all().await.into_iter().flatten().collect();

    let server = Process::start(database_url, folder.path()).await;
    check(&server.url, &sale, &told).await;
    let auction = get(&sale.owner, format!("{}/api/auctions/{}", server.url, sale.auction)).await;
    let is_closed = auction["status"] == "CLOSED";
    assert!(is_closed || !answered, "an answered request has closed the auction");
    for (at, item) in sale.items.iter().enumerate() {
        let url = format!("{}/api/auctions/{}/items/{item}", server.url, sale.auction);
        let item: Value = get(&sale.owner, url).await;
        assert_eq!(item["status"], if is_closed { "CLOSED" } else { "OPEN" });
        match bid(&sale, &server.url, at, at, LATE).await.unwrap() {
            Answer::Accepted(_) => assert!(!is_closed, "bids end with the auction"),
            Answer::Closed => assert!(is_closed),
            Answer::TooLow | Answer::Later => panic!("no other bid is as high"),
        }
    }
    if is_closed {
        check_outcomes(&server.url, &sale).await;
    } else {
        assert_eq!(outcomes(&server.url, &sale).await, Vec::<Value>::new());
    }
}

/// If the server is killed when items end and bids arrive, each item gets one outcome after the restart,
/// without a visitor: it is sold for its last accepted bid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_item_that_ends_gets_one_outcome_after_kill_9() {
    for round in 0..times(4, 12) {
        let folder = tempfile::tempdir().unwrap();
        let url = database::fresh(folder.path()).await;
        gets_one_outcome(&url, Duration::from_millis(4 * round)).await;
    }
}

async fn gets_one_outcome(database_url: &str, kill_after: Duration) {
    let folder = tempfile::tempdir().unwrap();
    let open = async |url: &str| (open_sale(url).await, ());
    let (server, sale, ()) = kill_at_the_end(database_url, folder.path(), kill_after, open).await;
    check_outcomes(&server.url, &sale).await;
}

/// Each item has one outcome, which names its last bid.
async fn check_outcomes(url: &str, sale: &Sale) {
    let outcomes = outcomes(url, sale).await;
    assert_eq!(outcomes.len(), sale.items.len());
    for item in &sale.items {
        let of_item: Vec<_> = outcomes.iter().filter(|outcome| outcome["itemId"] == item.as_str()).collect();
        assert_eq!(of_item.len(), 1);
        let item = get(&sale.owner, format!("{url}/api/auctions/{}/items/{item}", sale.auction)).await;
        assert_eq!(&item["outcome"], of_item[0]);
        assert_eq!(item["status"], "CLOSED");
        assert_eq!(item["outcome"]["bid"]["sequence"], item["bidCount"]);
        assert_eq!(item["outcome"]["winner"], item["highestBid"]["bidder"]);
    }
}

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use reqwest::Client;
use serde_json::Value;

use super::Process;
use super::crash::{Answer, bid, check, everybody_bids, get, open_sale};
use crate::harness::database;
use crate::harness::times;

/// Number of accepted bids before the auction is closed, while others are in flight.
const ANSWERED: usize = 40;
/// Higher than every bid before that.
const LATE: u64 = 1_000_000;

/// If the server is killed while it closes an auction and bids arrive, either all items of the auction are closed or
/// none; all, if the request was answered. Every answered bid is stored.
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
    let bidding = everybody_bids(&server.url, &sale, &Arc::new(AtomicU64::new(1)), ANSWERED, &enough);
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
            Answer::Kept(_) => assert!(!is_closed, "bids end with the auction"),
            Answer::Closed => assert!(is_closed),
            Answer::TooLow | Answer::Later => panic!("no other bid is as high"),
        }
    }
}

use reqwest::Client;
use serde_json::{Value, json};

use super::Process;
use super::crash::{get, open_sale, post};

const ROUNDS: u64 = 5;

/// Killed at the moment of closing, an auction is closed with all its items or with none; if it was answered,
/// with all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auction_closes_whole_or_not_at_all() {
    for round in 0..ROUNDS {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Process::start(folder.path()).await;
        let sale = open_sale(&server.url).await;
        let items = format!("{}/api/auctions/{}/items", server.url, sale.auction);
        let bidding = sale.items.iter().enumerate().map(|(at, item)| {
            post(&sale.bidders[at], format!("{items}/{item}/bids"), json!({"amount": at + 1}))
        });
        futures::future::join_all(bidding).await;

        let close = format!("{}/api/auctions/{}/close", server.url, sale.auction);
        let owner: Client = sale.owner.clone();
        let closing = tokio::spawn(async move { owner.post(close).send().await });
        // Before it comes, amid it, or after it: wherever the rounds hit.
        tokio::time::sleep(std::time::Duration::from_millis(2 * round)).await;
        server.kill();
        let answered = closing.await.unwrap().is_ok_and(|answer| answer.status() == 200);

        let server = Process::start(folder.path()).await;
        let auction = get(&sale.owner, format!("{}/api/auctions/{}", server.url, sale.auction)).await;
        let is_closed = auction["status"] == "CLOSED";
        assert!(is_closed || !answered, "it was told that it is closed");
        for (at, item) in sale.items.iter().enumerate() {
            let url = format!("{}/api/auctions/{}/items/{item}", server.url, sale.auction);
            let item: Value = get(&sale.owner, url.clone()).await;
            assert_eq!(item["status"], if is_closed { "CLOSED" } else { "OPEN" });
            assert_eq!(item["highestBid"]["normalizedAmount"], (at + 1).to_string());
            let more = sale.bidders[at].post(format!("{url}/bids")).json(&json!({"amount": 100}));
            let status = more.send().await.unwrap().status();
            assert_eq!(status, if is_closed { 409 } else { 201 });
        }
    }
}

//! `kill -9` while users outbid one another.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::Value;

use super::Process;
use super::crash::{check, get, ledger, open_sale, start_bidding};
use crate::harness::{database, times};

/// Number of accepted bids before a round kills its server.
const ANSWERED_PER_ROUND: usize = 150;
/// How long the notifications may take after a restart.
const TOLD_TIMEOUT: Duration = Duration::from_secs(20);

/// Every bidder of an item who does not lead was told so after the last bid of theirs, by the time of the bid
/// that was higher, and nobody was told anything twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_change_of_a_lead_is_told_once_after_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut server = Process::start(&database_url, folder.path()).await;
    let sale = Arc::new(open_sale(&server.url).await);
    let next = Arc::new(AtomicU64::new(1));
    for _ in 0..times(3, 20) {
        let enough = Arc::default();
        let bidding = start_bidding(&server.url, &sale, &next, ANSWERED_PER_ROUND, &enough);
        enough.notified().await;
        server.kill();
        let told: Vec<_> = bidding.join_all().await.into_iter().flatten().collect();
        server = Process::start(&database_url, folder.path()).await;
        check(&server.url, &sale, &told).await;
        for item in &sale.items {
            let url = format!("{}/api/auctions/{}/items/{item}", server.url, sale.auction);
            let bids = ledger(&sale.owner, &url).await;
            for bidder in &sale.bidders {
                check_told(bidder, &server.url, item, &bids).await;
            }
        }
    }
}

async fn check_told(bidder: &Client, url: &str, item: &str, bids: &[Value]) {
    let user = get(bidder, format!("{url}/api/user")).await["user"]["id"].clone();
    let Some(last) = bids.iter().rposition(|bid| bid["bidder"]["id"] == user) else { return };
    let higher = bids.get(last + 1).map(|bid| bid["createdAt"].clone());
    let asked = Instant::now();
    loop {
        let told = outbid(bidder, url, item).await;
        let times: BTreeSet<&str> = told.iter().map(String::as_str).collect();
        assert_eq!(times.len(), told.len(), "told twice: {told:?}");
        // The list has the newest first.
        if higher.as_ref().is_none_or(|higher| told.first().is_some_and(|newest| newest == higher)) {
            return;
        }
        assert!(asked.elapsed() < TOLD_TIMEOUT, "{user} was not told of {higher:?}: {told:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// When the user was outbid on the item, by all notifications.
async fn outbid(bidder: &Client, url: &str, item: &str) -> Vec<String> {
    let (mut times, mut before) = (Vec::new(), String::new());
    loop {
        let page = get(bidder, format!("{url}/api/user/notifications?limit=100{before}")).await;
        let listed = page["notifications"].as_array().expect("a list").iter();
        let of_item = listed.filter(|one| one["itemId"] == item && one["kind"] == "OUTBID");
        times.extend(of_item.map(|one| one["createdAt"].as_str().expect("a time").to_owned()));
        match page["nextBefore"].as_str() {
            Some(next) => before = format!("&before={next}"),
            None => return times,
        }
    }
}

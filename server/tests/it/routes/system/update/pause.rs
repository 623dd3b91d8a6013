use serde_json::json;

use super::{PATH, Site, waiting};
use crate::harness::{Events, Installation};

/// From the backup on; and reading goes on.
#[tokio::test]
async fn writes_pause_and_reads_go_on() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure(&waiting("after = \"backup\""));
    let site = Site::open(installation).await;
    let item = site.bids.trim_end_matches("/bids").to_owned();
    let mut stream = Events::open(&site.bidder, &format!("{item}/events")).await;
    stream.item().await;
    site.admin.post(PATH, json!({})).await.expect(202);
    site.reached("wait").await;

    let refused = site.admin.post("/api/auctions", json!({"name": "Another"})).await;
    refused.expect_problem(503, "UPDATING");
    assert_eq!(refused.header("retry-after"), "5");
    let bid = site.bidder.post(&site.bids, json!({"amount": 6})).await;
    bid.expect_problem(503, "UPDATING");
    assert_eq!(bid.header("retry-after"), "5");
    let advice = site.bidder.post(&format!("{}/validate", site.bids), json!({"amount": 6})).await;
    assert_eq!(advice.expect(200)["accepted"], true, "advice is no write");
    site.bidder.get(&item).await.expect(200);
    site.app.anonymous().get("/readyz").await.expect(200);
    // A session that is to be prolonged is read all the same.
    site.app.clock.advance_seconds(2 * 24 * 60 * 60);
    site.bidder.get("/api/user").await.expect(200);

    site.go_on();
    assert_eq!(site.ended().await["status"], "SUCCEEDED");
    site.bid(6).await;
    assert_eq!(stream.bid().await.0, 2, "the stream has gone on");
}

/// What is written while writes are closed may be lost, so nothing is, whoever writes.
#[tokio::test]
async fn the_slow_work_comes_before_the_pause() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure(&waiting("before = \"backup\""));
    let site = Site::open(installation).await;
    site.admin.post(PATH, json!({})).await.expect(202);
    site.reached("wait").await;
    site.bid(6).await;
    site.go_on();
    assert_eq!(site.ended().await["status"], "SUCCEEDED");
    site.bid(7).await;
}

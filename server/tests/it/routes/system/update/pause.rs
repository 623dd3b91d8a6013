use serde_json::json;

use super::{PATH, Site, waiting};
use crate::harness::{Events, Installation};

/// Writes pause from the backup on; reads continue.
#[tokio::test]
async fn writes_pause_and_reads_continue() {
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
    site.app.anonymous().get("/readyz").await.expect_problem(503, "UPDATING");
    // A session whose use would be recorded is still valid.
    let last_used =
        async || site.bidder.get("/api/user/sessions").await.expect(200)["sessions"][0]["lastUsedAt"].clone();
    let before = last_used().await;
    site.app.clock.advance_seconds(2 * 24 * 60 * 60);
    assert_eq!(last_used().await, before, "nothing is written");

    site.go_on();
    assert_eq!(site.ended().await["status"], "SUCCEEDED");
    site.bid(6).await;
    site.app.anonymous().get("/readyz").await.expect(200);
    assert_eq!(stream.bid().await.0, 2, "the stream has gone on");
}

/// Every page announces the pause while the update is being prepared, and says so while writes pause.
#[tokio::test]
async fn pages_announce_the_pause() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    let after = waiting("after = \"backup\"").replace("-e go", "-e on").replace("\"wait\"", "\"again\"");
    installation.configure(&format!("{}{after}", waiting("before = \"build\"")));
    let site = Site::open(installation).await;
    // For as long as a page may show what it has read before.
    let notice = async || {
        site.app.clock.advance_seconds(2);
        let page = site.app.anonymous().get("/sign-in").await.text;
        let (_, rest) = page.split_once("class=\"pause-notice\"")?;
        let (_, rest) = rest.split_once('>')?;
        Some(rest.split_once('.')?.0.to_owned())
    };
    assert_eq!(notice().await, None);
    site.admin.post(PATH, json!({})).await.expect(202);
    site.reached("wait").await;
    assert_eq!(notice().await.as_deref(), Some("An update of this site is being prepared"));
    site.bid(6).await;
    site.go_on();
    site.reached("again").await;
    assert_eq!(notice().await.as_deref(), Some("An update is being installed"));
    std::fs::write(site.installation.path().join("on"), "").unwrap();
    assert_eq!(site.ended().await["status"], "SUCCEEDED");
    assert_eq!(notice().await, None);
}

/// A write during the pause could be lost, so every process is refused.
#[tokio::test]
async fn slow_steps_run_before_the_pause() {
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

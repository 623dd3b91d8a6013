use serde_json::json;

use installation::servers::{self, store::OtherServer};

use super::{PATH, Site, waiting};
use crate::harness::{Events, Installation, TestApp};

#[tokio::test]
async fn one_of_twenty_concurrent_updates_starts() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure(&waiting("after = \"determine\""));
    let site = Site::open(installation).await;
    let asked = (0..20).map(|_| site.admin.post(PATH, json!({})));
    let answers = futures::future::join_all(asked).await;
    let started = answers.iter().filter(|answer| answer.status == 202).count();
    assert_eq!(started, 1);
    for answer in answers.iter().filter(|answer| answer.status != 202) {
        answer.expect_problem(409, "UPDATE_IN_PROGRESS");
    }
    site.reached("wait").await;
    site.admin.post(PATH, json!({})).await.expect_problem(409, "UPDATE_IN_PROGRESS");
    site.go_on();
    assert_eq!(site.ended().await["status"], "SUCCEEDED");
}

/// The servers share only their PostgreSQL database.
#[tokio::test]
async fn one_update_runs_at_a_time_for_all_servers_on_a_database() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure(&waiting("after = \"backup\""));
    let site = Site::open(installation).await;
    if !site.app.state.context.db.is_remote() {
        // A SQLite file has one server.
        return;
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let data_dir = elsewhere.path().to_owned();
    let other: TestApp = site.app.another_with(|settings| settings.data_dir = data_dir).await;
    site.admin.post(PATH, json!({})).await.expect(202);
    site.reached("wait").await;
    let (admin, bidder) = (site.admin.at(other.address), site.bidder.at(other.address));
    let seen = admin.get(PATH).await.expect(200);
    let own = site.admin.get(PATH).await.expect(200);
    for member in ["id", "status", "fromVersion", "toVersion", "startedAt", "finishedAt"] {
        assert_eq!(seen[member], own[member], "{member}: {seen:#}");
    }
    assert_eq!((seen["steps"].as_array().unwrap().len(), &seen["steps"][0]["name"]), (1, &json!("wait")));
    let page = admin.get("/admin").await.text;
    assert!(page.contains(">Updating<") && page.contains("an update of the server"), "{page}");
    assert!(!page.contains("Update to 0.2.0"), "a second update is not offered");
    assert!(bidder.get("/auctions").await.text.contains("An update is being installed."));
    let mut events = Events::open(&admin, &format!("{PATH}/events")).await;
    assert_eq!(events.next().await.unwrap().data, seen);

    admin.post(PATH, json!({})).await.expect_problem(409, "UPDATE_IN_PROGRESS");
    let bid = bidder.post(&site.bids, json!({"amount": 6})).await;
    assert_eq!(bid.status, 503, "{}", bid.text);
    admin.post("/api/auctions", json!({"name": "Another"})).await.expect_problem(503, "UPDATING");
    site.go_on();
    site.ended().await;
    assert_eq!(events.next().await.unwrap().data, serde_json::Value::Null, "no run on this server");
    assert_eq!(admin.get(PATH).await.expect(200), serde_json::Value::Null);
    bidder.post(&site.bids, json!({"amount": 6})).await.expect(201);
}

/// A server that stays behind after the update of another is named on both.
#[tokio::test]
async fn servers_with_different_releases_are_told() {
    let site = Site::open(Installation::new()).await;
    let installation = &site.app.state.installation;
    assert_eq!(servers::round(installation).await.unwrap(), []);
    let other = OtherServer { host: "hall".to_owned(), version: "9.1.0".to_owned() };
    let now = installation.clock.now();
    let mut transaction = installation.db.write().await.unwrap();
    let forgotten = now.plus_seconds(-60);
    servers::store::announce(&mut transaction, "hall /srv", &other, now, forgotten).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(servers::round(installation).await.unwrap(), [other]);
    let page = site.admin.get("/admin?subject=version").await.text;
    assert!(page.contains("The server “hall” of the same database runs 9.1.0."), "{page}");
    site.app.clock.advance_seconds(600);
    assert_eq!(servers::round(installation).await.unwrap(), [], "it has ended");
}

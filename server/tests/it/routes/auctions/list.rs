use serde_json::{Value, json};

use super::{auction, join, wrong_fields};
use crate::harness::TestApp;

fn names(listed: &Value) -> Vec<&str> {
    listed["auctions"].as_array().unwrap().iter().map(|auction| auction["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_list_has_own_and_free_auctions() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    for (name, mode) in [("free", "FREE"), ("link", "LINK"), ("invite", "INVITE_ONLY")] {
        auction(&ada, json!({"name": name, "joinMode": mode})).await;
        app.clock.advance_seconds(1);
    }
    let seen = ada.get("/api/auctions").await.expect(200);
    assert_eq!(names(&seen), ["invite", "link", "free"], "newest first");
    assert_eq!(seen["nextCursor"], Value::Null);
    let seen = bob.get("/api/auctions").await.expect(200);
    assert_eq!(names(&seen), ["free"]);
    assert_eq!(seen["auctions"][0]["myRole"], Value::Null);
    let free = format!("/api/auctions/{}", seen["auctions"][0]["id"].as_str().unwrap());
    join(&bob, &free).await;
    assert_eq!(bob.get("/api/auctions").await.expect(200)["auctions"][0]["myRole"], "BIDDER");
}

#[tokio::test]
async fn pages_have_no_gap_and_no_overlap() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for number in 0..5 {
        auction(&ada, json!({"name": number.to_string()})).await;
        app.clock.advance_seconds(1);
    }
    let (mut seen, mut path) = (Vec::new(), "/api/auctions?limit=2".to_owned());
    for _ in 0..3 {
        let page = ada.get(&path).await.expect(200);
        seen.extend(names(&page).into_iter().map(str::to_owned));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        path = format!("/api/auctions?limit=2&cursor={cursor}");
    }
    assert_eq!(seen, ["4", "3", "2", "1", "0"]);
    assert_eq!(ada.get("/api/auctions?limit=5").await.expect(200)["nextCursor"], Value::Null, "exactly full");
}

#[tokio::test]
async fn a_page_has_one_to_a_hundred_auctions() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for limit in ["1", "100"] {
        ada.get(&format!("/api/auctions?limit={limit}")).await.expect(200);
    }
    for limit in ["0", "101", "-1", "x", "", "1.0"] {
        let answer = ada.get(&format!("/api/auctions?limit={limit}")).await;
        assert_eq!(wrong_fields(&answer), ["limit"], "{limit}");
    }
    assert_eq!(wrong_fields(&ada.get("/api/auctions?cursor=x").await), ["cursor"]);
}

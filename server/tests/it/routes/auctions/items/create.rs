use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::routes::auctions::{auction, change, wrong_fields};

fn vase(changes: Value) -> Value {
    let mut item = json!({"name": "A vase", "currencyCode": "EUR"});
    change(&mut item, changes);
    item
}

#[tokio::test]
async fn a_new_item_has_defaults() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let id = ada.get("/api/user").await.expect(200)["user"]["id"].clone();
    let items = format!("{}/items", auction(&ada, json!({})).await);
    let answer = ada.post(&items, vase(json!({}))).await;
    let made = answer.expect(201);
    let expected = json!({
        "id": made["id"], "auctionId": items.split('/').nth(3), "lotNumber": "1",
        "seller": {"id": id, "name": "ada"}, "name": "A vase", "description": "", "estimate": null,
        "isPublished": false, "startsAt": null, "endDate": null, "status": "DRAFT", "currencyCode": "EUR",
        "startingBid": null, "minBidIncrement": null, "minBidConstraint": null, "minBidNormalized": null,
        "minIncrementNormalized": null, "format": "OPEN", "copies": 1, "price": "OWN", "plus": "0",
        "tie": "EARLIEST", "antiSnipeEnabled": false, "antiSnipeThresholdSeconds": 300,
        "antiSnipeExtensionSeconds": 300, "highestBid": null, "bidCount": 0,
        "creator": {"id": id, "name": "ada"}, "images": [], "watched": false, "outcome": null, "outcomes": [],
        "createdAt": "2026-05-01T18:00:00.000Z",
        "updatedAt": "2026-05-01T18:00:00.000Z",
    });
    assert_eq!(made, expected);
    assert_eq!(answer.header("etag"), "\"1\"");
    assert_eq!(ada.get(answer.header("location")).await.expect(200), made);
    assert_eq!(ada.get(&items).await.expect(200), json!({"items": [made], "nextCursor": null}));
}

#[tokio::test]
async fn the_auction_gives_the_defaults_of_anti_sniping() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let terms =
        json!({"defaultAntiSnipe": true, "defaultAntiSnipeThreshold": 120, "defaultAntiSnipeExtension": 30});
    let items = format!("{}/items", auction(&ada, terms).await);
    let made = ada.post(&items, vase(json!({}))).await.expect(201);
    assert_eq!(made["antiSnipeEnabled"], true);
    assert_eq!(made["antiSnipeThresholdSeconds"], 120);
    assert_eq!(made["antiSnipeExtensionSeconds"], 30);
    let own = json!({"antiSnipeEnabled": false, "antiSnipeThresholdSeconds": 3600});
    let made = ada.post(&items, vase(own)).await.expect(201);
    assert_eq!(made["antiSnipeEnabled"], false);
    assert_eq!(made["antiSnipeThresholdSeconds"], 3600);
    assert_eq!(made["antiSnipeExtensionSeconds"], 30);
}

#[tokio::test]
async fn an_own_end_needs_custom_and_is_never_after_the_auctions() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (end, later) = ("2026-06-01T00:00:00.000Z", "2026-06-01T00:00:00.001Z");
    let custom = format!("{}/items", auction(&ada, json!({"endDate": end})).await);
    assert_eq!(ada.post(&custom, vase(json!({}))).await.expect(201)["endDate"], end, "the auction's end");
    let own = ada.post(&custom, vase(json!({"endDate": "2026-05-02T00:00:00Z"}))).await.expect(201);
    assert_eq!(own["endDate"], "2026-05-02T00:00:00.000Z");
    ada.post(&custom, vase(json!({"endDate": end}))).await.expect(201);
    assert_eq!(wrong_fields(&ada.post(&custom, vase(json!({"endDate": later}))).await), ["endDate"]);
    let past = json!({"name": "", "endDate": "2026-05-01T18:00:00Z"});
    assert_eq!(wrong_fields(&ada.post(&custom, vase(past)).await), ["name", "endDate"], "all errors at once");
    for (mode, in_force) in [("AUCTION_END", json!(end)), ("NONE", json!(null))] {
        let terms = json!({"endDate": end, "itemEndMode": mode});
        let items = format!("{}/items", auction(&ada, terms).await);
        assert_eq!(
            wrong_fields(&ada.post(&items, vase(json!({"endDate": end}))).await),
            ["endDate"],
            "{mode}"
        );
        assert_eq!(ada.post(&items, vase(json!({"endDate": null}))).await.expect(201)["endDate"], in_force);
    }
}

#[tokio::test]
async fn a_closed_auction_accepts_no_items() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({"endDate": "2026-05-01T18:01:00Z"})).await);
    ada.post(&items, vase(json!({}))).await.expect(201);
    app.clock.advance_seconds(60);
    ada.post(&items, vase(json!({}))).await.expect_problem(409, "CLOSED");
    // Errors of the body come first.
    assert_eq!(wrong_fields(&ada.post(&items, vase(json!({"name": ""}))).await), ["name"]);
}

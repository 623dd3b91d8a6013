use serde_json::{Value, json};

use super::items::bids::Sale;
use super::{auction, wrong_fields};
use crate::harness::{Client, TestApp};

#[tokio::test]
async fn a_new_unit_needs_a_name() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let unit = json!({"baseUnit": {"symbol": "k"}});
    assert_eq!(wrong_fields(&ada.patch(&path, unit).await), ["baseUnit.name"]);
}

/// Creates an item in euros and returns its path.
async fn item(owner: &Client, auction: &str, end: Value) -> String {
    let body = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true, "endDate": end});
    let made = owner.post(&format!("{auction}/items"), body).await;
    made.expect(201);
    made.header("location").to_owned()
}

/// End and status of each item.
async fn ends(owner: &Client, items: &[&String]) -> Vec<(Value, Value)> {
    let mut ends = Vec::new();
    for item in items {
        let item = owner.get(item).await.expect(200);
        ends.push((item["endDate"].clone(), item["status"].clone()));
    }
    ends
}

#[tokio::test]
async fn items_end_with_the_auction() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"endDate": "2026-06-10T00:00:00Z"})).await;
    let own = item(&ada, &path, json!("2026-06-05T00:00:00Z")).await;
    let none = item(&ada, &path, json!(null)).await;
    let open = |end: &str| (json!(end), json!("OPEN"));
    ada.patch(&path, json!({"endDate": "2026-06-20T00:00:00Z"})).await.expect(200);
    let (fifth, twentieth) = (open("2026-06-05T00:00:00.000Z"), open("2026-06-20T00:00:00.000Z"));
    assert_eq!(ends(&ada, &[&own, &none]).await, [fifth.clone(), twentieth]);
    ada.patch(&path, json!({"endDate": null})).await.expect(200);
    assert_eq!(ends(&ada, &[&own, &none]).await, [fifth, (json!(null), json!("OPEN"))]);
    ada.patch(&path, json!({"endDate": "2026-06-01T00:00:00Z"})).await.expect(200);
    let first = open("2026-06-01T00:00:00.000Z");
    assert_eq!(ends(&ada, &[&own, &none]).await, [first.clone(), first], "no item ends after the auction");
    assert_eq!(ada.get(&own).await.header("etag"), "\"2\"", "the item's own end was removed");
}

#[tokio::test]
async fn the_mode_decides_the_ends_of_items_and_closed_items_stay_closed() {
    for (mode, end) in [("AUCTION_END", json!("2026-06-10T00:00:00.000Z")), ("NONE", json!(null))] {
        let app = TestApp::start().await;
        let ada = app.user("ada").await;
        let path = auction(&ada, json!({"endDate": "2026-06-10T00:00:00Z"})).await;
        let early = item(&ada, &path, json!("2026-05-01T18:01:00Z")).await;
        let later = item(&ada, &path, json!("2026-06-05T00:00:00Z")).await;
        app.clock.advance_seconds(60);
        ada.patch(&path, json!({"itemEndMode": mode})).await.expect(200);
        let expected = [json!("CLOSED"), json!("OPEN")];
        let found = ends(&ada, &[&early, &later]).await;
        assert_eq!([&found[0].1, &found[1].1], [&expected[0], &expected[1]], "{mode}");
        assert_eq!(found[1].0, end, "{mode}");
        for mode in ["CUSTOM", "AUCTION_END", "NONE"] {
            ada.patch(&path, json!({"itemEndMode": mode, "endDate": "2027-01-01T00:00:00Z"}))
                .await
                .expect(200);
            assert_eq!(ends(&ada, &[&early]).await[0].1, "CLOSED", "{mode} reopens no item");
        }
    }
}

#[tokio::test]
async fn a_closed_auction_never_opens_again() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"endDate": "2026-05-01T18:01:00Z"})).await;
    let vase = item(&ada, &path, json!(null)).await;
    app.clock.advance_seconds(60);
    let had = ada.get(&path).await.expect(200);
    assert_eq!(had["status"], "CLOSED");
    for patch in [
        json!({"endDate": null}),
        json!({"endDate": "2026-06-01T00:00:00Z"}),
        json!({"itemEndMode": "NONE"}),
        json!({"name": "B"}),
    ] {
        ada.patch(&path, patch).await.expect_problem(409, "CLOSED");
    }
    assert_eq!(ada.get(&path).await.expect(200), had);
    assert_eq!(ends(&ada, &[&vase]).await[0].1, "CLOSED");
}

#[tokio::test]
async fn after_its_end_the_end_is_frozen_while_items_are_open() {
    let terms = json!({"endDate": "2026-05-01T18:01:00Z", "defaultAntiSnipe": true});
    let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let quiet = item(&sale.owner, &path, json!(null)).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(60);
    let status = async |item: &String| ends(&sale.owner, &[item]).await[0].1.clone();
    assert_eq!((status(&sale.item_path()).await, status(&quiet).await), (json!("OPEN"), json!("CLOSED")));
    assert_eq!(sale.owner.patch(&path, json!({"name": "B"})).await.expect(200)["status"], "OPEN");
    for patch in
        [json!({"endDate": null}), json!({"endDate": "2026-06-01T00:00:00Z"}), json!({"itemEndMode": "NONE"})]
    {
        sale.owner.patch(&path, patch).await.expect_problem(409, "CLOSED");
    }
    assert_eq!((status(&sale.item_path()).await, status(&quiet).await), (json!("OPEN"), json!("CLOSED")));
}

#[tokio::test]
async fn the_mode_of_the_ends_is_frozen_while_there_is_a_standing_bid() {
    let sale = Sale::legacy(json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let patch = async |mode: &str| sale.owner.patch(&path, json!({"itemEndMode": mode, "name": "B"})).await;
    patch("NONE").await.expect(200);
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    for mode in ["CUSTOM", "AUCTION_END"] {
        patch(mode).await.expect_problem(409, "FROZEN");
    }
    patch("NONE").await.expect(200);
    sale.owner.patch(&path, json!({"endDate": "2026-06-01T00:00:00Z"})).await.expect(200);
}

#[tokio::test]
async fn once_there_are_bids_names_are_only_hidden_and_never_revealed() {
    const MODES: [&str; 4] = ["VISIBLE", "PER_BID", "NUMBERS", "ANONYMOUS"];
    for (had, from) in MODES.iter().enumerate() {
        for (has, to) in MODES.iter().enumerate() {
            let terms = json!({"bidderVisibility": from});
            let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
            let path = format!("/api/auctions/{}", sale.auction);
            for mode in [to, from] {
                sale.owner.patch(&path, json!({"bidderVisibility": mode})).await.expect(200);
            }
            let ada = sale.bidder("ada").await;
            sale.bid(&ada, json!({"amount": 5})).await.expect(201);
            let answer = sale.owner.patch(&path, json!({"bidderVisibility": to})).await;
            if has >= had {
                assert_eq!(answer.expect(200)["bidderVisibility"], *to);
            } else {
                answer.expect_problem(409, "HAS_BIDS");
            }
        }
    }
}

use auction_house::events::Signal;
use auction_house::items::auction::delete;
use serde_json::{Value, json};

use super::items::bids::{Sale, points};
use super::{auction, wizards};
use crate::harness::database::number_elsewhere;
use crate::harness::{Answer, Events, TestApp};

#[tokio::test]
async fn an_auction_without_bids_is_deleted_with_its_contents() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let other = auction(&ada, json!({})).await;
    let profile = ada.post(&format!("{path}/currencies"), wizards(json!({}))).await.expect(201)["id"].clone();
    let rule = json!({
        "type": "REQUIRED_DENOMINATION", "currencyProfileId": profile,
        "params": {"denomination": "KNUT", "minCount": 1},
    });
    ada.post(&format!("{path}/currency-rules"), rule).await.expect(201);
    let counts = json!([{"denomination": "KNUT", "count": 7}]);
    let minimum = json!({"currencyProfileId": profile, "enteredRepresentation": counts});
    let item =
        ada.post(&format!("{path}/items"), json!({"name": "A vase", "minBidConstraint": minimum})).await;
    item.expect(201);

    let stale = ada.request("DELETE", &path).header("if-match", "\"2\"");
    Answer::of(stale).await.expect_problem(412, "PRECONDITION_FAILED");
    assert_eq!(ada.delete(&path).await.expect(204), Value::Null);
    for gone in [&path, &format!("{path}/currencies"), item.header("location")] {
        ada.get(gone).await.expect_problem(404, "NOT_FOUND");
    }
    ada.delete(&path).await.expect_problem(404, "NOT_FOUND");
    ada.get(&other).await.expect(200);
    assert_eq!(ada.get("/api/auctions").await.expect(200)["auctions"].as_array().unwrap().len(), 1);
    let conn = &mut app.state.context.db.read().await.unwrap();
    let events: i64 =
        platform::db::query_scalar("SELECT COUNT(*) FROM events").fetch_one(conn).await.unwrap();
    assert_eq!(events, 0, "its events are deleted too");
}

#[tokio::test]
async fn what_a_server_leaves_of_a_deleted_auction_is_seen_by_nobody_and_deleted_later() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "FREE", "itemEndMode": "CUSTOM"})).await;
    let lots = (1..=3).map(|lot| {
        json!({"name": format!("Lot {lot}"), "currencyCode": "EUR", "isPublished": true,
               "endDate": "2026-05-02T18:00:00Z"})
    });
    for lot in lots {
        ada.post(&format!("{path}/items"), lot).await.expect(201);
    }
    // The server has ended after the first transaction of the deletion.
    app.write(
        "UPDATE auctions SET deleted_at = created_at, closed_at = created_at, join_mode = 'INVITE_ONLY',
             readable_by = 'MEMBERS'",
    )
    .await;
    app.write("DELETE FROM members").await;
    ada.get(&path).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(ada.get("/api/auctions").await.expect(200)["auctions"], json!([]));
    assert_eq!(ada.get("/api/user/items").await.expect(200)["items"], json!([]));
    app.clock.advance_seconds(2 * 24 * 60 * 60);
    app.reconcile().await;
    let count =
        async |sql: &'static str| number_elsewhere(&app.state.installation.settings.database_url, sql).await;
    assert_eq!(count("SELECT COUNT(*) FROM outcomes").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM items").await, 3);

    delete::finish_all(&app.state.context).await.unwrap();
    for sql in [
        "SELECT COUNT(*) FROM items",
        "SELECT COUNT(*) FROM item_texts",
        "SELECT COUNT(*) FROM auctions",
        "SELECT COUNT(*) FROM event_heads",
    ] {
        assert_eq!(count(sql).await, 0, "{sql}");
    }
}

/// The rest of the auction, while it is being deleted, sends nobody an event that it is closed.
#[tokio::test]
async fn the_first_part_of_a_deletion_ends_the_streams_of_the_auction() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = Events::open(&ada, &format!("/api/auctions/{}/events", sale.auction)).await;
    let mut of_item = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    events.item().await;
    of_item.item().await;
    sale.app.write("UPDATE auctions SET deleted_at = created_at, closed_at = created_at").await;
    sale.app.state.context.events.publish(&Signal::AllItems(sale.auction.parse().unwrap()));
    assert_eq!(events.gone().await, sale.item);
    assert_eq!(events.next().await, None, "the stream ends with its auction");
    assert_eq!(of_item.gone().await, sale.item);
}

/// The check of permissions, which comes before a delivery, does not end a stream without a word.
#[tokio::test]
async fn a_stream_is_told_of_a_deletion_whose_signal_was_lost() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = Events::open(&ada, &format!("/api/auctions/{}/events", sale.auction)).await;
    events.item().await;
    sale.app.write("UPDATE auctions SET deleted_at = created_at, closed_at = created_at").await;
    assert_eq!(events.gone().await, sale.item);
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn an_auction_with_bids_cannot_be_deleted() {
    let sale = Sale::open(json!({}), &[points("P", "1")], json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner.delete(&path).await.expect_problem(409, "HAS_BIDS");
    assert_eq!(sale.bids().await.len(), 1);
}

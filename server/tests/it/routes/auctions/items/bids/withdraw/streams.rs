//! The events of withdrawals.

use serde_json::{Value, json};

use super::{Sale, mistyped, other};
use crate::harness::{Client, Event, Events};

/// The withdrawn bid of the next event.
async fn withdrawn(events: &mut Events) -> Value {
    let event = events.next().await.expect("an event");
    assert_eq!((event.kind.as_str(), event.id), ("withdrawn", None), "{event:?}");
    event.data
}

async fn item_stream(sale: &Sale, client: &Client, query: &str) -> Events {
    let mut events = Events::open(client, &format!("{}/events{query}", sale.item_path())).await;
    events.item().await;
    events
}

fn auction_path(sale: &Sale, query: &str) -> String {
    format!("/api/auctions/{}/events{query}", sale.auction)
}

#[tokio::test]
async fn both_streams_have_the_withdrawn_bid_and_then_the_item() {
    let sale =
        Sale::open(json!({"bidderVisibility": "ANONYMOUS"}), &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let mut of_auction = Events::open(&ada, &auction_path(&sale, "")).await;
    of_auction.item().await;
    let mut streams = [item_stream(&sale, &ada, "").await, of_auction];
    let mut of_bob = item_stream(&sale, &bob, "").await;
    let mut expected = sale.withdraw(&ada, 1, json!({"reason": "MISTYPED", "note": "Oh"})).await.expect(200);
    expected.as_object_mut().unwrap().remove("overcommitted");
    for events in &mut streams {
        assert_eq!(withdrawn(events).await, expected);
        let item = events.item().await;
        assert_eq!((&item["bidCount"], &item["highestBid"]), (&json!(0), &Value::Null));
    }
    let seen = withdrawn(&mut of_bob).await;
    assert_eq!((&seen["bidder"], &seen["withdrawn"]["note"]), (&Value::Null, &Value::Null));
    of_bob.item().await;
    let next = sale.bid(&ada, json!({"amount": 4})).await.expect(201);
    for events in &mut streams {
        assert_eq!(events.bid().await.1, next);
    }
}

#[tokio::test]
async fn a_stream_that_resumes_repeats_each_withdrawn_bid_up_to_its_id() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, admin) = (sale.bidder("ada").await, sale.admin("admin").await);
    let mut of_auction = Events::open(&ada, &auction_path(&sale, "")).await;
    of_auction.item().await;
    for amount in 1..=4 {
        sale.bid(&ada, json!({"amount": amount})).await.expect(201);
    }
    let mut id = 0;
    for _ in 1..=4 {
        id = of_auction.bid().await.0;
    }
    for sequence in [3, 1] {
        sale.withdraw(&admin, sequence, other()).await.expect(200);
    }
    // A stream that begins before the topic has published a withdrawal has it twice.
    while of_auction.next().await.expect("an event").data["sequence"] != 1 {}
    let mut events = item_stream(&sale, &ada, "?after=2").await;
    assert_eq!(withdrawn(&mut events).await["sequence"], 1);
    let (sequence, third) = events.bid().await;
    assert_eq!((sequence, &third["withdrawn"]["by"]), (3, &json!("MANAGER")));
    assert_eq!(events.bid().await.0, 4);

    let mut of_auction = Events::open(&ada, &auction_path(&sale, &format!("?after={id}"))).await;
    of_auction.item().await;
    assert_eq!(withdrawn(&mut of_auction).await["sequence"], 1);
    assert_eq!(withdrawn(&mut of_auction).await["sequence"], 3);
    for mut events in [events, of_auction] {
        sale.bid(&ada, json!({"amount": 5 + sale.bids().await.len()})).await.expect(201);
        events.bid().await;
    }
}

#[tokio::test]
async fn a_stream_with_more_than_64_withdrawn_bids_before_its_id_is_reset() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, admin) = (sale.bidder("ada").await, sale.admin("admin").await);
    for amount in 1..=130 {
        sale.bid(&ada, json!({ "amount": amount })).await.expect(201);
    }
    for sequence in 1..=64 {
        sale.withdraw(&admin, sequence, other()).await.expect(200);
    }
    let mut kept = item_stream(&sale, &ada, "?after=128").await;
    for sequence in 1..=64 {
        assert_eq!(withdrawn(&mut kept).await["sequence"], sequence);
    }
    assert_eq!(kept.bid().await.0, 129);
    sale.withdraw(&admin, 65, other()).await.expect(200);
    for (path, after) in [(format!("{}/events", sale.item_path()), 128), (auction_path(&sale, ""), 0)] {
        let mut events = Events::open(&ada, &format!("{path}?after={after}")).await;
        let Some(Event { kind, id, .. }) = events.next().await else { panic!("an event") };
        assert_eq!((kind.as_str(), id.is_some()), ("reset", true), "{path}");
    }
    let mut before = item_stream(&sale, &ada, "?after=64").await;
    assert_eq!(withdrawn(&mut before).await["sequence"], 1);
}

#[tokio::test]
async fn an_item_of_a_hidden_auction_keeps_its_withdrawals_to_itself() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner
        .patch(&format!("/api/auctions/{}", sale.auction), json!({"joinMode": "INVITE_ONLY"}))
        .await
        .expect(200);
    let stranger = sale.app.user("stranger").await;
    sale.withdraw(&stranger, 1, mistyped()).await.expect_problem(404, "NOT_FOUND");
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
}

//! What follows from a withdrawn bid elsewhere.

use serde_json::{Value, json};

use super::{Sale, mistyped, other};
use crate::harness::{Answer, PASSWORD};

#[tokio::test]
async fn the_next_bid_is_judged_against_the_highest_standing_one() {
    let sale = Sale::legacy(json!({"startingBid": 2, "minBidIncrement": 3})).await;
    let ada = sale.bidder("ada").await;
    for amount in [2, 5, 50] {
        sale.bid(&ada, json!({"amount": amount})).await.expect(201);
    }
    sale.withdraw(&ada, 3, mistyped()).await.expect(200);
    sale.bid(&ada, json!({"amount": 7})).await.expect_problem(422, "BID_REJECTED");
    let verdict = ada.post(&format!("{}/validate", sale.bids_path()), json!({"amount": 8})).await.expect(200);
    assert_eq!(verdict["accepted"], true);
    let placed = sale.bid(&ada, json!({"amount": 8})).await.expect(201);
    assert_eq!((&placed["sequence"], &placed["normalizedAmount"]), (&json!(4), &json!("8")));
}

#[tokio::test]
async fn a_replay_of_a_withdrawn_bid_returns_its_first_response_and_places_nothing() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let place = async || {
        let bid = ada.request("POST", &sale.bids_path()).header("idempotency-key", "k1");
        Answer::of(bid.header("content-type", "application/json").body(r#"{"amount": 5}"#)).await
    };
    let first = place().await;
    first.expect(201);
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
    let again = place().await;
    again.expect(201);
    assert_eq!((again.text, again.headers["idempotent-replayed"].to_str().unwrap()), (first.text, "true"));
    assert_eq!(sale.bids().await.len(), 1);
}

#[tokio::test]
async fn a_withdrawal_changes_the_version_of_the_item() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let before = sale.owner.get(&sale.item_path()).await;
    sale.app.clock.advance_seconds(1);
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
    let after = sale.owner.get(&sale.item_path()).await;
    assert_ne!(after.header("etag"), before.header("etag"));
    assert_eq!(after.json()["updatedAt"], "2026-05-01T18:00:01.000Z");
    let close = sale.owner.request("POST", &format!("{}/close", sale.item_path()));
    Answer::of(close.header("if-match", after.header("etag"))).await.expect(200);
}

#[tokio::test]
async fn price_terms_are_frozen_while_a_bid_stands_and_the_item_stays_for_good() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let (item, start) = (sale.item_path(), json!({"startsAt": "2026-05-01T18:30:00Z"}));
    sale.owner.patch(&item, json!({"startingBid": 3})).await.expect_problem(409, "FROZEN");
    sale.owner.patch(&item, start.clone()).await.expect_problem(409, "FROZEN");
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
    sale.owner.patch(&item, json!({"startingBid": 3})).await.expect(200);
    sale.bid(&ada, json!({"amount": 2})).await.expect_problem(422, "BID_REJECTED");
    sale.owner.patch(&item, start).await.expect(200);
    sale.owner.patch(&item, json!({"isPublished": false})).await.expect_problem(409, "HAS_BIDS");
    sale.owner.delete(&item).await.expect_problem(409, "HAS_BIDS");
    sale.owner.delete(&format!("/api/auctions/{}", sale.auction)).await.expect_problem(409, "HAS_BIDS");
}

#[tokio::test]
async fn an_account_may_go_once_its_leading_bid_is_withdrawn() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let delete = async || ada.send("DELETE", "/api/user", json!({"password": PASSWORD})).await;
    delete().await.expect_problem(409, "LEADS_OPEN_ITEMS");
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
    delete().await.expect(204);
    let bid = &sale.bids().await[0];
    assert_eq!((&bid["bidder"]["name"], &bid["withdrawn"]["by"]), (&json!("deleted user"), &json!("BIDDER")));
}

#[tokio::test]
async fn a_withdrawal_reveals_no_hidden_bidder() {
    let terms = json!({"bidderVisibility": "ANONYMOUS"});
    let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob, admin) = (sale.bidder("ada").await, sale.bidder("bob").await, sale.admin("admin").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let withdrawn =
        sale.withdraw(&admin, 1, json!({"reason": "OTHER", "note": "Ada asked."})).await.expect(200);
    assert_eq!(withdrawn["bidder"]["name"], "ada");
    let seen = bob.get(&sale.bids_path()).await.expect(200)["bids"][0].clone();
    assert_eq!((&seen["bidder"], &seen["withdrawn"]["note"]), (&Value::Null, &Value::Null));
    assert_eq!(seen["withdrawn"]["reason"], "OTHER");
    let own = ada.get(&sale.bids_path()).await.expect(200)["bids"][0].clone();
    assert_eq!(own["withdrawn"]["note"], "Ada asked.");
}

/// Bids and withdrawals of one batch see each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_bids_and_withdrawals_leave_the_highest_standing_bid() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, admin) = (sale.bidder("ada").await, sale.admin("admin").await);
    for round in 0..8 {
        let bids = (1..=20).map(|amount| sale.bid(&ada, json!({"amount": round * 20 + amount})));
        let sequences = (1..=20).map(|n| round * 10 + n);
        let withdrawals = sequences.map(|sequence| sale.withdraw(&admin, sequence, other()));
        let (placed, withdrawn) =
            futures::join!(futures::future::join_all(bids), futures::future::join_all(withdrawals));
        assert!(placed.iter().all(|answer| [201, 422].contains(&answer.status.as_u16())));
        assert!(withdrawn.iter().all(|answer| [200, 404].contains(&answer.status.as_u16())));
    }
    let path = format!("{}?limit=100", sale.bids_path());
    let bids = sale.owner.get(&path).await.expect(200)["bids"].as_array().unwrap().clone();
    let standing: Vec<&Value> = bids.iter().filter(|bid| bid["withdrawn"].is_null()).collect();
    let amounts = standing.iter().map(|bid| bid["amount"].as_i64().unwrap());
    assert!(amounts.is_sorted_by(|higher, lower| higher > lower), "{bids:?}");
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!(
        item["highestBid"]["amount"],
        standing.first().map_or(Value::Null, |bid| bid["amount"].clone())
    );
}

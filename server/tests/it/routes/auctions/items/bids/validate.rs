use serde_json::{Value, json};

use super::{Sale, text};

#[tokio::test]
async fn validation_returns_the_verdict_and_stores_nothing() {
    let sale = Sale::legacy(json!({"startingBid": "10"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let path = format!("{}/validate", sale.bids_path());
    let verdict = ada.post(&path, json!({"amount": "12.50"})).await.expect(200);
    assert_eq!(verdict, json!({"accepted": true, "normalizedAmount": "12.5", "violations": []}));
    assert_eq!(sale.bids().await.len(), 0);

    let verdict = ada.post(&path, json!({"amount": 9})).await.expect(200);
    assert_eq!((&verdict["accepted"], &verdict["normalizedAmount"]), (&json!(false), &json!("9")));
    assert_eq!(verdict["violations"][0]["code"], "MIN_BID");
    let verdict = ada.post(&path, json!({"amount": "x"})).await.expect(200);
    assert_eq!(verdict["normalizedAmount"], Value::Null);
    let verdict = ada.post(&path, json!({"amount": 9, "currencyProfileId": "x"})).await.expect(200);
    assert_eq!(verdict["violations"][0]["code"], "UNKNOWN_CURRENCY_PROFILE");

    sale.bid(&bob, json!({"amount": 12})).await.expect(201);
    let verdict = ada.post(&path, json!({"amount": 12})).await.expect(200);
    let refused = sale.bid(&ada, json!({"amount": 12})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(verdict["violations"], refused["details"]["violations"], "the violations of a real bid");
    assert_eq!(text(&verdict["violations"][0]["code"]), "EQUAL_NOT_HIGHER");
}

#[tokio::test]
async fn validation_is_refused_like_a_bid() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T19:00:00Z"})).await;
    let ada = sale.bidder("ada").await;
    let path = format!("{}/validate", sale.bids_path());
    ada.post(&path, json!({"sum": 5})).await.expect_problem(422, "INVALID_BODY");
    sale.app.clock.advance_seconds(3600);
    ada.post(&path, json!({"amount": 5})).await.expect_problem(409, "ITEM_NOT_OPEN");
}

use serde_json::json;

use super::Sale;
use crate::harness::{Answer, Client};

async fn keyed(sale: &Sale, bidder: &Client, key: &str, body: &str) -> Answer {
    let bid = bidder.request("POST", &sale.bids_path()).header("idempotency-key", key);
    Answer::of(bid.header("content-type", "application/json").body(body.to_owned())).await
}

#[tokio::test]
async fn a_repeat_gets_the_first_answer() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let first = keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await;
    first.expect(201);
    assert_eq!(first.header("idempotent-replayed"), "");
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);

    let again = keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await;
    again.expect(201);
    assert_eq!(again.text, first.text);
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(sale.bids().await.len(), 2);
}

#[tokio::test]
async fn a_key_is_refused_with_another_body() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect(201);
    for body in [r#"{"amount": 6}"#, r#"{"amount":5}"#] {
        keyed(&sale, &ada, "k1", body).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    }
    keyed(&sale, &ada, "k1", r#"{"amount": "#).await.expect_problem(400, "MALFORMED_JSON");
}

#[tokio::test]
async fn a_key_belongs_to_one_user_and_one_item() {
    let mut sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect(201);
    keyed(&sale, &bob, "k1", r#"{"amount": 6}"#).await.expect(201);
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect(201);
    assert_eq!(sale.bids().await.len(), 1);
}

#[tokio::test]
async fn a_refused_bid_is_evaluated_again() {
    let sale = Sale::legacy(json!({"startsAt": "2026-05-01T18:01:00Z"})).await;
    let ada = sale.bidder("ada").await;
    keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect_problem(409, "ITEM_NOT_OPEN");
    sale.app.clock.advance_seconds(60);
    keyed(&sale, &ada, "k1", r#"{"amount": 0}"#).await.expect_problem(422, "BID_REJECTED");
    let placed = keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await;
    placed.expect(201);
    assert_eq!(placed.header("idempotent-replayed"), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_repeats_place_one_bid() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for round in 1..=8_usize {
        let (key, body) = (format!("k{round}"), format!(r#"{{"amount": {round}}}"#));
        let answers = futures::future::join_all((0..16).map(|_| keyed(&sale, &ada, &key, &body))).await;
        let first = &answers[0];
        assert!(answers.iter().all(|answer| answer.status == 201 && answer.text == first.text));
        let replayed = answers.iter().filter(|answer| answer.header("idempotent-replayed") == "true").count();
        assert_eq!(replayed, 15);
        assert_eq!(sale.bids().await.len(), round);
    }
}

#[tokio::test]
async fn a_replay_does_not_depend_on_the_state_of_the_item() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T19:00:00Z"})).await;
    let ada = sale.bidder("ada").await;
    let first = keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await;
    first.expect(201);
    sale.app.clock.advance_seconds(3600);
    keyed(&sale, &ada, "k2", r#"{"amount": 6}"#).await.expect_problem(409, "ITEM_NOT_OPEN");
    let again = keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await;
    again.expect(201);
    assert_eq!(again.text, first.text);
}

#[tokio::test]
async fn keys_are_kept_for_72_hours_and_until_the_item_closes() {
    let mut sale = Sale::legacy(json!({"endDate": "2026-05-01T19:00:00Z"})).await;
    let ada = sale.bidder("ada").await;
    let ended = sale.item.clone();
    keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect(201);
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    let open = sale.item.clone();
    keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect(201);

    // The next bid of any user, an hour or more later, deletes expired keys.
    for (seconds, status_of_ended) in [(72 * 3600, 201), (3600, 409)] {
        sale.app.clock.advance_seconds(seconds);
        sale.item.clone_from(&open);
        let next = sale.bids().await.len() + 5;
        sale.bid(&ada, json!({"amount": next})).await.expect(201);
        keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await.expect(201);
        sale.item.clone_from(&ended);
        let again = keyed(&sale, &ada, "k1", r#"{"amount": 5}"#).await;
        assert_eq!(again.status, status_of_ended, "{}", again.text);
    }
}

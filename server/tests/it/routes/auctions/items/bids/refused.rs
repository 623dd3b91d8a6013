use reqwest::StatusCode;
use serde_json::json;

use super::Sale;
use crate::harness::{Answer, Client};
use crate::routes::auctions::remove;

#[tokio::test]
async fn missing_permission_is_reported_before_the_body_is_read() {
    let sale = Sale::legacy(json!({})).await;
    let anonymous = sale.app.anonymous();
    anonymous.send_text("POST", &sale.bids_path(), "{").await.expect_problem(401, "UNAUTHENTICATED");
    let removed = sale.bidder("removed").await;
    remove(&sale.owner, &format!("/api/auctions/{}", sale.auction), &removed).await;
    let refused = removed.send_text("POST", &sale.bids_path(), "{").await.expect_problem(403, "FORBIDDEN");
    assert!(refused["detail"].as_str().unwrap().contains("were removed"), "{refused}");
    sale.owner.send_text("POST", &sale.bids_path(), "{").await.expect_problem(403, "OWN_ITEM");
    sale.owner
        .post(&format!("{}/validate", sale.bids_path()), json!({}))
        .await
        .expect_problem(403, "OWN_ITEM");
}

#[tokio::test]
async fn an_unknown_item_is_not_found() {
    let sale = Sale::legacy(json!({})).await;
    let other = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let auction = &sale.auction;
    for path in [
        format!("/api/auctions/{auction}/items/{}/bids", other.item),
        format!("/api/auctions/{auction}/items/nonsense/bids"),
        format!("/api/auctions/{}/items/{}/bids", other.auction, sale.item),
        format!("/api/auctions/{auction}/items/{auction}/bids"),
    ] {
        ada.post(&path, json!({"amount": 5})).await.expect_problem(404, "NOT_FOUND");
        ada.post(&format!("{path}/validate"), json!({"amount": 5})).await.expect_problem(404, "NOT_FOUND");
        ada.get(&path).await.expect_problem(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_hidden_auction_is_not_found() {
    let sale = Sale::open(json!({"joinMode": "INVITE_ONLY"}), &[], json!({"currencyCode": "EUR"})).await;
    let stranger = sale.app.user("stranger").await;
    stranger.post(&sale.bids_path(), json!({"amount": 5})).await.expect_problem(404, "NOT_FOUND");
    stranger.get(&sale.bids_path()).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_draft_is_hidden() {
    let sale = Sale::legacy(json!({"isPublished": false})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect_problem(404, "NOT_FOUND");
    ada.get(&sale.bids_path()).await.expect_problem(404, "NOT_FOUND");
    sale.bid(&sale.owner, json!({"amount": 5})).await.expect_problem(403, "OWN_ITEM");
    sale.owner.get(&sale.bids_path()).await.expect(200);
}

/// The body is refused as invalid, and no bid is placed.
async fn expect_invalid_body(sale: &Sale, client: &Client, body: &str) {
    let refused = client.send_text("POST", &sale.bids_path(), body).await;
    let problem = refused.expect_problem(422, "INVALID_BODY");
    assert!(problem["details"]["fields"].is_array(), "{body}: {problem}");
}

#[tokio::test]
async fn an_invalid_body_is_refused() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let long = "x".repeat(65);
    let many = vec![json!({"denomination": "A", "count": 1}); 65];
    for body in [
        "[]".to_owned(),
        r#"{"amount": true}"#.to_owned(),
        r#"{"amount": {"value": 1}}"#.to_owned(),
        r#"{"amount": 1, "amount": 2}"#.to_owned(),
        r#"{"amount": 1, "sum": 1}"#.to_owned(),
        r#"{"amount": 1, "isAnonymous": "yes"}"#.to_owned(),
        r#"{"amount": 1, "currencyProfileId": 7}"#.to_owned(),
        r#"{"enteredRepresentation": {"GALLEON": 1}}"#.to_owned(),
        r#"{"enteredRepresentation": [{"denomination": "A"}]}"#.to_owned(),
        r#"{"enteredRepresentation": [{"denomination": "A", "count": 1, "factor": 9}]}"#.to_owned(),
        json!({"amount": 1, "currencyProfileId": long}).to_string(),
        json!({"enteredRepresentation": [{"denomination": long, "count": 1}]}).to_string(),
        json!({"enteredRepresentation": many}).to_string(),
    ] {
        expect_invalid_body(&sale, &ada, &body).await;
    }
    assert_eq!(sale.bids().await.len(), 0);
}

#[tokio::test]
async fn a_body_that_is_not_json_or_too_large_is_refused() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let path = sale.bids_path();
    ada.send_text("POST", &path, "{\"amount\":").await.expect_problem(400, "MALFORMED_JSON");
    ada.send_text("POST", &path, "{\"amount\": 012}").await.expect_problem(400, "MALFORMED_JSON");
    let text = ada.request("POST", &path).header("content-type", "text/plain").body("{\"amount\": 12}");
    Answer::of(text).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let padded = format!("{{\"amount\": 12}}{}", " ".repeat(5 * 1024 * 1024));
    ada.send_text("POST", &path, &padded).await.expect_problem(413, "TOO_LARGE");
    assert_eq!(sale.bids().await.len(), 0);
}

#[tokio::test]
async fn an_invalid_key_is_refused() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for key in ["", "two words", &"k".repeat(65), "schlüssel"] {
        let bid = ada.request("POST", &sale.bids_path()).header("idempotency-key", key.as_bytes());
        let bid = bid.header("content-type", "application/json").body(r#"{"amount": 5}"#);
        Answer::of(bid).await.expect_problem(422, "INVALID_BODY");
    }
}

#[tokio::test]
async fn an_expired_session_is_unauthenticated() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.app.clock.advance_seconds(15 * 24 * 3600);
    sale.bid(&ada, json!({"amount": 5})).await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_wrong_method_is_refused() {
    let sale = Sale::legacy(json!({})).await;
    let refused = sale.owner.delete(&sale.bids_path()).await;
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(refused.header("allow").contains("POST"), "{}", refused.header("allow"));
}

#[tokio::test]
async fn bids_are_limited_per_user() {
    let sale = Sale::legacy(json!({})).await;
    let limited = crate::harness::TestApp::start_with(|_| ()).await;
    let ada = limited.user("ada").await;
    // The limit applies before the path is checked, so any path will do.
    let path = sale.bids_path();
    for _ in 0..60 {
        ada.post(&path, json!({"amount": 5})).await.expect_problem(404, "NOT_FOUND");
    }
    let refused = ada.post(&path, json!({"amount": 5})).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), "1");
    limited.user("bob").await.post(&path, json!({"amount": 5})).await.expect_problem(404, "NOT_FOUND");
}

use serde_json::{Value, json};

use super::bids::Sale;
use crate::harness::Answer;

#[tokio::test]
async fn an_item_without_bids_can_be_deleted() {
    let sale = Sale::legacy(json!({})).await;
    let path = sale.item_path();
    let stale = sale.owner.request("DELETE", &path).header("if-match", "\"2\"");
    Answer::of(stale).await.expect_problem(412, "PRECONDITION_FAILED");
    assert_eq!(sale.owner.delete(&path).await.expect(204), Value::Null);
    sale.owner.get(&path).await.expect_problem(404, "NOT_FOUND");
    sale.owner.delete(&path).await.expect_problem(404, "NOT_FOUND");
    let items = sale.owner.get(&format!("/api/auctions/{}/items", sale.auction)).await.expect(200);
    assert_eq!(items["items"], json!([]));
}

#[tokio::test]
async fn an_item_with_bids_cannot_be_deleted() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:01:00Z"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner.delete(&sale.item_path()).await.expect_problem(409, "HAS_BIDS");
    let stale = sale.owner.request("DELETE", &sale.item_path()).header("if-match", "\"1\"");
    Answer::of(stale).await.expect_problem(412, "PRECONDITION_FAILED");
    sale.app.clock.advance_seconds(60);
    sale.owner.delete(&sale.item_path()).await.expect_problem(409, "HAS_BIDS");
    assert_eq!(sale.bids().await.len(), 1);
}

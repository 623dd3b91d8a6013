use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, points};
use crate::routes::auctions::{auction, tickets};

/// Creates a profile with this code and returns its path.
async fn add(owner: &Client, auction: &str, code: &str) -> String {
    let made = owner.post(&format!("{auction}/currencies"), tickets(json!({"code": code}))).await;
    made.expect(201);
    made.header("location").to_owned()
}

#[tokio::test]
async fn an_unused_profile_can_be_deleted() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let (first, second) = (add(&ada, &sale, "A").await, add(&ada, &sale, "B").await);
    assert_eq!(ada.delete(&first).await.expect(204), Value::Null);
    ada.get(&first).await.expect_problem(404, "NOT_FOUND");
    ada.delete(&first).await.expect_problem(404, "NOT_FOUND");
    let left = ada.get(&format!("{sale}/currencies")).await.expect(200);
    assert_eq!(left["currencies"].as_array().unwrap().len(), 1);
    assert_eq!(left["currencies"][0]["isDefault"], false, "no other profile becomes the default");
    add(&ada, &sale, "A").await;
    ada.delete(&second).await.expect(204);
}

#[tokio::test]
async fn a_profile_with_bids_cannot_be_deleted() {
    let sale = Sale::open(json!({}), &[points("A", "1"), points("B", "1")], json!({})).await;
    let currencies = format!("/api/auctions/{}/currencies", sale.auction);
    let listed = sale.owner.get(&currencies).await.expect(200);
    let path = |at: usize| format!("{currencies}/{}", listed["currencies"][at]["id"].as_str().unwrap());
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner.delete(&path(0)).await.expect_problem(409, "HAS_BIDS");
    sale.owner.delete(&path(1)).await.expect(204);
    sale.owner.delete(&path(0)).await.expect_problem(409, "HAS_BIDS");
}

#[tokio::test]
async fn a_profile_of_a_minimum_or_a_rule_cannot_be_deleted() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let (first, second) = (add(&ada, &sale, "A").await, add(&ada, &sale, "B").await);
    let minimum = json!({"currencyProfileId": first.rsplit('/').next(), "amount": 1});
    ada.post(&format!("{sale}/items"), json!({"name": "A vase", "minBidConstraint": minimum}))
        .await
        .expect(201);
    ada.delete(&first).await.expect_problem(409, "IN_USE");
    let rule = json!({
        "type": "MIN_INCREMENT", "currencyProfileId": second.rsplit('/').next(), "params": {"amount": 1},
    });
    let rule = ada.post(&format!("{sale}/currency-rules"), rule).await;
    ada.delete(&second).await.expect_problem(409, "IN_USE");
    ada.delete(rule.header("location")).await.expect(204);
    ada.delete(&second).await.expect(204);
}

#[tokio::test]
async fn the_last_profile_cannot_be_deleted_while_items_need_it() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let items = format!("{sale}/items");
    let legacy = json!({"name": "A vase", "currencyCode": "EUR", "startingBid": 10});
    let legacy = ada.post(&items, legacy).await;
    let first = add(&ada, &sale, "A").await;
    ada.delete(&first).await.expect(204);
    let vase = ada.get(legacy.header("location")).await.expect(200);
    assert_eq!(
        (&vase["currencyCode"], &vase["minBidNormalized"]),
        (&json!("EUR"), &json!("10")),
        "unchanged"
    );

    let (first, second) = (add(&ada, &sale, "A").await, add(&ada, &sale, "B").await);
    let item = ada.post(&items, json!({"name": "Another"})).await;
    ada.delete(&first).await.expect(204);
    ada.delete(&second).await.expect_problem(409, "IN_USE");
    ada.get(&second).await.expect(200);
    assert!(!item.header("location").is_empty());
}

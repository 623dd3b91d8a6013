use serde_json::{Value, json};

use super::Sale;
use crate::harness::Client;

/// Names of the bidders as `viewer` sees them, newest bid first.
async fn names(sale: &Sale, viewer: &Client) -> Vec<Value> {
    let listed = viewer.get(&sale.bids_path()).await.expect(200);
    listed["bids"].as_array().unwrap().iter().map(|bid| bid["bidder"]["name"].clone()).collect()
}

async fn sale(visibility: &str) -> (Sale, Client, Client) {
    let terms = json!({"bidderVisibility": visibility});
    let item = json!({"currencyCode": "EUR", "endDate": "2026-05-01T19:00:00Z"});
    let sale = Sale::open(terms, &[], item).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let bid = sale.bid(&ada, json!({"amount": 1, "isAnonymous": true})).await.expect(201);
    assert_eq!(bid["bidder"]["name"], "ada", "users always see their own name");
    assert_eq!(bid["isAnonymous"], true);
    sale.bid(&bob, json!({"amount": 2})).await.expect(201);
    (sale, ada, bob)
}

#[tokio::test]
async fn visible_bidders_are_shown_to_everyone() {
    let (sale, ada, _) = sale("VISIBLE").await;
    assert_eq!(names(&sale, &ada).await, ["bob", "ada"]);
    let viewer = sale.app.user("viewer").await;
    assert_eq!(names(&sale, &viewer).await, ["bob", "ada"]);
}

#[tokio::test]
async fn anonymous_bidders_are_shown_to_themselves() {
    let (sale, ada, bob) = sale("ANONYMOUS").await;
    assert_eq!(names(&sale, &ada).await, [Value::Null, json!("ada")]);
    assert_eq!(names(&sale, &bob).await, [json!("bob"), Value::Null]);
    assert_eq!(names(&sale, &sale.owner).await, ["bob", "ada"], "the owner sees all names");
    let viewer = sale.app.user("viewer").await;
    assert_eq!(names(&sale, &viewer).await, [Value::Null, Value::Null]);
}

#[tokio::test]
async fn each_bid_decides_under_per_bid() {
    let (sale, _, bob) = sale("PER_BID").await;
    assert_eq!(names(&sale, &bob).await, [json!("bob"), Value::Null]);
}

//! Sealed bids: one standing bid a member, hidden until the end, then settled for each copy.

mod freeze;
mod secret;
mod settle;
mod stand;

use serde_json::{Value, json};

use super::Sale;
use crate::harness::Client;

/// A sale of one item by sealed bids.
async fn open(terms: Value) -> Sale {
    let mut item = json!({"format": "SEALED"});
    super::merge(&mut item, terms);
    Sale::open(json!({}), &[super::points("PTS", "1")], item).await
}

async fn bid(sale: &Sale, bidder: &Client, amount: u64) -> Value {
    sale.bid(bidder, json!({ "amount": amount })).await.expect(201)
}

async fn close(sale: &Sale) -> Value {
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200)
}

/// The winner and the price of each copy, or its result.
fn sold(item: &Value) -> Vec<String> {
    let outcomes = item["outcomes"].as_array().unwrap();
    let outcome = |outcome: &Value| match outcome["winner"]["name"].as_str() {
        Some(name) => format!("{name} {}", outcome["bid"]["normalizedAmount"].as_str().unwrap()),
        None => outcome["result"].as_str().unwrap().to_owned(),
    };
    assert_eq!(item["outcome"], outcomes[0]);
    assert!(outcomes.iter().map(|outcome| outcome["copy"].as_i64().unwrap()).eq(1..=outcomes.len() as i64));
    outcomes.iter().map(outcome).collect()
}

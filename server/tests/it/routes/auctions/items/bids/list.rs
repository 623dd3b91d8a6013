use serde_json::{Value, json};

use super::Sale;

#[tokio::test]
async fn pages_run_from_the_newest_to_the_oldest_bid() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for amount in 1..=7 {
        sale.bid(&ada, json!({"amount": amount})).await.expect(201);
    }
    let mut seen = Vec::new();
    let mut query = "?limit=3".to_owned();
    loop {
        let page = ada.get(&format!("{}{query}", sale.bids_path())).await.expect(200);
        let sequences = page["bids"].as_array().unwrap().iter().map(|bid| bid["sequence"].as_u64().unwrap());
        seen.push(sequences.collect::<Vec<_>>());
        match &page["nextBefore"] {
            Value::Null => break,
            before => query = format!("?limit=3&before={before}"),
        }
    }
    assert_eq!(seen, [vec![7, 6, 5], vec![4, 3, 2], vec![1]]);
    let page = ada.get(&format!("{}?limit=7", sale.bids_path())).await.expect(200);
    assert_eq!(page["nextBefore"], Value::Null, "a full last page has no next page");
}

#[tokio::test]
async fn a_page_has_fifty_bids_by_default() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    assert_eq!(ada.get(&sale.bids_path()).await.expect(200), json!({"bids": [], "nextBefore": null}));
    for amount in 1..=51 {
        sale.bid(&ada, json!({"amount": amount})).await.expect(201);
    }
    let page = ada.get(&sale.bids_path()).await.expect(200);
    assert_eq!(page["bids"].as_array().unwrap().len(), 50);
    assert_eq!(page["nextBefore"], 2);
}

#[tokio::test]
async fn the_parameters_of_the_query_have_bounds() {
    let sale = Sale::legacy(json!({})).await;
    let path = sale.bids_path();
    for query in ["limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=1.5", "before=x"] {
        sale.owner.get(&format!("{path}?{query}")).await.expect_problem(422, "INVALID_BODY");
    }
    for query in ["limit=1", "limit=100", "before=1", "before=9223372036854775807"] {
        sale.owner.get(&format!("{path}?{query}")).await.expect(200);
    }
}

#[tokio::test]
async fn every_user_reads_the_bids_of_a_free_auction() {
    let sale = Sale::legacy(json!({})).await;
    sale.app.user("viewer").await.get(&sale.bids_path()).await.expect(200);
    sale.app.anonymous().get(&sale.bids_path()).await.expect_problem(401, "UNAUTHENTICATED");
}

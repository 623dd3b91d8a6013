use serde_json::{Value, json};

use super::bids::Sale;
use super::close::outcomes;
use crate::routes::auctions::wrong_fields;

fn path(sale: &Sale) -> String {
    format!("{}/cancel", sale.item_path())
}

#[tokio::test]
async fn a_cancelled_item_keeps_its_bids_and_its_outcome() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let cancelled =
        sale.owner.post(&path(&sale), json!({"reason": "It fell off the table."})).await.expect(200);
    assert_eq!(cancelled["status"], "CLOSED");
    let outcome = &cancelled["outcome"];
    assert_eq!(outcome["result"], "CANCELLED");
    assert_eq!((&outcome["winner"], &outcome["bid"]), (&Value::Null, &Value::Null));
    assert_eq!(outcome["reason"], "It fell off the table.");
    assert_eq!(outcome["by"]["name"], "owner");
    assert_eq!(sale.bids().await.len(), 1);
    assert_eq!(cancelled["highestBid"]["normalizedAmount"], "5");
    assert_eq!(outcomes(&sale, &ada).await, std::slice::from_ref(outcome));

    let again = json!({"reason": "again"});
    sale.owner.post(&path(&sale), again.clone()).await.expect_problem(409, "CLOSED");
    let outcome = format!("{}/outcome", sale.item_path());
    let decision = json!({"sequence": 1, "reason": "It was found."});
    sale.owner.post(&outcome, decision).await.expect_problem(409, "CLOSED");
    sale.owner.patch(&outcome, json!({"paid": true})).await.expect_problem(409, "NOT_SOLD");
    assert_eq!(outcomes(&sale, &ada).await.len(), 1);
}

#[tokio::test]
async fn only_managers_cancel_and_say_why() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, eve) = (sale.bidder("ada").await, sale.app.user("eve").await);
    let why = json!({"reason": "broken"});
    for other in [&ada, &eve] {
        other.post(&path(&sale), why.clone()).await.expect_problem(403, "FORBIDDEN");
        other.post(&path(&sale), json!({"reason": 1})).await.expect_problem(403, "FORBIDDEN");
    }
    for wrong in
        [json!({}), json!({"reason": ""}), json!({"reason": "x".repeat(501)}), json!({"reason": null})]
    {
        assert_eq!(wrong_fields(&sale.owner.post(&path(&sale), wrong).await), ["reason"]);
    }
    assert_eq!(wrong_fields(&sale.owner.post(&path(&sale), json!({"reason": "a", "x": 1})).await), ["x"]);
    sale.give_role(&ada, "ADMIN").await;
    ada.post(&path(&sale), json!({"reason": "x".repeat(500)})).await.expect(200);
}

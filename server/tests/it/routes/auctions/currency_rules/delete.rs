use serde_json::json;

use crate::harness::Answer;
use crate::routes::auctions::items::bids::{Sale, codes, points};

#[tokio::test]
async fn a_deleted_rule_no_longer_applies() {
    let sale = Sale::open(json!({}), &[points("P", "1")], json!({})).await;
    let rules = format!("/api/auctions/{}/currency-rules", sale.auction);
    let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 100}});
    let rule = sale.owner.post(&rules, rule).await;
    let path = rule.header("location");
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let refused = sale.bid(&ada, json!({"amount": 2})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT"]);
    let request = sale.owner.request("DELETE", path).header("if-match", "\"2\"");
    Answer::of(request).await.expect_problem(412, "PRECONDITION_FAILED");
    sale.owner.delete(path).await.expect(204);
    sale.owner.delete(path).await.expect_problem(404, "NOT_FOUND");
    sale.owner.get(path).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(sale.owner.get(&rules).await.expect(200)["rules"], json!([]));
    sale.bid(&ada, json!({"amount": 2})).await.expect(201);
}

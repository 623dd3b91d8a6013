use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, codes, points};
use crate::routes::auctions::{NO_ID, auction, wizards, wrong_fields};

async fn add(owner: &Client, path: &str, body: Value) -> (String, Value) {
    let made = owner.post(path, body).await;
    let document = made.expect(201);
    (made.header("location").to_owned(), document["id"].clone())
}

#[tokio::test]
async fn digits_beyond_the_precision_of_a_float_are_kept() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let rules = format!("{}/currency-rules", auction(&ada, json!({})).await);
    let increment = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}, "position": 7});
    add(&ada, &rules, increment.clone()).await;
    let (path, _) = add(&ada, &rules, increment).await;
    let patch = r#"{"params": {"tiers": [{"from": 0, "amount": 999999999999999.999999}]}, "position": 0}"#;
    let changed = ada.send_text("PATCH", &path, patch).await.expect(200);
    assert_eq!(changed["params"], json!({"tiers": [{"from": "0", "amount": "999999999999999.999999"}]}));
    assert_eq!(ada.get(&rules).await.expect(200)["rules"][0], changed, "by position");
}

#[tokio::test]
async fn params_are_those_of_the_type_and_of_the_profile() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let (_, galleons) = add(&ada, &format!("{sale}/currencies"), wizards(json!({}))).await;
    let required = json!({
        "type": "REQUIRED_DENOMINATION", "currencyProfileId": galleons,
        "params": {"denomination": "KNUT", "minCount": 1},
    });
    let (path, _) = add(&ada, &format!("{sale}/currency-rules"), required).await;
    for (name, params) in [
        ("params.denomination", json!({"minCount": 1})),
        ("params.denomination", json!({"denomination": "EURO", "minCount": 1})),
        ("params.minCount", json!({"denomination": "KNUT"})),
    ] {
        assert_eq!(wrong_fields(&ada.patch(&path, json!({"params": params})).await), [name], "{params}");
    }
    let pounds =
        wizards(json!({"code": "LSD", "denominations": [{"code": "SHILLING", "name": "S", "factor": 1}]}));
    let (_, pounds) = add(&ada, &format!("{sale}/currencies"), pounds).await;
    let moved = json!({"currencyProfileId": pounds, "params": {"denomination": "SHILLING", "minCount": 2}});
    assert_eq!(ada.patch(&path, moved).await.expect(200)["currencyProfileId"], pounds);
}

#[tokio::test]
async fn a_rule_of_another_auction_is_not_found() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (one, other) = (auction(&ada, json!({})).await, auction(&ada, json!({})).await);
    let body = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}});
    let (_, id) = add(&ada, &format!("{one}/currency-rules"), body).await;
    for id in [id.as_str().unwrap(), NO_ID, "x"] {
        let path = format!("{other}/currency-rules/{id}");
        ada.get(&path).await.expect_problem(404, "NOT_FOUND");
        ada.patch(&path, json!({"enabled": false})).await.expect_problem(404, "NOT_FOUND");
        ada.send_text("PATCH", &path, "{").await.expect_problem(404, "NOT_FOUND");
        ada.delete(&path).await.expect_problem(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_changed_rule_applies_to_the_next_bid() {
    let sale = Sale::open(json!({}), &[points("P", "1")], json!({})).await;
    let rules = format!("/api/auctions/{}/currency-rules", sale.auction);
    let (path, id) =
        add(&sale.owner, &rules, json!({"type": "MIN_INCREMENT", "params": {"amount": 1}})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    sale.owner.patch(&path, json!({"params": {"percent": 50}})).await.expect(200);
    let refused = sale.bid(&ada, json!({"amount": 14})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT"]);
    assert_eq!(refused["details"]["violations"][0]["required"], "15");
    assert_eq!(refused["details"]["violations"][0]["ruleId"], id);
    sale.bid(&ada, json!({"amount": 15})).await.expect(201);
    sale.owner.patch(&path, json!({"enabled": false})).await.expect(200);
    sale.bid(&ada, json!({"amount": 16})).await.expect(201);
}

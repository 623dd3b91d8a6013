use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, codes, points};
use crate::routes::auctions::{NO_ID, auction, tickets, wizards, wrong_fields};

async fn add(owner: &Client, path: &str, body: Value) -> (String, Value) {
    let made = owner.post(path, body).await;
    let document = made.expect(201);
    (made.header("location").to_owned(), document["id"].clone())
}

#[tokio::test]
async fn params_are_replaced_as_a_whole_and_other_fields_stay() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let rules = format!("{}/currency-rules", auction(&ada, json!({})).await);
    let (path, _) =
        add(&ada, &rules, json!({"type": "MIN_INCREMENT", "params": {"amount": 1}, "position": 7})).await;
    let mut expected = ada.get(&path).await.expect(200);
    app.clock.advance_seconds(5);
    let patch = r#"{"params": {"tiers": [{"from": 0, "amount": 999999999999999.999999}]}, "enabled": false}"#;
    let answer = ada.send_text("PATCH", &path, patch).await;
    expected["params"] = json!({"tiers": [{"from": "0", "amount": "999999999999999.999999"}]});
    expected["enabled"] = json!(false);
    expected["updatedAt"] = json!("2026-05-01T18:00:05.000Z");
    assert_eq!((answer.expect(200), answer.header("etag")), (expected.clone(), "\"2\""));
    let seen = ada.get(&path).await;
    assert_eq!((seen.expect(200), seen.header("etag")), (expected.clone(), "\"2\""));
    let same = ada.patch(&path, json!({"type": "MIN_INCREMENT", "enabled": false})).await;
    assert_eq!((same.expect(200), same.header("etag")), (expected, "\"2\""), "no change");

    add(&ada, &rules, json!({"type": "MIN_INCREMENT", "params": {"amount": 1}})).await;
    let reset = ada.patch(&path, json!({"enabled": null, "position": null})).await.expect(200);
    assert_eq!(
        (&reset["enabled"], &reset["position"]),
        (&json!(true), &json!(9)),
        "after the last other rule"
    );
    let moved = ada.patch(&path, json!({"position": 0})).await.expect(200);
    assert_eq!(ada.get(&rules).await.expect(200)["rules"][0], moved);
}

#[tokio::test]
async fn a_patch_has_the_bounds_of_a_new_rule_and_keeps_the_type() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let sale = auction(&ada, json!({})).await;
    let (_, galleons) = add(&ada, &format!("{sale}/currencies"), wizards(json!({}))).await;
    let (_, tickets) = add(&ada, &format!("{sale}/currencies"), tickets(json!({}))).await;
    let required = json!({
        "type": "REQUIRED_DENOMINATION", "currencyProfileId": galleons,
        "params": {"denomination": "KNUT", "minCount": 1},
    });
    let (path, _) = add(&ada, &format!("{sale}/currency-rules"), required).await;
    let had = ada.get(&path).await.expect(200);
    for (name, patch) in [
        ("type", json!({"type": "MIN_INCREMENT", "params": {"amount": 1}})),
        ("type", json!({"type": null})),
        ("type", json!({"type": "FORMULA"})),
        ("params", json!({"params": null})),
        ("params.denomination", json!({"params": {"minCount": 1}})),
        ("params.denomination", json!({"params": {"denomination": "EURO", "minCount": 1}})),
        ("params.minCount", json!({"params": {"denomination": "KNUT"}, "enabled": false})),
        ("currencyProfileId", json!({"currencyProfileId": null})),
        ("currencyProfileId", json!({"currencyProfileId": tickets})),
        ("currencyProfileId", json!({"currencyProfileId": NO_ID})),
        ("position", json!({"position": 1_000_001})),
        ("enabled", json!({"enabled": 0})),
        ("id", json!({"id": NO_ID})),
    ] {
        assert_eq!(wrong_fields(&ada.patch(&path, patch.clone()).await), [name], "{patch}");
    }
    assert_eq!(ada.get(&path).await.expect(200), had, "nothing was stored");

    let pounds =
        wizards(json!({"code": "LSD", "denominations": [{"code": "SHILLING", "name": "S", "factor": 1}]}));
    let (_, pounds) = add(&ada, &format!("{sale}/currencies"), pounds).await;
    let moved = json!({"currencyProfileId": pounds, "params": {"denomination": "SHILLING", "minCount": 2}});
    assert_eq!(ada.patch(&path, moved).await.expect(200)["currencyProfileId"], pounds);
}

#[tokio::test]
async fn an_outdated_version_changes_nothing() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let rules = format!("{}/currency-rules", auction(&ada, json!({})).await);
    let (path, _) = add(&ada, &rules, json!({"type": "MIN_INCREMENT", "params": {"amount": 1}})).await;
    for (tags, status) in [("\"2\"", 412), ("W/\"1\"", 412), ("\"1\"", 200), ("\"1\"", 412), ("*", 200)] {
        let request = ada.request("PATCH", &path).header("content-type", "application/json");
        let position = if status == 200 { if tags == "*" { 8 } else { 7 } } else { 9 };
        let answer =
            Answer::of(request.header("if-match", tags).body(format!(r#"{{"position": {position}}}"#))).await;
        assert_eq!(answer.status.as_u16(), status, "{tags}: {}", answer.text);
    }
    assert_eq!(ada.get(&path).await.expect(200)["position"], 8);
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

use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::{auction, tickets, wizards, wrong_fields};

/// Creates an auction with profiles of galleons and tickets. Returns its path and their ids.
async fn with_profiles(owner: &Client) -> (String, String, String) {
    let path = auction(owner, json!({})).await;
    let currencies = format!("{path}/currencies");
    let made = [wizards(json!({})), tickets(json!({}))];
    let mut ids = Vec::new();
    for profile in made {
        let made = owner.post(&currencies, profile).await.expect(201);
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    let tickets = ids.pop().unwrap();
    (path, ids.pop().unwrap(), tickets)
}

#[tokio::test]
async fn a_new_rule_has_defaults_and_canonical_decimals() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (path, galleons, _) = with_profiles(&ada).await;
    let rules = format!("{path}/currency-rules");
    let body = r#"{"type": "MIN_INCREMENT", "params": {"amount": 0.10}}"#;
    let answer = ada.send_text("POST", &rules, body).await;
    let made = answer.expect(201);
    let expected = json!({
        "id": made["id"], "auctionId": path.rsplit('/').next(), "currencyProfileId": null,
        "type": "MIN_INCREMENT", "params": {"amount": "0.1"}, "enabled": true, "position": 0,
        "createdAt": "2026-05-01T18:00:00.000Z", "updatedAt": "2026-05-01T18:00:00.000Z",
    });
    assert_eq!(made, expected);
    assert_eq!(answer.header("etag"), "\"1\"");
    assert_eq!(answer.header("location"), format!("{rules}/{}", made["id"].as_str().unwrap()));

    let ratio = json!({
        "type": "MIN_COMPONENT_RATIO", "currencyProfileId": galleons, "enabled": false, "position": 7,
        "params": {"denomination": "GALLEON", "minRatio": "0.5000"},
    });
    let ratio = ada.post(&rules, ratio).await.expect(201);
    assert_eq!(ratio["params"], json!({"denomination": "GALLEON", "minRatio": "0.5"}));
    assert_eq!(ratio["enabled"], false);
    let required = json!({
        "type": "REQUIRED_DENOMINATION", "currencyProfileId": galleons,
        "params": {"denomination": "KNUT", "minCount": 1},
    });
    let required = ada.post(&rules, required).await.expect(201);
    assert_eq!(required["position"], 8, "after the last rule");
    let first = ada
        .post(&rules, json!({"type": "MIN_INCREMENT", "position": 3, "params": {"percent": 2.5}}))
        .await
        .expect(201);
    let listed = ada.get(&rules).await.expect(200);
    assert_eq!(listed["rules"], json!([made, first, ratio, required]), "by position");
}

#[tokio::test]
async fn digits_beyond_the_precision_of_a_float_are_kept() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let rules = format!("{}/currency-rules", auction(&ada, json!({})).await);
    let body = r#"{"type": "MIN_INCREMENT", "params": {"tiers":
        [{"from": 0, "amount": 0.000001}, {"from": 999999999999999.999999, "amount": 12345678901.123400}]}}"#;
    let made = ada.send_text("POST", &rules, body).await.expect(201);
    let tiers = json!([
        {"from": "0", "amount": "0.000001"}, {"from": "999999999999999.999999", "amount": "12345678901.1234"},
    ]);
    assert_eq!(made["params"]["tiers"], tiers);
    assert_eq!(ada.get(&rules).await.expect(200)["rules"][0]["params"]["tiers"], tiers);
}

#[tokio::test]
async fn an_increment_has_its_own_params_and_bounds() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let rules = format!("{}/currency-rules", auction(&ada, json!({})).await);
    let tiers: Vec<Value> = (0..33).map(|from| json!({"from": from, "amount": 1})).collect();
    for (name, params) in [
        ("params", json!({})),
        ("params", json!({"amount": 1, "percent": 1})),
        ("params.amount", json!({"amount": 0})),
        ("params.amount", json!({"amount": "0.0000001"})),
        ("params.amount", json!({"amount": "1000000000000001"})),
        ("params.amount", json!({"amount": "x"})),
        ("params.percent", json!({"percent": "100.001"})),
        ("params.percent", json!({"percent": "0.0001"})),
        ("params.tiers", json!({"tiers": []})),
        ("params.tiers", json!({"tiers": tiers})),
        ("params.tiers.0.from", json!({"tiers": [{"from": 1, "amount": 1}]})),
        ("params.tiers.1.from", json!({"tiers": [{"from": 0, "amount": 1}, {"from": 0, "amount": 2}]})),
        ("params.denomination", json!({"amount": 1, "denomination": "KNUT"})),
        ("params.formula", json!({"formula": "x"})),
    ] {
        let body = json!({"type": "MIN_INCREMENT", "params": params});
        let wrong = wrong_fields(&ada.post(&rules, body.clone()).await);
        assert!(wrong.len() == 1 && wrong[0].starts_with(name), "{body}: {wrong:?}");
    }
    assert_eq!(ada.get(&rules).await.expect(200)["rules"], json!([]), "nothing was stored");
}

#[tokio::test]
async fn a_step_has_one_size_or_tiers() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (path, _, tickets) = with_profiles(&ada).await;
    let rules = format!("{path}/currency-rules");
    let one = json!({"type": "STEP", "currencyProfileId": tickets, "params": {"step": "2.50"}});
    let made = ada.post(&rules, one).await.expect(201);
    assert_eq!((&made["params"], &made["currencyProfileId"]), (&json!({"step": "2.5"}), &json!(tickets)));
    let tiers =
        r#"{"type": "STEP", "params": {"tiers": [{"from": 0, "step": 1.0}, {"from": 99.5, "step": 5}]}}"#;
    let made = ada.send_text("POST", &rules, tiers).await.expect(201);
    let expected = json!({"tiers": [{"from": "0", "step": "1"}, {"from": "99.5", "step": "5"}]});
    assert_eq!((&made["params"], &made["currencyProfileId"]), (&expected, &Value::Null));
    assert_eq!(ada.get(&rules).await.expect(200)["rules"][1]["params"], expected);
    for (name, params) in [
        ("params", json!({})),
        ("params", json!({"step": 1, "tiers": [{"from": 0, "step": 1}]})),
        ("params.step", json!({"step": 0})),
        ("params.tiers.0.step", json!({"tiers": [{"from": 0}]})),
        ("params.tiers.0.amount", json!({"tiers": [{"from": 0, "step": 1, "amount": 1}]})),
        ("params.tiers.0.unit", json!({"tiers": [{"from": 0, "step": 1, "unit": 1}]})),
        ("params.denomination", json!({"step": 1, "denomination": "KNUT"})),
    ] {
        let body = json!({"type": "STEP", "params": params});
        let wrong = wrong_fields(&ada.post(&rules, body.clone()).await);
        assert!(wrong.len() == 1 && wrong[0].starts_with(name), "{body}: {wrong:?}");
    }
}

#[tokio::test]
async fn a_profile_of_another_auction_is_invalid() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (_, galleons, _) = with_profiles(&ada).await;
    let (other, ..) = with_profiles(&ada).await;
    let body = json!({"type": "MIN_INCREMENT", "currencyProfileId": galleons, "params": {"amount": 1}});
    let answer = ada.post(&format!("{other}/currency-rules"), body).await;
    assert_eq!(wrong_fields(&answer), ["currencyProfileId"]);
}

#[tokio::test]
async fn an_auction_has_at_most_64_rules() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let rules = format!("{}/currency-rules", auction(&ada, json!({})).await);
    let body = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}, "position": 1_000_000});
    ada.post(&rules, body.clone()).await.expect(201);
    let body = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}});
    for _ in 1..64 {
        let made = ada.post(&rules, body.clone()).await.expect(201);
        assert_eq!(made["position"], 1_000_000, "the position has a maximum");
    }
    ada.post(&rules, body).await.expect_problem(409, "LIMIT_REACHED");
}

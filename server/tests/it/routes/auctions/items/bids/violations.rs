use serde_json::{Value, json};

use super::{Sale, codes, points, wizards};

/// Violations of a bid in a legacy auction.
async fn legacy(body: &str) -> Vec<String> {
    let sale = Sale::legacy(json!({"startingBid": "10"})).await;
    let ada = sale.bidder("ada").await;
    let refused = ada.send_text("POST", &sale.bids_path(), body).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(sale.bids().await, Vec::<Value>::new());
    codes(&refused)
}

#[tokio::test]
async fn violations_of_an_amount() {
    for (body, code) in [
        ("{}", "AMOUNT_REQUIRED"),
        (r#"{"amount": null}"#, "AMOUNT_REQUIRED"),
        (r#"{"amount": 1e3}"#, "INVALID_NUMBER"),
        (r#"{"amount": "1e3"}"#, "INVALID_NUMBER"),
        (r#"{"amount": ""}"#, "INVALID_NUMBER"),
        (r#"{"amount": -1}"#, "NEGATIVE"),
        (r#"{"amount": 12.345}"#, "FRACTION_NOT_ALLOWED"),
        (r#"{"amount": 1000000000001}"#, "AMOUNT_OUT_OF_RANGE"),
        (r#"{"amount": 0}"#, "NOT_POSITIVE"),
        (r#"{"amount": 9.99}"#, "MIN_BID"),
        (r#"{"enteredRepresentation": []}"#, "INPUT_MODE_MISMATCH"),
        (
            r#"{"amount": 20, "currencyProfileId": "01890000-0000-7000-8000-000000000000"}"#,
            "UNKNOWN_CURRENCY_PROFILE",
        ),
    ] {
        assert_eq!(legacy(body).await, [code], "{body}");
    }
}

#[tokio::test]
async fn violations_of_digits_beyond_the_precision() {
    let sale = Sale::open(json!({}), &[points("PT", "1")], json!({})).await;
    let ada = sale.bidder("ada").await;
    let refused = sale.bid(&ada, json!({"amount": 0.1})).await.expect_problem(422, "BID_REJECTED");
    let violation = &refused["details"]["violations"][0];
    assert_eq!(violation["code"], "FRACTION_NOT_ALLOWED");
    assert_eq!((&violation["required"], &violation["actual"]), (&json!("0"), &json!("0.1")));
    assert_eq!(refused["details"]["normalizedAmount"], Value::Null);
}

#[tokio::test]
async fn violations_of_counts() {
    let sale = Sale::open(json!({}), &[wizards()], json!({})).await;
    let ada = sale.bidder("ada").await;
    for (body, expected) in [
        (json!({}), vec!["REPRESENTATION_REQUIRED"]),
        (json!({"enteredRepresentation": []}), vec!["REPRESENTATION_REQUIRED"]),
        (json!({"amount": 5}), vec!["INPUT_MODE_MISMATCH"]),
        (
            json!({"enteredRepresentation": [{"denomination": "EURO", "count": 1}]}),
            vec!["UNKNOWN_DENOMINATION"],
        ),
        (
            json!({"enteredRepresentation": [
                {"denomination": "KNUT", "count": 1}, {"denomination": "KNUT", "count": 2},
                {"denomination": "SICKLE", "count": -2}, {"denomination": "GALLEON", "count": "x"},
            ]}),
            vec!["INVALID_NUMBER", "NEGATIVE", "DUPLICATE_DENOMINATION"],
        ),
    ] {
        let refused = sale.bid(&ada, body.clone()).await.expect_problem(422, "BID_REJECTED");
        assert_eq!(codes(&refused), expected, "{body}");
    }
}

#[tokio::test]
async fn violations_of_the_choice_of_a_currency() {
    let mut first = points("A", "1");
    first["isDefault"] = json!(false);
    let sale = Sale::open(json!({}), &[first, points("B", "2")], json!({})).await;
    let ada = sale.bidder("ada").await;
    let refused = sale.bid(&ada, json!({"amount": 5})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["CURRENCY_PROFILE_REQUIRED"]);
    let refused = sale.bid(&ada, json!({"amount": 5, "currencyProfileId": "nope"})).await;
    let refused = refused.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["UNKNOWN_CURRENCY_PROFILE"]);
    assert_eq!(refused["details"]["violations"][0]["actual"], "nope");
}

#[tokio::test]
async fn violations_with_one_currency_that_is_not_the_default() {
    let mut only = points("A", "1");
    only["isDefault"] = json!(false);
    let sale = Sale::open(json!({}), &[only], json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
}

#[tokio::test]
async fn violations_of_all_rules_are_reported_at_once() {
    let sale = Sale::open(json!({}), &[wizards()], json!({"minIncrementNormalized": "10"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let listed = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let profile = &listed["currencies"][0]["id"];
    for rule in [
        json!({"type": "REQUIRED_DENOMINATION", "currencyProfileId": profile,
               "params": {"denomination": "GALLEON", "minCount": 1}}),
        json!({"type": "MIN_COMPONENT_RATIO", "currencyProfileId": profile,
               "params": {"denomination": "GALLEON", "minRatio": "0.5"}}),
    ] {
        sale.owner.post(&format!("/api/auctions/{}/currency-rules", sale.auction), rule).await.expect(201);
    }
    let one = json!([{"denomination": "GALLEON", "count": 1}]);
    sale.bid(&ada, json!({"enteredRepresentation": one})).await.expect(201);
    let knuts = json!([{"denomination": "KNUT", "count": 493}]);
    let refused =
        sale.bid(&bob, json!({"enteredRepresentation": knuts})).await.expect_problem(422, "BID_REJECTED");
    let all = ["EQUAL_NOT_HIGHER", "MIN_INCREMENT", "MIN_COMPONENT_RATIO", "REQUIRED_DENOMINATION"];
    assert_eq!(codes(&refused), all);
    assert_eq!(refused["details"]["normalizedAmount"], "493");
    let increment = &refused["details"]["violations"][1];
    assert_eq!((&increment["required"], &increment["actual"]), (&json!("503"), &json!("493")));
    assert_eq!(increment["ruleId"], Value::Null, "the item's own increment has no rule");
    assert_eq!(refused["details"]["violations"][2]["denomination"], "GALLEON");
}

#[tokio::test]
async fn violations_of_steps_are_listed_after_those_of_increments() {
    let sale = Sale::open(json!({}), &[points("PT", "1")], json!({"minIncrementNormalized": "4"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let steps =
        json!({"type": "STEP", "params": {"tiers": [{"from": 0, "step": 5}, {"from": 12, "step": 10}]}});
    sale.owner.post(&format!("/api/auctions/{}/currency-rules", sale.auction), steps).await.expect(201);
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    let refused = sale.bid(&bob, json!({"amount": 11})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT", "STEP"]);
    let step = &refused["details"]["violations"][1];
    assert_eq!((&step["required"], &step["actual"]), (&json!("20"), &json!("11")));
    assert_eq!(step["message"], "Add 9: the next step is 20.", "15 is in the next tier, and no step of it");
    sale.bid(&bob, json!({"amount": 20})).await.expect(201);
}

#[tokio::test]
async fn violations_have_every_member_in_order() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let answer = sale.bid(&ada, json!({"amount": -1})).await;
    answer.expect_problem(422, "BID_REJECTED");
    let expected = r#""violations":[{"code":"NEGATIVE","ruleId":null,"message":""#;
    assert!(answer.text.contains(expected), "{}", answer.text);
    assert!(
        answer.text.contains(r#","required":"0","actual":"-1","denomination":null}]"#),
        "{}",
        answer.text
    );
}

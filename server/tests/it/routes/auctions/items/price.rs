use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::{auction, tickets, wizards, wrong_fields};

#[tokio::test]
async fn legacy_terms_keep_their_digits() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    for (code, written, canonical) in [
        ("EUR", "0.1", "0.1"),
        ("GBP", "12345678901.12", "12345678901.12"),
        ("KWD", "\"999999999999.999\"", "999999999999.999"),
        ("JPY", "1000000000000", "1000000000000"),
        ("CLF", "12345678901.1234", "12345678901.1234"),
        ("USD", "1.500000000", "1.5"),
    ] {
        let body = format!(
            r#"{{"name": "A vase", "currencyCode": "{code}", "startingBid": {written}, "minBidIncrement": {written}}}"#
        );
        let made = ada.send_text("POST", &items, &body).await.expect(201);
        for name in ["startingBid", "minBidIncrement", "minBidNormalized", "minIncrementNormalized"] {
            assert_eq!(made[name], canonical, "{code} {name}");
        }
    }
}

#[tokio::test]
async fn an_amount_has_at_most_the_digits_of_its_currency() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    for (code, amount) in [("JPY", "10.5"), ("GBP", "0.001"), ("KWD", "0.0001"), ("XAU", "0.5")] {
        let body = json!({"name": "A vase", "currencyCode": code, "startingBid": amount});
        assert_eq!(wrong_fields(&ada.post(&items, body).await), ["startingBid"], "{code} {amount}");
    }
    for amount in ["0", "-1", "1000000000000.01", "1e2", "x", "0.0000000000"] {
        let body = json!({"name": "A vase", "currencyCode": "EUR", "minBidIncrement": amount});
        assert_eq!(wrong_fields(&ada.post(&items, body).await), ["minBidIncrement"], "{amount}");
    }
    for code in [json!(null), json!("EURO"), json!("eur"), json!("ZZZ"), json!(978)] {
        let body = json!({"name": "A vase", "currencyCode": code});
        assert_eq!(wrong_fields(&ada.post(&items, body).await), ["currencyCode"], "{code}");
    }
}

#[tokio::test]
async fn price_terms_of_the_other_kind_are_refused() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let items = format!("{path}/items");
    let body =
        json!({"name": "A vase", "currencyCode": "EUR", "minIncrementNormalized": 1, "minBidConstraint": {}});
    assert_eq!(wrong_fields(&ada.post(&items, body).await), ["minBidConstraint", "minIncrementNormalized"]);
    ada.post(&format!("{path}/currencies"), tickets(json!({}))).await.expect(201);
    let body = json!({"name": "A vase", "currencyCode": "EUR", "startingBid": 1, "minBidIncrement": 1});
    assert_eq!(
        wrong_fields(&ada.post(&items, body).await),
        ["currencyCode", "startingBid", "minBidIncrement"]
    );
    ada.post(&items, json!({"name": "A vase", "currencyCode": null})).await.expect(201);
}

/// Creates an auction with galleons and tickets. Returns the path of its items and the profiles' ids.
async fn with_profiles(owner: &Client) -> (String, Value, Value) {
    let path = auction(owner, json!({})).await;
    let currencies = format!("{path}/currencies");
    let galleons = owner.post(&currencies, wizards(json!({}))).await.expect(201);
    let fine = json!({"precision": 2, "fractionPolicy": "UP"});
    let tickets = owner.post(&currencies, tickets(fine)).await.expect(201);
    (format!("{path}/items"), galleons["id"].clone(), tickets["id"].clone())
}

#[tokio::test]
async fn a_minimum_is_entered_like_a_bid_and_normalized() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (items, galleons, tickets) = with_profiles(&ada).await;
    let counts = json!([{"denomination": "KNUT", "count": 7.0}, {"denomination": "GALLEON", "count": "3"}]);
    let minimum = json!({"currencyProfileId": galleons, "enteredRepresentation": counts});
    let made = ada.post(&items, json!({"name": "A vase", "minBidConstraint": minimum})).await.expect(201);
    assert_eq!(made["minBidNormalized"], "1486");
    let kept = json!([{"denomination": "KNUT", "count": "7"}, {"denomination": "GALLEON", "count": "3"}]);
    assert_eq!(
        made["minBidConstraint"],
        json!({"currencyProfileId": galleons, "enteredRepresentation": kept})
    );

    let body = format!(
        r#"{{"name": "B", "minIncrementNormalized": 12345678901.123400,
            "minBidConstraint": {{"currencyProfileId": {tickets}, "amount": 0.111}}}}"#
    );
    let made = ada.send_text("POST", &items, &body).await.expect(201);
    assert_eq!(
        made["minBidConstraint"],
        json!({"currencyProfileId": tickets, "amount": "0.111"}),
        "as entered"
    );
    assert_eq!(made["minBidNormalized"], "1.5", "0.12 tickets after rounding");
    assert_eq!(made["minIncrementNormalized"], "12345678901.1234");
    for name in ["currencyCode", "startingBid", "minBidIncrement"] {
        assert_eq!(made[name], Value::Null);
    }
}

#[tokio::test]
async fn an_invalid_minimum_reports_its_violations() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (items, galleons, tickets) = with_profiles(&ada).await;
    let euro = json!([{"denomination": "EURO", "count": 1}]);
    for (code, minimum) in [
        ("INPUT_MODE_MISMATCH", json!({"currencyProfileId": galleons, "amount": 1})),
        ("AMOUNT_REQUIRED", json!({"currencyProfileId": tickets})),
        ("REPRESENTATION_REQUIRED", json!({"currencyProfileId": galleons, "enteredRepresentation": []})),
        ("INVALID_NUMBER", json!({"currencyProfileId": tickets, "amount": "much"})),
        ("NEGATIVE", json!({"currencyProfileId": tickets, "amount": -1})),
        ("UNKNOWN_DENOMINATION", json!({"currencyProfileId": galleons, "enteredRepresentation": euro})),
        ("AMOUNT_OUT_OF_RANGE", json!({"currencyProfileId": tickets, "amount": "1000000000001"})),
        ("NOT_POSITIVE", json!({"currencyProfileId": tickets, "amount": 0})),
    ] {
        let answer = ada.post(&items, json!({"name": "A vase", "minBidConstraint": minimum})).await;
        assert!(wrong_fields(&answer).iter().all(|path| path.starts_with("minBidConstraint")), "{minimum}");
        assert_eq!(answer.json()["details"]["violations"][0]["code"], code, "{minimum}");
    }
    for (path, minimum) in [
        ("minBidConstraint", json!("10")),
        ("minBidConstraint.currencyProfileId", json!({"amount": 1})),
        (
            "minBidConstraint.currencyProfileId",
            json!({"currencyProfileId": super::super::NO_ID, "amount": 1}),
        ),
        ("minBidConstraint.x", json!({"currencyProfileId": tickets, "amount": 1, "x": 1})),
    ] {
        let answer = ada.post(&items, json!({"name": "A vase", "minBidConstraint": minimum})).await;
        assert_eq!(wrong_fields(&answer), [path], "{minimum}");
    }
    for increment in ["0", "0.0000001", "1000000000000000.000001", "-1"] {
        let answer = ada.post(&items, json!({"name": "A vase", "minIncrementNormalized": increment})).await;
        assert_eq!(wrong_fields(&answer), ["minIncrementNormalized"], "{increment}");
    }
    assert_eq!(ada.get(&items).await.expect(200)["items"], json!([]), "nothing was stored");
}

#[tokio::test]
async fn legacy_terms_have_no_effect_while_profiles_exist() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let body = json!({"name": "A vase", "currencyCode": "EUR", "startingBid": 10, "isPublished": true});
    let item = ada.post(&format!("{path}/items"), body).await.expect(201);
    ada.post(&format!("{path}/currencies"), tickets(json!({}))).await.expect(201);
    let item = ada.get(&format!("{path}/items/{}", item["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(item["minBidNormalized"], Value::Null);
    assert_eq!(item["minIncrementNormalized"], Value::Null);
}

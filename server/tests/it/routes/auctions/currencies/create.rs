use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::routes::auctions::items::bids::Sale;
use crate::routes::auctions::{auction, tickets, wizards, wrong_fields};

#[tokio::test]
async fn a_new_profile_has_defaults() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    let answer = ada.post(&path, tickets(json!({}))).await;
    let made = answer.expect(201);
    let expected = json!({
        "id": made["id"], "auctionId": path.split('/').nth(3), "code": "TICKET", "name": "Raffle tickets",
        "plural": null, "symbol": "", "rateToBase": "12.5", "inputMode": "SCALAR", "precision": 0, "fractionPolicy": "REJECT",
        "denominations": [], "isDefault": true, "createdAt": "2026-05-01T18:00:00.000Z",
        "updatedAt": "2026-05-01T18:00:00.000Z",
    });
    assert_eq!(made, expected);
    assert_eq!(answer.header("etag"), "\"1\"");
    assert_eq!(answer.header("location"), format!("{path}/{}", made["id"].as_str().unwrap()));
    assert_eq!(ada.get(&path).await.expect(200), json!({"currencies": [made]}));
}

#[tokio::test]
async fn denominations_keep_their_order_and_their_digits() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    let made = ada
        .post(&path, wizards(json!({"symbol": "ʛ", "precision": 4, "fractionPolicy": "HALF_EVEN"})))
        .await
        .expect(201);
    assert_eq!(
        made["denominations"],
        json!([
            {"code": "GALLEON", "name": "Galleon", "plural": "Galleons", "symbol": "G", "factor": "493", "written": true},
            {"code": "SICKLE", "name": "Sickle", "plural": "Sickles", "symbol": "", "factor": "29", "written": true},
            {"code": "KNUT", "name": "Knut", "plural": "Knuts", "symbol": "", "factor": "1", "written": true},
        ])
    );
    assert_eq!(made["rateToBase"], "1");
    assert_eq!(made["fractionPolicy"], "HALF_EVEN");
    assert_eq!(ada.get(&path).await.expect(200)["currencies"][0], made);
}

#[tokio::test]
async fn rates_are_read_from_their_digits() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    for (number, (written, canonical)) in [
        ("0.1", "0.1"),
        ("0.000001", "0.000001"),
        ("1000000", "1000000"),
        ("\"000001.500000000\"", "1.5"),
        ("123456.654321", "123456.654321"),
    ]
    .into_iter()
    .enumerate()
    {
        let body = format!(
            r#"{{"code": "T{number}", "name": "T", "inputMode": "SCALAR", "rateToBase": {written}}}"#
        );
        assert_eq!(ada.send_text("POST", &path, &body).await.expect(201)["rateToBase"], canonical);
    }
    for written in [
        "0",
        "-1",
        "1000000.000001",
        "0.0000001",
        "1e2",
        "1.0000000000",
        "\"\"",
        "\" 1\"",
        "\"+1\"",
        "\".5\"",
    ] {
        let body = format!(r#"{{"code": "T", "name": "T", "inputMode": "SCALAR", "rateToBase": {written}}}"#);
        assert_eq!(wrong_fields(&ada.send_text("POST", &path, &body).await), ["rateToBase"], "{written}");
    }
}

#[tokio::test]
async fn all_errors_are_reported_at_once_and_nothing_is_stored() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    let body = json!({
        "code": "go ld", "symbol": 1, "rateToBase": 0, "inputMode": "DENOMINATION", "precision": 9, "x": 1,
        "denominations": [{"code": "A", "name": "A", "factor": 1}, {"code": "a", "name": "", "factor": "x"}],
    });
    let mut wrong = wrong_fields(&ada.post(&path, body).await);
    wrong.sort();
    let expected = [
        "code",
        "denominations.1.code",
        "denominations.1.factor",
        "denominations.1.name",
        "name",
        "precision",
        "rateToBase",
        "symbol",
        "x",
    ];
    assert_eq!(wrong, expected);
    assert_eq!(ada.get(&path).await.expect(200)["currencies"], json!([]));
}

#[tokio::test]
async fn codes_are_stored_in_capitals() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let auction = auction(&ada, json!({})).await;
    let path = format!("{auction}/currencies");
    let coins = json!({
        "code": "gp", "name": "Coins", "rateToBase": 1, "inputMode": "DENOMINATION",
        "denominations": [{"code": "gold", "name": "Gold", "factor": 10}, {"code": "s-1", "name": "Silver", "factor": 1}],
    });
    let made = ada.post(&path, coins).await.expect(201);
    let codes = [&made["code"], &made["denominations"][0]["code"], &made["denominations"][1]["code"]];
    assert_eq!(codes, ["GP", "GOLD", "S-1"]);
    ada.post(&path, tickets(json!({"code": "Gp"}))).await.expect_problem(409, "CODE_TAKEN");
    let id = made["id"].as_str().unwrap();
    let renamed = ada.patch(&format!("{path}/{id}"), json!({"code": "coin"})).await.expect(200);
    assert_eq!(renamed["code"], "COIN");
    let rule = json!({"type": "REQUIRED_DENOMINATION", "currencyProfileId": id,
                      "params": {"denomination": "gold", "minCount": 1}});
    let made = ada.post(&format!("{auction}/currency-rules"), rule).await.expect(201);
    assert_eq!(made["params"]["denomination"], "GOLD");
}

#[tokio::test]
async fn a_code_is_unique_in_an_auction() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    ada.post(&path, tickets(json!({}))).await.expect(201);
    let again = tickets(json!({"name": "Other", "isDefault": true}));
    ada.post(&path, again).await.expect_problem(409, "CODE_TAKEN");
    let listed = ada.get(&path).await.expect(200);
    assert_eq!(listed["currencies"].as_array().unwrap().len(), 1);
    assert_eq!(listed["currencies"][0]["isDefault"], true, "the default is unchanged");
    let other = format!("{}/currencies", auction(&ada, json!({})).await);
    ada.post(&other, tickets(json!({}))).await.expect(201);
}

#[tokio::test]
async fn a_new_default_replaces_the_previous_one() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    for (code, is_default, defaults) in [
        ("A", None, vec![true]),
        ("B", None, vec![true, false]),
        ("C", Some(true), vec![false, false, true]),
        ("D", Some(false), vec![false, false, true, false]),
    ] {
        ada.post(&path, tickets(json!({"code": code, "isDefault": is_default}))).await.expect(201);
        app.clock.advance_seconds(1);
        let listed = ada.get(&path).await.expect(200);
        let found: Vec<&Value> =
            listed["currencies"].as_array().unwrap().iter().map(|currency| &currency["isDefault"]).collect();
        assert_eq!(json!(found), json!(defaults), "{code}");
    }
    let none = format!("{}/currencies", auction(&ada, json!({})).await);
    let first = ada.post(&none, tickets(json!({"isDefault": false}))).await.expect(201);
    assert_eq!(first["isDefault"], false, "also the first profile, if the body says so");
}

#[tokio::test]
async fn an_auction_has_at_most_32_profiles() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/currencies", auction(&ada, json!({})).await);
    for number in 0..32 {
        ada.post(&path, tickets(json!({"code": format!("T{number}")}))).await.expect(201);
    }
    ada.post(&path, tickets(json!({"code": "T32"}))).await.expect_problem(409, "LIMIT_REACHED");
}

#[tokio::test]
async fn legacy_bids_keep_an_auction_legacy() {
    let sale = Sale::legacy(json!({})).await;
    let currencies = format!("/api/auctions/{}/currencies", sale.auction);
    let made = sale.owner.post(&currencies, tickets(json!({}))).await;
    made.expect(201);
    sale.owner.delete(made.header("location")).await.expect(204);
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.owner.post(&currencies, tickets(json!({}))).await.expect_problem(409, "HAS_BIDS");
    assert_eq!(sale.owner.get(&currencies).await.expect(200)["currencies"], json!([]));
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
}

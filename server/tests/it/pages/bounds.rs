//! The bounds of form fields are the API's: it accepts the longest text that a field takes, and no longer
//! one.

use app::bounds::{
    MAX_CODE_CHARS, MAX_DENOMINATIONS, MAX_ESTIMATE_CHARS, MAX_LOCALE_CHARS, MAX_PRECISION, MAX_REASON_CHARS,
    MAX_TITLE_CHARS, MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS, MAX_USER_NAME_CHARS, MIN_PASSWORD_CHARS,
};
use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::{auction, tickets, wizards};

/// Sends `body` with a text of `longest` characters, which must be accepted, and with a longer one, which
/// must not.
async fn assert_longest(
    client: &Client,
    method: &str,
    path: &str,
    longest: usize,
    body: impl Fn(&str) -> Value,
) {
    let accepted = client.send(method, path, body(&"X".repeat(longest))).await;
    assert!(accepted.status.is_success(), "{longest}: {}", accepted.text);
    let refused = client.send(method, path, body(&"X".repeat(longest + 1))).await;
    refused.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn a_name_has_the_bound_of_its_field() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    assert_longest(&ada, "PATCH", "/api/user", MAX_USER_NAME_CHARS, |name| json!({ "name": name })).await;
    assert_longest(&ada, "POST", "/api/auctions", MAX_TITLE_CHARS, |name| json!({ "name": name })).await;
    let path = auction(&ada, json!({})).await;
    let items = format!("{path}/items");
    let item = |name: &str| json!({"name": name, "currencyCode": "EUR"});
    assert_longest(&ada, "POST", &items, MAX_TITLE_CHARS, item).await;
    let item = |estimate: &str| json!({"name": "A", "currencyCode": "EUR", "estimate": estimate});
    assert_longest(&ada, "POST", &items, MAX_ESTIMATE_CHARS, item).await;
    let unit = |name: &str| json!({"baseUnit": {"name": name, "symbol": ""}});
    assert_longest(&ada, "PATCH", &path, MAX_UNIT_NAME_CHARS, unit).await;
    let unit = |symbol: &str| json!({"baseUnit": {"name": "Knut", "symbol": symbol}});
    assert_longest(&ada, "PATCH", &path, MAX_UNIT_SYMBOL_CHARS, unit).await;
}

#[tokio::test]
async fn a_currency_has_the_bounds_of_its_form() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let currencies = format!("{}/currencies", auction(&ada, json!({})).await);
    let name = |name: &str| tickets(json!({"code": "A", "name": name}));
    assert_longest(&ada, "POST", &currencies, MAX_UNIT_NAME_CHARS, name).await;
    let symbol = |symbol: &str| tickets(json!({"code": "B", "symbol": symbol}));
    assert_longest(&ada, "POST", &currencies, MAX_UNIT_SYMBOL_CHARS, symbol).await;
    let code = |code: &str| tickets(json!({ "code": code }));
    assert_longest(&ada, "POST", &currencies, MAX_CODE_CHARS, code).await;

    let denomination = |code: &str, name: &str, symbol: &str| {
        let denomination = json!({"code": "KNUT", "name": name, "symbol": symbol, "factor": 1});
        wizards(json!({"code": code, "denominations": [denomination]}))
    };
    let name = |name: &str| denomination("C", name, "");
    assert_longest(&ada, "POST", &currencies, MAX_UNIT_NAME_CHARS, name).await;
    let symbol = |symbol: &str| denomination("D", "Knut", symbol);
    assert_longest(&ada, "POST", &currencies, MAX_UNIT_SYMBOL_CHARS, symbol).await;

    // The text stands for a list of as many denominations.
    let list = |text: &str| {
        let entry = |n| json!({"code": format!("P{n}"), "name": "Piece", "factor": n + 1});
        wizards(json!({"code": "E", "denominations": (0..text.len()).map(entry).collect::<Vec<_>>()}))
    };
    assert_longest(&ada, "POST", &currencies, MAX_DENOMINATIONS, list).await;
    let most = usize::try_from(MAX_PRECISION).unwrap();
    assert_longest(&ada, "POST", &currencies, most, |text| {
        tickets(json!({"code": "F", "precision": text.len()}))
    })
    .await;
}

#[tokio::test]
async fn a_locale_has_the_bound_of_its_field() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    // A tag as long as the text.
    const TAG: &str = "en-abcdefgh-abcdefgh-abcdefgh-abcdefgh";
    let tag = |text: &str| json!({ "locale": TAG[..text.len()] });
    assert_longest(&ada, "PATCH", "/api/user", MAX_LOCALE_CHARS, tag).await;
}

#[tokio::test]
async fn a_reason_has_the_bound_of_its_field() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    let made = ada.post(&items, json!({"name": "A vase", "currencyCode": "EUR"})).await.expect(201);
    let item = format!("{items}/{}", made["id"].as_str().unwrap());
    // The refused reason comes first: a cancelled item can't be cancelled again.
    let cancel = format!("{item}/cancel");
    let too_long = json!({"reason": "X".repeat(MAX_REASON_CHARS + 1)});
    ada.post(&cancel, too_long).await.expect_problem(422, "INVALID_BODY");
    ada.post(&cancel, json!({"reason": "X".repeat(MAX_REASON_CHARS)})).await.expect(200);
}

#[tokio::test]
async fn a_password_has_the_least_length_of_its_field() {
    let app = TestApp::start().await;
    let register = async |length: usize| {
        let body =
            json!({"email": "ada@example.org", "password": "xy".repeat(length).get(..length), "name": "Ada"});
        app.anonymous().post("/api/auth/register", body).await
    };
    register(MIN_PASSWORD_CHARS - 1).await.expect_problem(422, "INVALID_BODY");
    register(MIN_PASSWORD_CHARS).await.expect(201);
}

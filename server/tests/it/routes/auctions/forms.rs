//! The forms of auctions and items, as a browser without JavaScript sends them.

use serde_json::json;

use super::{auction, remove, tickets};
use crate::harness::{Client, TestApp};

/// Posts a form, follows its redirect to an existing page, and returns the page's address.
async fn follow(client: &Client, path: &str, fields: &[(&str, &str)]) -> String {
    let answer = client.post_form(path, fields).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text);
    let location = answer.header("location").to_owned();
    let page = client.get(&location).await;
    assert_eq!(page.status.as_u16(), 200, "{location}: {}", page.text);
    location
}

#[tokio::test]
async fn a_form_creates_an_auction_and_empty_fields_are_absent() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let fields = [
        ("name", "Spring sale"),
        ("description", ""),
        ("joinMode", "FREE"),
        ("baseUnitName", "Knut"),
        ("baseUnitSymbol", ""),
    ];
    let path = follow(&ada, "/auctions/new/settings", &fields).await;
    let made = ada.get(&format!("/api{path}")).await.expect(200);
    assert_eq!(made["joinMode"], "FREE");
    assert_eq!(made["baseUnit"], json!({"name": "Knut", "plural": null, "symbol": ""}));
    let path = follow(&ada, "/auctions/new/settings", &[("name", "Autumn sale"), ("baseUnitName", "")]).await;
    assert_eq!(ada.get(&format!("/api{path}")).await.expect(200)["baseUnit"], json!(null));
}

#[tokio::test]
async fn a_refused_form_keeps_its_values() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let fields = [("name", ""), ("description", "Of <b>all</b> kinds"), ("baseUnitSymbol", "ʞ")];
    let answer = ada.post_form("/auctions/new/settings", &fields).await;
    assert_eq!(answer.status.as_u16(), 422);
    assert!(answer.text.contains("Of &lt;b&gt;all&lt;/b&gt; kinds"), "{}", answer.text);
    for field in ["field-name", "field-baseUnitName"] {
        assert!(answer.text.contains(&format!("href=\"#{field}\"")), "{field}: {}", answer.text);
    }
    assert_eq!(ada.get("/api/auctions").await.expect(200)["auctions"], json!([]));
    assert_eq!(
        app.anonymous().post_form("/auctions/new/settings", &[("name", "x")]).await.status.as_u16(),
        401
    );
}

#[tokio::test]
async fn a_button_joins_an_auction() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let page = path.strip_prefix("/api").unwrap();
    assert_eq!(follow(&bob, &format!("{page}/join"), &[]).await, page);
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], "BIDDER");
    let item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
    let item = ada.post(&format!("{path}/items"), item).await;
    let item = item.header("location").strip_prefix("/api").unwrap().to_owned();
    let cy = app.user("cy").await;
    assert!(cy.get(&item).await.text.contains("aria-label=\"Place a bid\""), "a bid joins");
    assert_eq!(follow(&cy, &item, &[("amount", "5")]).await, item);
    assert_eq!(cy.get(&path).await.expect(200)["myRole"], "BIDDER");
    remove(&ada, &path, &cy).await;
    assert!(cy.get(&item).await.text.contains("You were removed from this auction"));
    let hidden = auction(&ada, json!({})).await;
    let answer = bob.post_form(&format!("{}/join", hidden.strip_prefix("/api").unwrap()), &[]).await;
    assert_eq!(answer.status.as_u16(), 404);
}

#[tokio::test]
async fn a_form_creates_an_item_with_or_without_currencies() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let form = format!("{}/items/new", path.strip_prefix("/api").unwrap());
    let fields = [
        ("name", "A vase"),
        ("currencyCode", "GBP"),
        ("startingBid", "0,10"),
        ("minBidIncrement", ""),
        ("endDate", "2026-06-01T18:00"),
        ("isPublished", "true"),
    ];
    let item = follow(&ada, &form, &fields).await;
    let made = ada.get(&format!("/api{item}")).await.expect(200);
    assert_eq!(made["startingBid"], "0.1");
    assert_eq!(made["endDate"], "2026-06-01T18:00:00.000Z", "as typed, in UTC");
    assert_eq!(made["status"], "OPEN");

    let id = made["id"].as_str().unwrap();
    let next = ada.get(&format!("{form}?created={id}")).await.text;
    let own = next.matches("A vase").count();
    assert_eq!(own, 0, "{next}");
    for shared in ["value=\"0.1\"", "value=\"2026-06-01T18:00\"", "<option value=\"GBP\" selected"] {
        assert!(next.contains(shared), "{shared} in {next}");
    }
    let [another, only] = ["Create and add another", "Create item"]
        .map(|label| next.split("</button>").position(|button| button.trim_end().ends_with(label)).unwrap());
    assert!(another < only, "Enter in a field presses the first button");

    let answer =
        ada.post_form(&form, &[("name", "A vase"), ("currencyCode", "JPY"), ("startingBid", "10.5")]).await;
    assert_eq!(answer.status.as_u16(), 422);
    assert!(
        answer.text.contains("href=\"#field-startingBid\"") && answer.text.contains("10.5"),
        "{}",
        answer.text
    );

    ada.post(&format!("{path}/currencies"), tickets(json!({}))).await.expect(201);
    let item = follow(&ada, &form, &[("name", "B"), ("minIncrementNormalized", "2,50")]).await;
    let made = ada.get(&format!("/api{item}")).await.expect(200);
    assert_eq!(made["minIncrementNormalized"], "2.5");
    assert_eq!(made["isPublished"], false, "a browser does not send an unchecked box");
}

#[tokio::test]
async fn a_decimal_comma_is_a_point_in_the_forms_of_currencies_and_rules() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let page = path.strip_prefix("/api").unwrap();
    let coins = [
        ("name", "Coins"),
        ("inputMode", "DENOMINATION"),
        ("rateToBase", "0,5"),
        ("denominations.0.name", "Crown"),
        ("denominations.0.factor", "2,5"),
    ];
    follow(&ada, &format!("{page}/currencies/new"), &coins).await;
    let made = &ada.get(&format!("{path}/currencies")).await.expect(200)["currencies"][0];
    assert_eq!((&made["rateToBase"], &made["denominations"][0]["factor"]), (&json!("0.5"), &json!("2.5")));

    let rules = format!("{page}/currency-rules/new");
    let amount =
        [("type", "MIN_INCREMENT"), ("kind", "amount"), ("params.amount", "1,5"), ("enabled", "true")];
    follow(&ada, &rules, &amount).await;
    let tiers = [
        ("type", "STEP"),
        ("kind", "tiers"),
        ("params.tiers.0.from", "0"),
        ("params.tiers.0.step", "0,25"),
        ("enabled", "true"),
    ];
    follow(&ada, &rules, &tiers).await;
    let made = &ada.get(&format!("{path}/currency-rules")).await.expect(200)["rules"];
    assert_eq!(made[0]["params"], json!({"amount": "1.5"}));
    assert_eq!(made[1]["params"], json!({"tiers": [{"from": "0", "step": "0.25"}]}));
    let grouped = [("type", "MIN_INCREMENT"), ("kind", "amount"), ("params.amount", "1.000")];
    assert_eq!(ada.post_form(&rules, &grouped).await.status.as_u16(), 422);
}

//! The form that starts an auction with its money and its first lots.

use auction_house::items::start::start_auction;
use platform::fields::Object;
use serde_json::{Value, json};

use super::{auction, join, user_id};
use crate::harness::{Answer, Client, TestApp};

const FORM: &str = "/auctions/new";

/// The answers that every form has, with others.
fn answers<'a>(others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("name", "Summer fair"),
        ("joinMode", "FREE"),
        ("itemEndMode", "AUCTION_END"),
        ("endDate", "2026-06-01T18:00"),
        ("lots.0.name", "Cake"),
        ("lots.0.minimum", "5"),
        ("lots.1.name", ""),
        ("lots.1.minimum", " "),
        ("lots.2.name", "Owl"),
        ("lots.2.minimum", ""),
    ];
    for (name, value) in others {
        fields.retain(|(field, _)| field != name);
        fields.push((name, value));
    }
    fields
}

/// What a started auction has: itself, its currencies and its items.
struct Started {
    path: String,
    auction: Value,
    currencies: Value,
    items: Value,
}

async fn started(client: &Client, answer: &Answer) -> Started {
    assert_eq!(answer.status, 303, "{}", answer.text);
    let page = client.get(answer.header("location")).await;
    assert!(page.text.contains("Next steps"), "{}", page.text);
    let path = format!("/api{}", answer.header("location").split('?').next().unwrap());
    Started {
        auction: client.get(&path).await.expect(200),
        currencies: client.get(&format!("{path}/currencies")).await.expect(200)["currencies"].clone(),
        items: client.get(&format!("{path}/items")).await.expect(200)["items"].clone(),
        path,
    }
}

async fn count(client: &Client, list: &str) -> usize {
    client.get(&format!("/api/{list}")).await.expect(200)[list].as_array().unwrap().len()
}

#[tokio::test]
async fn tickets_that_people_have_come_with_their_book_their_unit_and_their_currency() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let money = [
        ("money", "BOOK"),
        ("baseUnitName", "Star"),
        ("baseUnitPlural", "Stars"),
        ("startingBalance", "40"),
        ("idempotencyKey", "k"),
        ("lots.0.minimum", "5 stars"),
    ];
    let made = ada.post_form(FORM, &answers(&money)).await;
    let Started { path, auction, currencies, items } = started(&ada, &made).await;
    assert_eq!(auction["baseUnit"], json!({"name": "Star", "plural": "Stars", "symbol": ""}));
    assert_eq!(
        (&auction["endDate"], &auction["itemEndMode"]),
        (&json!("2026-06-01T18:00:00.000Z"), &json!("AUCTION_END"))
    );
    let [currency] = currencies.as_array().unwrap().as_slice() else { panic!("{currencies}") };
    assert_eq!(
        (&currency["code"], &currency["plural"], &currency["isDefault"]),
        (&json!("STAR"), &json!("Stars"), &json!(true))
    );
    let [cake, owl] = items.as_array().unwrap().as_slice() else { panic!("{items}") };
    assert_eq!(
        (&cake["name"], &cake["lotNumber"], &cake["minBidNormalized"]),
        (&json!("Cake"), &json!("1"), &json!("5"))
    );
    assert_eq!(
        (&owl["lotNumber"], &owl["minBidNormalized"], &owl["status"]),
        (&json!("2"), &json!(null), &json!("OPEN"))
    );
    join(&bob, &path).await;
    assert_eq!(bob.get(&format!("{path}/balance")).await.expect(200)["available"], "40");

    let again = ada.post_form(FORM, &answers(&money)).await;
    assert_eq!(again.header("location"), made.header("location"));
    assert_eq!((count(&ada, "auctions").await, count(&ada, "books").await), (1, 1));

    let book = auction["bookId"].as_str().unwrap();
    let kept = [("money", "BOOK"), ("bookId", book), ("baseUnitName", "Ignored")];
    let second = started(&ada, &ada.post_form(FORM, &answers(&kept)).await).await;
    assert_eq!(
        (&second.auction["bookId"], &second.auction["baseUnit"]),
        (&auction["bookId"], &auction["baseUnit"])
    );
    assert_eq!(second.currencies[0]["name"], "Star");
    let refused = bob.post_form(FORM, &answers(&kept)).await;
    assert!(refused.status == 422 && refused.text.contains("href=\"#field-bookId\""), "{}", refused.text);
    assert_eq!(count(&ada, "books").await, 1);
}

#[tokio::test]
async fn a_template_names_the_unit_and_ordinary_money_is_that_of_the_lots() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let coins = [
        ("money", "COINS"),
        ("template", "shillings"),
        ("itemEndMode", "NONE"),
        ("lots.0.minimum", "£1 2s"),
        ("lots.2.minimum", "3"),
    ];
    let Started { auction, items, .. } = started(&ada, &ada.post_form(FORM, &answers(&coins)).await).await;
    assert_eq!(auction["baseUnit"], json!({"name": "Penny", "plural": "Pence", "symbol": "d"}));
    assert_eq!((&auction["endDate"], &auction["bookId"]), (&json!(null), &json!(null)));
    let minima = [0, 1].map(|at| items[at]["minBidNormalized"].clone());
    assert_eq!(minima, [json!("264"), json!("720")], "a number alone counts pounds");

    let pounds = [("money", "ISO"), ("currencyCode", "GBP"), ("lots.0.minimum", "£2.50")];
    let made = ada.post_form(FORM, &answers(&pounds)).await;
    assert!(made.header("location").ends_with("?new=true"), "{}", made.header("location"));
    let Started { path, currencies, items, .. } = started(&ada, &made).await;
    assert_eq!(currencies, json!([]));
    assert_eq!((&items[0]["currencyCode"], &items[0]["startingBid"]), (&json!("GBP"), &json!("2.5")));
    let page = path.strip_prefix("/api").unwrap();
    for form in ["new", "add"] {
        let next = ada.get(&format!("{page}/items/{form}")).await.text;
        assert!(next.contains("<option value=\"GBP\" selected"), "the next lot is in pounds, too: {next}");
    }
}

#[tokio::test]
async fn the_people_of_a_group_bid_and_nobody_else() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let by_group = [("joinMode", "GROUP"), ("currencyCode", "GBP")];
    let without = ada.get(FORM).await.text;
    assert!(
        !without.contains("A group, by numbers") && without.contains("href=\"/groups/new\""),
        "{without}"
    );
    let group = ada.post("/api/groups", json!({"name": "Class 4b"})).await.expect(201);
    let with = ada.get(FORM).await.text;
    assert!(with.contains("A group, by numbers") && !with.contains("href=\"/groups/new\""), "{with}");

    let none = ada.post_form(FORM, &answers(&by_group)).await;
    assert_eq!(none.status, 422, "{}", none.text);
    assert!(none.text.contains("Choose a group that you keep"), "{}", none.text);
    assert_eq!(count(&ada, "auctions").await, 0);

    let id = group["id"].as_str().unwrap();
    let fields = [by_group[0], by_group[1], ("groupId", id)];
    let answer = ada.post_form(FORM, &answers(&fields)).await;
    let Started { auction, .. } = started(&ada, &answer).await;
    assert_eq!((&auction["joinMode"], &auction["groupId"]), (&json!("INVITE_ONLY"), &json!(id)));

    let for_all = [("joinMode", "FREE"), by_group[1], ("groupId", id)];
    let Started { auction, .. } = started(&ada, &ada.post_form(FORM, &answers(&for_all)).await).await;
    let of_nobody = (&json!("FREE"), &json!(null));
    assert_eq!((&auction["joinMode"], &auction["groupId"]), of_nobody, "chosen before another answer");
}

#[tokio::test]
async fn what_is_refused_stands_beside_its_field_and_nothing_is_made() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let book = [("money", "BOOK"), ("baseUnitName", "Ticket"), ("startingBalance", "100")];
    for (wrong, field) in [
        (("name", ""), "name"),
        (("endDate", ""), "endDate"),
        (("endDate", "2020-01-01T00:00"), "endDate"),
        (("baseUnitName", ""), "baseUnitName"),
        (("startingBalance", "many"), "startingBalance"),
        (("lots.2.minimum", "much"), "lots.2.minimum"),
        (("lots.1.minimum", "7"), "lots.1.name"),
        (("money", "ISO"), "currencyCode"),
        (("money", "COINS"), "template"),
    ] {
        let mut fields = answers(&book);
        fields.retain(|(name, _)| *name != wrong.0);
        fields.push(wrong);
        let refused = ada.post_form(FORM, &fields).await;
        assert_eq!(refused.status, 422, "{wrong:?}");
        assert!(refused.text.contains(&format!("href=\"#field-{field}\"")), "{wrong:?}: {}", refused.text);
        assert!(refused.text.contains(&format!("id=\"field-{field}\"")), "{wrong:?}: {}", refused.text);
        assert!(refused.text.contains("value=\"Owl\""), "what was typed stays: {}", refused.text);
    }
    assert_eq!((count(&ada, "auctions").await, count(&ada, "books").await), (0, 0));
}

/// The second lot is refused after the book, the auction and the first lot were written.
#[tokio::test]
async fn a_late_refusal_leaves_nothing_half_made() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    auction(&ada, json!({})).await;
    let lot = json!({"name": "Cake", "lotNumber": 7});
    let body = json!({
        "auction": {"name": "Summer fair"},
        "book": {"name": "Summer fair", "baseUnit": {"name": "Ticket"}},
        "currencySet": {"currencies": [
            {"code": "TICKET", "name": "Ticket", "rateToBase": 1, "inputMode": "SCALAR"}]},
        "items": [lot, lot],
    });
    let object: Object = serde_json::from_str(&body.to_string()).unwrap();
    let user = user_id(&ada).await.parse().unwrap();
    let refused = start_auction(&app.state.context, user, object).await.map(|_| ()).unwrap_err();
    let problem = platform::http::problem::Problem::from(refused);
    assert_eq!(problem.fields[0].path, "items.1.lotNumber");
    assert_eq!((count(&ada, "auctions").await, count(&ada, "books").await), (1, 0));
}

//! `/auctions/{auction_id}/settings`: the page on which an auction is changed, and its forms.

use serde_json::{Value, json};

use super::auction;
use super::items::bids::Sale;
use crate::harness::{Answer, Client, TestApp};

fn page(path: &str) -> String {
    format!("{}/settings", path.strip_prefix("/api").unwrap())
}

/// Posts a form and returns the address that it leads to.
async fn follow(client: &Client, path: &str, fields: &[(&str, &str)]) -> String {
    let answer = client.post_form(path, fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").to_owned()
}

fn contains(answer: &Answer, parts: &[&str]) {
    for part in parts {
        assert!(answer.text.contains(part), "{part}: {}", answer.text);
    }
}

#[tokio::test]
async fn the_form_shows_and_changes_every_setting() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"description": "Blue", "memberCanInvite": true})).await;
    let overview = ada.get(&page(&path)).await;
    contains(
        &overview,
        &["“Spring sale”.", "Members may invite bidders.", "You close it yourself.", "No goal."],
    );
    let shown = async |subject: &str| ada.get(&format!("{}?subject={subject}", page(&path))).await;
    contains(&shown("about").await, &["value=\"Spring sale\"", "Blue", "name=\"version\" value=\"1\""]);
    contains(&shown("end").await, &["value=\"300\"", "name=\"version\" value=\"1\""]);
    let fields = [
        ("version", "1"),
        ("name", "Autumn sale"),
        ("description", "Red"),
        ("joinMode", "FREE"),
        ("bidderVisibility", "PER_BID"),
        ("readableBy", "ANYONE"),
        ("endDate", "2026-06-01T18:00"),
        ("endDate.zone", "UTC"),
        ("itemEndMode", "AUCTION_END"),
        ("defaultAntiSnipe", "true"),
        ("defaultAntiSnipeThreshold", "5"),
        ("defaultAntiSnipeExtension", " 10 "),
        ("baseUnitName", "Knut"),
        ("baseUnitSymbol", "ʞ"),
    ];
    let saved = follow(&ada, &page(&path), &fields).await;
    contains(&ada.get(&saved).await, &["The settings are saved.", "“Autumn sale”."]);
    let changed = ada.get(&path).await.expect(200);
    for (name, value) in [
        ("name", json!("Autumn sale")),
        ("description", json!("Red")),
        ("joinMode", json!("FREE")),
        ("memberCanInvite", json!(false)),
        ("bidderVisibility", json!("PER_BID")),
        ("readableBy", json!("ANYONE")),
        ("endDate", json!("2026-06-01T18:00:00.000Z")),
        ("itemEndMode", json!("AUCTION_END")),
        ("defaultAntiSnipe", json!(true)),
        ("defaultAntiSnipeThreshold", json!(5)),
        ("defaultAntiSnipeExtension", json!(10)),
        ("baseUnit", json!({"name": "Knut", "plural": null, "symbol": "ʞ"})),
    ] {
        assert_eq!(changed[name], value, "{name}");
    }
    follow(&ada, &page(&path), &[("version", "2"), ("name", "Autumn sale")]).await;
    let emptied = ada.get(&path).await.expect(200);
    for (name, value) in [
        ("description", json!("")),
        ("endDate", Value::Null),
        ("defaultAntiSnipe", json!(false)),
        ("defaultAntiSnipeThreshold", json!(300)),
        ("baseUnit", Value::Null),
        ("joinMode", json!("FREE")),
    ] {
        assert_eq!(emptied[name], value, "{name}");
    }
}

#[tokio::test]
async fn a_refused_form_keeps_what_was_typed_with_an_error_beside_each_field() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"defaultAntiSnipe": true, "memberCanInvite": true})).await;
    let people = [("version", "1"), ("subject", "people"), ("joinMode", "ALL"), ("memberCanInvite", "true")];
    let refused = ada.post_form(&format!("{}?subject=people", page(&path)), &people).await;
    assert_eq!(refused.status, 422);
    contains(&refused, &["href=\"#field-joinMode\""]);
    assert!(is_checked(&refused, "memberCanInvite"), "{}", refused.text);
    let about =
        [("version", "1"), ("subject", "about"), ("name", ""), ("description", "Of <b>all</b> kinds")];
    let refused = ada.post_form(&format!("{}?subject=about", page(&path)), &about).await;
    contains(&refused, &["Of &lt;b&gt;all", "href=\"#field-name\""]);
    let fields = [
        ("version", "1"),
        ("subject", "end"),
        ("endDate", "soon"),
        ("endDate.zone", "UTC"),
        ("defaultAntiSnipeThreshold", "4"),
        ("defaultAntiSnipeExtension", "1.5"),
    ];
    let refused = ada.post_form(&format!("{}?subject=end", page(&path)), &fields).await;
    assert_eq!(refused.status, 422);
    contains(&refused, &["value=\"4\"", "value=\"1.5\"", "5 to 3600"]);
    for field in ["endDate", "defaultAntiSnipeThreshold", "defaultAntiSnipeExtension"] {
        contains(&refused, &[&format!("href=\"#field-{field}\"")]);
    }
    assert!(!is_checked(&refused, "defaultAntiSnipe"), "{}", refused.text);
    let outdated = ada.post_form(&page(&path), &[("version", "7"), ("name", "B")]).await;
    assert_eq!(outdated.status, 412);
    assert_eq!(ada.get(&path).await.expect(200)["name"], "Spring sale");
}

fn is_checked(page: &Answer, name: &str) -> bool {
    let input = page.text.split(&format!("name=\"{name}\"")).nth(1).unwrap();
    input.split('>').next().unwrap().contains("checked")
}

/// The screen of one subject changes its own members only, and the others not even to their defaults.
#[tokio::test]
async fn the_screen_of_a_subject_changes_what_it_shows() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let terms = json!({"description": "Blue", "memberCanInvite": true, "currencyCode": "EUR", "goal": "500"});
    let path = auction(&ada, terms).await;
    let save = async |fields: &[(&str, &str)]| {
        let subject = fields[0].1;
        follow(&ada, &format!("{}?subject={subject}", page(&path)), fields).await
    };
    let saved =
        save(&[("subject", "about"), ("name", "Autumn sale"), ("collection", "The hall, at 10")]).await;
    contains(
        &ada.get(&saved).await,
        &["The settings are saved.", "value=\"Autumn sale\"", "The hall, at 10"],
    );
    let saved = save(&[("subject", "money"), ("currencyCode", "GBP"), ("goal", "1250.50")]).await;
    contains(&ada.get(&saved).await, &["value=\"1250.5\"", "value=\"GBP\" selected"]);
    let changed = ada.get(&path).await.expect(200);
    for (name, value) in [
        ("name", json!("Autumn sale")),
        ("description", json!("")),
        ("memberCanInvite", json!(true)),
        ("collection", json!("The hall, at 10")),
        ("currencyCode", json!("GBP")),
        ("goal", json!("1250.5")),
    ] {
        assert_eq!(changed[name], value, "{name}");
    }
    contains(&ada.get(&page(&path)).await, &["Pay and collect: The hall, at 10", "Ordinary money: GBP."]);
    for goal in ["0", "much", "-1"] {
        let fields = [("subject", "money"), ("currencyCode", "GBP"), ("goal", goal)];
        let refused = ada.post_form(&format!("{}?subject=money", page(&path)), &fields).await;
        assert_eq!(refused.status, 422, "{goal}");
        contains(&refused, &["href=\"#field-goal\"", &format!("value=\"{goal}\"")]);
    }
}

#[tokio::test]
async fn what_bids_freeze_is_not_offered() {
    let sale = Sale::open(json!({"bidderVisibility": "PER_BID"}), &[], json!({"currencyCode": "EUR"})).await;
    let settings = format!("/auctions/{}/settings", sale.auction);
    let screens = async || {
        let mut screens = String::new();
        for subject in ["people", "end", "delete"] {
            screens += &sale.owner.get(&format!("{settings}?subject={subject}")).await.text;
        }
        screens
    };
    let before = screens().await;
    for part in ["value=\"VISIBLE\"", "value=\"AUCTION_END\"", "Delete the auction"] {
        assert!(before.contains(part), "{part}: {before}");
    }
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let after = screens().await;
    for part in ["value=\"VISIBLE\"", "value=\"AUCTION_END\"", "Delete the auction"] {
        assert!(!after.contains(part), "{part}: {after}");
    }
    for part in ["value=\"PER_BID\"", "value=\"ANONYMOUS\"", "value=\"CUSTOM\"", "can’t be deleted"] {
        assert!(after.contains(part), "{part}: {after}");
    }
    let fields = [("name", "B"), ("bidderVisibility", "PER_BID"), ("itemEndMode", "CUSTOM")];
    follow(&sale.owner, &settings, &fields).await;
    let reveal = [("name", "B"), ("bidderVisibility", "VISIBLE"), ("itemEndMode", "CUSTOM")];
    assert_eq!(sale.owner.post_form(&settings, &reveal).await.status, 409);
}

#[tokio::test]
async fn a_button_closes_the_auction_for_good() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let unsure = ada.post_form(&format!("{}/close", page(&path)), &[]).await;
    assert_eq!(unsure.status, 422);
    contains(&unsure, &["Tick the box to close the auction", "href=\"#field-closedForGood\""]);
    assert_eq!(ada.get(&path).await.expect(200)["status"], "OPEN");
    let sure = [("closedForGood", "true")];
    let closed = follow(&ada, &format!("{}/close", page(&path)), &sure).await;
    let shown = ada.get(&closed).await;
    contains(&shown, &["The auction is closed."]);
    assert!(!shown.text.contains("Save settings") && !shown.text.contains("Close the auction now"));
    assert_eq!(ada.get(&path).await.expect(200)["status"], "CLOSED");
    let again = ada.post_form(&format!("{}/close", page(&path)), &sure).await;
    assert_eq!(again.status, 409);
    assert_eq!(ada.post_form(&page(&path), &[("name", "B")]).await.status, 409);
}

#[tokio::test]
async fn an_auction_is_deleted_after_its_name_was_typed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let delete = format!("{}/delete", page(&path));
    for name in ["", "Spring", "spring sale"] {
        let refused = ada.post_form(&delete, &[("confirmedName", name)]).await;
        assert_eq!(refused.status, 422, "{name}");
        contains(&refused, &["Type the name of the auction", "href=\"#field-confirmedName\""]);
    }
    ada.get(&path).await.expect(200);
    let list = follow(&ada, &delete, &[("confirmedName", " Spring sale ")]).await;
    contains(&ada.get(&list).await, &["The auction is deleted."]);
    ada.get(&path).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_address_of_a_button_leads_to_its_page() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let page = path.strip_prefix("/api").unwrap();
    for (address, above) in [
        ("/admin/transfer".to_owned(), "/admin?subject=transfer".to_owned()),
        ("/sign-out".to_owned(), "/".to_owned()),
        ("/account/sessions/x/end".to_owned(), "/account?subject=sessions".to_owned()),
        (format!("{page}/join"), page.to_owned()),
        (format!("{page}/settings/close"), format!("{page}/settings?subject=close")),
        (format!("{page}/currencies/base-unit?x=1"), format!("{page}/currencies")),
    ] {
        let answer = ada.get(&address).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, above.as_str()), "{address}");
    }
    let answer = Answer::of(ada.request("PUT", "/admin")).await;
    answer.expect_problem(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn a_form_copies_the_auction_and_leads_to_the_copy() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"description": "Blue"})).await;
    let item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
    ada.post(&format!("{path}/items"), item).await.expect(201);
    let copy = format!("{}/copy", page(&path));
    let refused = ada.post_form(&copy, &[("copyName", "")]).await;
    assert_eq!(refused.status, 422);
    contains(&refused, &["href=\"#field-copyName\""]);
    let fields = [("copyName", "Summer sale"), ("copyItems", "true"), ("idempotencyKey", "once")];
    let copied = follow(&ada, &copy, &fields).await;
    assert_eq!(follow(&ada, &copy, &fields).await, copied, "a second click makes no second copy");
    contains(&ada.get(&copied).await, &["This is the copy.", "“Summer sale”."]);
    let id = copied.split('/').nth(2).unwrap();
    let items = ada.get(&format!("/api/auctions/{id}/items")).await.expect(200);
    assert_eq!(
        (&items["items"][0]["name"], &items["items"][0]["status"]),
        (&json!("A vase"), &json!("DRAFT"))
    );
}

#[tokio::test]
async fn a_form_sets_the_ends_of_the_items() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    for name in ["A vase", "A jug"] {
        let item = json!({"name": name, "currencyCode": "EUR", "isPublished": true});
        ada.post(&format!("{path}/items"), item).await.expect(201);
    }
    let schedule = format!("{}/schedule", page(&path));
    for (fields, field) in [
        (vec![("firstEnd", "soon"), ("intervalSeconds", "60")], "firstEnd"),
        (vec![("firstEnd", "2026-06-01T20:00"), ("intervalSeconds", "a minute")], "intervalSeconds"),
        (vec![("firstEnd", "2026-06-01T20:00"), ("intervalSeconds", "86401")], "intervalSeconds"),
    ] {
        let refused = ada.post_form(&schedule, &fields).await;
        assert_eq!(refused.status, 422, "{fields:?}");
        contains(&refused, &[&format!("href=\"#field-{field}\"")]);
    }
    let fields =
        [("firstEnd", "2026-06-01T20:00"), ("firstEnd.zone", "Europe/Berlin"), ("intervalSeconds", "90")];
    let saved = follow(&ada, &schedule, &fields).await;
    contains(&ada.get(&saved).await, &["The ends of the items are set, from "]);
    let items = ada.get(&format!("{path}/items")).await.expect(200);
    let ends = [0, 1].map(|at| items["items"][at]["endDate"].clone());
    assert_eq!(ends, ["2026-06-01T18:00:00.000Z", "2026-06-01T18:01:30.000Z"]);
    ada.patch(&path, json!({"itemEndMode": "NONE"})).await.expect(200);
    assert!(!ada.get(&page(&path)).await.text.contains("Set the ends"));
}

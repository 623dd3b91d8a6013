//! `POST /api/auctions/{auction_id}/items/import`

use installation::config::Switch;
use serde_json::{Value, json};

use super::bids::{Sale, points, wizards};
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::{auction, give_role, join, wrong_fields};

/// Posts a table to the items of an auction.
pub async fn post(client: &Client, path: &str, query: &str, key: &str, table: impl Into<Vec<u8>>) -> Answer {
    let request = client.request("POST", &format!("{path}/items/import{query}"));
    let request = request.header("content-type", "text/csv").header("idempotency-key", key);
    Answer::of(request.body(table.into())).await
}

pub async fn items(client: &Client, path: &str) -> Vec<Value> {
    let page = client.get(&format!("{path}/items?limit=100")).await.expect(200);
    page["items"].as_array().unwrap().clone()
}

/// The messages of the errors of rows, with their paths.
pub fn errors(answer: &Answer) -> Vec<(String, String)> {
    let document = answer.json();
    let errors = document["errors"].as_array().or(document["details"]["fields"].as_array()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    errors.iter().map(|error| (text(&error["path"]), text(&error["message"]))).collect()
}

const TABLE: &str = "lot;Name;Estimate;Minimum;Increment;currency;ends;published;Category\n\
    KM-2;A vase;£40–60;12,50;0,5;GBP;2026-05-02 18:00;yes;Art\n\
    ;A lamp;;;;gbp;;;\n\
    7;\"An urn\nof clay\";;5;;;2026-05-02T18:00:00Z;no;\n";

#[tokio::test]
async fn a_table_creates_items_and_changes_those_whose_lots_exist() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let (zone, dry) = ("?timeZone=Europe/Berlin", "?timeZone=Europe/Berlin&dryRun=true");
    let seven = json!({"name": "A jug", "currencyCode": "EUR", "lotNumber": 7, "isPublished": true, "description": "Old"});
    ada.post(&format!("{path}/items"), seven).await.expect(201);

    let refused = post(&ada, &path, zone, "k0", TABLE).await;
    assert_eq!(wrong_fields(&refused), ["row 4"], "a name has one line");
    let table = TABLE.replace("\"An urn\nof clay\"", "An urn");
    let shown = post(&ada, &path, dry, "k0", table.as_str()).await.expect(200);
    let row = |row: i64, lot: &str, name: &str, action: &str| json!({"row": row, "lot": lot, "name": name, "action": action});
    assert_eq!(
        shown,
        json!({"rows": [
            row(2, "KM-2", "A vase", "CREATE"), row(3, "8", "A lamp", "CREATE"), row(4, "7", "An urn", "CHANGE"),
        ], "errors": [], "passedOver": [], "ignoredColumns": ["Category"], "unread": ["Category"]})
    );
    assert_eq!(items(&ada, &path).await.len(), 1, "nothing is written");

    let written = post(&ada, &path, zone, "k1", table.as_str()).await;
    let import_id = written.expect(201)["importId"].clone();
    let counts = json!({"importId": import_id, "created": 2, "changed": 1, "unchanged": 0});
    assert_eq!(written.json(), counts);
    let again = post(&ada, &path, zone, "k1", table.as_str()).await;
    assert_eq!((again.expect(201), again.header("idempotent-replayed")), (written.json(), "true"));
    let found = items(&ada, &path).await;
    let [urn, lamp, vase] = found.as_slice() else { panic!("{found:?}") };
    for (item, expected) in [
        (
            vase,
            json!({"lotNumber": "KM-2", "estimate": "£40–60", "startingBid": "12.5", "minBidIncrement": "0.5",
                      "currencyCode": "GBP", "endDate": "2026-05-02T16:00:00.000Z", "isPublished": true}),
        ),
        (lamp, json!({"lotNumber": "8", "startingBid": null, "currencyCode": "GBP", "isPublished": false})),
        (
            urn,
            json!({"lotNumber": "7", "name": "An urn", "description": "Old", "startingBid": "5",
                     "currencyCode": "EUR", "endDate": "2026-05-02T18:00:00.000Z", "isPublished": false}),
        ),
    ] {
        for (member, value) in expected.as_object().unwrap() {
            assert_eq!(&item[member], value, "{member}");
        }
    }
    let same = post(&ada, &path, zone, "k2", "lot,name\nkm-2,A vase\n7,\n").await;
    assert_eq!(same.expect(201), json!({"created": 0, "changed": 0, "unchanged": 2}));
}

#[tokio::test]
async fn amounts_are_in_the_default_currency() {
    let sale = Sale::open(json!({}), &[wizards()], json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let table = "name,minimum,increment\nA wand,3.2.1,0.1.0\nAn owl,1.2,5\nA broom,twelve,\n";
    let refused = post(&sale.owner, &path, "?dryRun=true", "k", table).await;
    let paths: Vec<String> = errors(&refused).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["row 3", "row 4"]);
    assert_eq!(refused.json()["rows"].as_array().unwrap().len(), 1);
    post(&sale.owner, &path, "", "k", "name,minimum,increment\nA wand,3.2.1,0.1.0\n").await.expect(201);
    let found = items(&sale.owner, &path).await;
    let wand = found.iter().find(|item| item["name"] == "A wand").unwrap();
    // A galleon has 493 knuts, a sickle 29.
    assert_eq!((&wand["minBidNormalized"], &wand["minIncrementNormalized"]), (&json!("1538"), &json!("29")));

    let sale = Sale::open(json!({}), &[points("P", "2")], json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    post(&sale.owner, &path, "", "k", "name;minimum;increment\nA cake;3;1\n").await.expect(201);
    let found = items(&sale.owner, &path).await;
    let cake = found.iter().find(|item| item["name"] == "A cake").unwrap();
    assert_eq!((&cake["minBidNormalized"], &cake["minIncrementNormalized"]), (&json!("6"), &json!("2")));
}

#[tokio::test]
async fn a_wrong_row_is_named_and_nothing_is_written() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"endDate": "2026-05-05T18:00:00Z"})).await;
    let table = "lot,name,minimum,currency,seller,starts,ends,published\n\
        1,A vase,12,EUR,,,,\n\
        01-,A vase,12,EUR,,,,\n\
        1,A lamp,12,EUR,,,,\n\
        2,,12,EUR,,,,\n\
        3,An urn,\"1,000\",EUR,,,,\n\
        4,An urn,12,XXQ,,,,\n\
        5,An urn,12,EUR,nobody@example.org,,,\n\
        6,An urn,12,EUR,,1.5.2026,,\n\
        7,An urn,12,EUR,,,2026-05-06 18:00,\n\
        8,An urn,12,EUR,,,,maybe\n\
        9,An urn,12,EUR,,,,,more\n\
        10,An urn,12,EUR,ada@example.org,,,x\n";
    let refused = post(&ada, &path, "", "k", table).await;
    refused.expect_problem(422, "INVALID_BODY");
    let mut found = errors(&refused);
    found.sort_by_key(|(path, _)| path.trim_start_matches("row ").parse::<u32>().unwrap());
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    let expected: Vec<String> = (3..=12).map(|row| format!("row {row}")).collect();
    assert_eq!(paths, expected);
    for ((_, message), column) in found.iter().zip([
        "lot",
        "lot",
        "name",
        "minimum",
        "currency",
        "seller",
        "starts",
        "ends",
        "published",
        "has more cells",
    ]) {
        assert!(message.starts_with(column), "{message}");
    }
    assert!(items(&ada, &path).await.is_empty());
    for (table, path_of_error) in [("", "csv"), ("colour\nred\n", "row 1"), ("name\n", "row 2")] {
        assert_eq!(wrong_fields(&post(&ada, &path, "", "k", table).await), [path_of_error], "{table}");
    }
    assert_eq!(wrong_fields(&post(&ada, &path, "?timeZone=Mars", "k", "name\nA\n").await), ["timeZone"]);
    let latin = post(&ada, &path, "", "k", b"name,currency\nK\xfcche,EUR\n".to_vec()).await;
    assert!(latin.text.contains("row 2") && latin.status == 422, "{}", latin.text);
}

#[tokio::test]
async fn ordinary_money_is_that_of_the_auction() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"currencyCode": "CHF"})).await;
    post(&ada, &path, "", "k", "name,minimum\nA vase,5\n").await.expect(201);
    assert_eq!(items(&ada, &path).await[0]["currencyCode"], "CHF");
}

#[tokio::test]
async fn what_has_bids_stays_as_it_is() {
    let sale = Sale::legacy(json!({"startingBid": 10, "lotNumber": 5})).await;
    let bob = sale.bidder("bob").await;
    bob.post(&format!("{}/bids", sale.item_path()), json!({"amount": 10})).await.expect(201);
    let path = format!("/api/auctions/{}", sale.auction);
    let refused = post(&sale.owner, &path, "", "k", "lot,minimum\n5,20\n").await;
    assert!(errors(&refused)[0].1.contains("standing bid"), "{}", refused.text);
    let bob_sells = post(&sale.owner, &path, "", "k", "lot,seller\n5,bob@example.org\n").await;
    assert!(errors(&bob_sells)[0].1.contains("leads the item"), "{}", bob_sells.text);
    post(&sale.owner, &path, "", "k", "lot,description\n5,Cleaned\n").await.expect(201);
}

#[tokio::test]
async fn a_creator_names_neither_lots_nor_sellers() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    post(&bob, &path, "", "k", "name,currency\nA vase,EUR\n").await.expect_problem(403, "FORBIDDEN");
    give_role(&ada, &path, &bob, "CREATOR").await;
    post(&bob, &path, "", "k", "name,currency\nA vase,EUR\n").await.expect(201);
    for table in ["lot,name,currency\n9,A vase,EUR\n", "name,currency,seller\nA vase,EUR,bob@example.org\n"] {
        assert_eq!(wrong_fields(&post(&bob, &path, "", "k2", table).await), ["row 1"]);
    }
    assert_eq!(items(&ada, &path).await.len(), 1);
}

#[tokio::test]
async fn an_import_needs_a_key_and_an_open_auction() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let request = ada.request("POST", &format!("{path}/items/import")).header("content-type", "text/csv");
    let answer = Answer::of(request.body("name,currency\nA vase,EUR\n")).await;
    assert_eq!(wrong_fields(&answer), ["Idempotency-Key"]);
    post(&ada, &path, "", "k", "name,currency\nA vase,EUR\n").await.expect(201);
    post(&ada, &path, "", "k", "name,currency\nA lamp,EUR\n")
        .await
        .expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    ada.post(&format!("{path}/close"), json!({})).await.expect(200);
    post(&ada, &path, "", "k2", "name,currency\nA lamp,EUR\n").await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn five_thousand_rows_are_imported_at_once() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let table = |count: usize| format!("name,currency,published\n{}", "A vase,EUR,yes\n".repeat(count));
    assert_eq!(wrong_fields(&post(&ada, &path, "", "k", table(5_001)).await), ["row 5002"]);
    let written = post(&ada, &path, "", "k", table(5_000)).await;
    assert_eq!(written.expect(201)["created"], 5_000);
    let last = ada.get(&format!("{path}/items?sort=newest&limit=1")).await.expect(200);
    assert_eq!(last["items"][0]["lotNumber"], "5000");
    let named = post(&ada, &path, "", "k2", table(2)).await;
    assert_eq!(wrong_fields(&named), ["row 2", "row 3"], "several lots have the name");
    post(&ada, &path, "", "k2", table(5_000).replace("vase", "jug")).await.expect(201);
    post(&ada, &path, "", "k3", table(1).replace("vase", "cup")).await.expect_problem(409, "LIMIT_REACHED");
}

/// The form of the page with pasted rows.
pub async fn paste(client: &Client, page: &str, rows: &str, is_preview: bool) -> Answer {
    paste_with(client, page, rows, &if is_preview { vec![("preview", "true")] } else { Vec::new() }).await
}

/// The form of the page with pasted rows and further fields.
pub async fn paste_with(client: &Client, page: &str, rows: &str, further: &[(&str, &str)]) -> Answer {
    let field = |name: &str, value: &str| {
        format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let further: String = further.iter().map(|(name, value)| field(name, value)).collect();
    let fields =
        [field("idempotencyKey", "k"), field("timeZone", "Europe/Berlin"), field("csv", rows), further];
    let request = client.request("POST", &format!("{page}/items/import/file"));
    let request = request.header("content-type", "multipart/form-data; boundary=b");
    Answer::of(request.body(format!("{}--b--\r\n", fields.concat()))).await
}

#[tokio::test]
async fn the_page_previews_pasted_rows_and_imports_them_once() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"currencyCode": "EUR"})).await;
    let page = path.trim_start_matches("/api");
    let rows = "name\tends\tshelf\nA vase\t2026-05-02 18:00\t3";
    let preview = paste(&ada, page, rows, true).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    for words in ["1 row can be imported", "A new lot", "This column is not read: shelf", "2026-05-02 18:00"]
    {
        assert!(preview.text.contains(words), "{words}: {}", preview.text);
    }
    let refused = paste(&ada, page, "name\tends\nA vase\tsoon", false).await;
    assert_eq!(refused.status, 422);
    for words in [
        "1 row is wrong: nothing was imported.",
        "Row 2: ends: write a time such as 2026-05-01 18:00",
        "id=\"field-csv-error\"",
    ] {
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    assert!(items(&ada, &path).await.is_empty());
    let withheld = paste(&ada, page, rows, false).await;
    assert_eq!(withheld.status, 200, "{}", withheld.text);
    for words in ["role=\"alert\"", "This column is not read: shelf", "Nothing was imported yet."] {
        assert!(withheld.text.contains(words), "{words}: {}", withheld.text);
    }
    assert!(items(&ada, &path).await.is_empty(), "a column is not read, and no preview has said so");
    let seen = previewed(&withheld);
    assert_eq!(previewed(&preview), seen);
    for _ in 0..2 {
        let done = paste_with(&ada, page, rows, &[("previewed", &seen)]).await;
        assert_eq!(done.header("location"), format!("{page}/items/import?created=1&changed=0"));
    }
    let made = items(&ada, &path).await;
    assert_eq!((made.len(), &made[0]["endDate"]), (1, &json!("2026-05-02T16:00:00.000Z")));
    let shown = ada.get(&format!("{page}/items/import?created=1&changed=0")).await;
    assert!(shown.text.contains("1 lot created, 0 changed."), "{}", shown.text);
}

/// The name of the table that a page has previewed.
pub fn previewed(page: &Answer) -> String {
    let start = "<input type=\"hidden\" name=\"previewed\" value=\"";
    let value = page.text.split(start).nth(1).and_then(|rest| rest.split('"').next());
    value.unwrap_or_else(|| panic!("{}", page.text)).to_owned()
}

/// 600 writes are permitted at once; the form is one, and its rows are 20.
#[tokio::test]
async fn the_rows_of_a_refused_table_are_counted_once() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"currencyCode": "EUR"})).await;
    let rows = format!("name;minimum\n{}", "Vase;x\n".repeat(2_000));
    for _ in 0..25 {
        let refused = paste(&ada, path.trim_start_matches("/api"), &rows, false).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
    }
}

/// A seller is named by e-mail: a table must not tell which of many have an account.
#[tokio::test]
async fn sellers_that_nobody_knows_are_named_a_hundred_times_by_an_address() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE", "currencyCode": "EUR"})).await;
    join(&bob, &path).await;
    app.confirm_emails().await;
    let table = |strangers: std::ops::Range<usize>| {
        let row = |n| format!("Vase,stranger{n}@example.net\n");
        format!("name,seller\nJug,bob@example.org\n{}", strangers.map(row).collect::<String>())
    };
    let dry = async |strangers| post(&ada, &path, "?dryRun=true", "k", table(strangers)).await;
    let shown = dry(0..50).await;
    shown.expect(200);
    assert_eq!(errors(&shown).len(), 50, "{}", shown.text);
    dry(50..99).await.expect(200);
    dry(99..120).await.expect_problem(429, "TOO_MANY_REQUESTS");
    dry(0..0).await.expect(200);
}

#[tokio::test]
async fn followers_are_told_once_of_each_item_that_a_table_changes() {
    let app = TestApp::start().await;
    let (ada, bob, cleo) = (app.user("ada").await, app.user("bob").await, app.user("cleo").await);
    let path = auction(&ada, json!({"joinMode": "FREE", "currencyCode": "EUR"})).await;
    join(&bob, &path).await;
    join(&cleo, &path).await;
    let table = |estimate: &str| {
        format!(
            "lot;name;estimate;published\n1;Vase;{estimate};yes\n2;Jug;{estimate};yes\n3;Cup;{estimate};yes\n"
        )
    };
    post(&ada, &path, "", "k1", table("5")).await.expect(201);
    let made = items(&ada, &path).await;
    let item = |at: usize| format!("{path}/items/{}", made[at]["id"].as_str().unwrap());
    for at in [0, 1] {
        bob.send("PUT", &format!("{}/watch", item(at)), json!({})).await.expect(204);
    }
    cleo.post(&format!("{}/bids", item(2)), json!({"amount": 7})).await.expect(201);
    for (key, estimate) in [("k2", "6"), ("k3", "7")] {
        post(&ada, &path, "", key, table(estimate)).await.expect(201);
    }
    let told = async |user: &Client| {
        let inbox = user.get("/api/user/notifications").await.expect(200);
        let of_changes = |one: &&Value| one["kind"] == "ITEM_CHANGED";
        let told = inbox["notifications"].as_array().unwrap().iter().filter(of_changes);
        told.map(|one| one["itemId"].clone()).collect::<Vec<_>>()
    };
    let mut bobs = told(&bob).await;
    bobs.sort_by_key(|id| made.iter().position(|item| item["id"] == *id));
    assert_eq!(bobs, [made[0]["id"].clone(), made[1]["id"].clone()], "an unread one is not repeated");
    assert_eq!(told(&cleo).await, [made[2]["id"].clone()]);
    assert!(told(&ada).await.is_empty());
}

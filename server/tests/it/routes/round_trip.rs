//! What is exported as a table is imported again, and changes nothing.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::auction;
use crate::routes::auctions::items::bids::{points, wizards};
use crate::routes::books::{add, book};
use crate::routes::groups::Group;

/// The CSV of an export.
async fn table(client: &Client, path: &str) -> String {
    let exported = client.get(path).await;
    assert_eq!(exported.status, 200, "{}", exported.text);
    assert_eq!(exported.header("content-type"), "text/csv; charset=utf-8; header=present");
    exported.text
}

async fn import(client: &Client, path: &str, key: &str, table: &str) -> Value {
    let request = client.request("POST", path).header("content-type", "text/csv");
    Answer::of(request.header("idempotency-key", key).body(table.to_owned())).await.expect(201)
}

const LOTS: &str = "lot,name,description,estimate,minimum,increment,starts,ends,published\n\
    7,\"A \"\"magic\"\" vase, blue\",\"Two\nlines\",£40–60,3.2.1,0.1.0,2026-05-02 18:00,2026-05-03T18:00:00Z,yes\n\
    KM-2,Ein Löffel,,,,,,,no\n\
    12E3,A lamp,=1+1,,0.0.5,,,,\n";

#[tokio::test]
async fn the_items_of_an_auction_are_read_again_by_their_import() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let new = async || {
        let path = auction(&ada, json!({})).await;
        ada.post(&format!("{path}/currencies"), wizards()).await.expect(201);
        path
    };
    let (path, other) = (new().await, new().await);
    import(&ada, &format!("{path}/items/import"), "k", LOTS).await;
    let exported = table(&ada, &format!("{path}/items/export?format=csv")).await;
    let header =
        "\u{feff}lot,name,description,estimate,minimum,increment,currency,seller,starts,ends,published\r\n";
    let vase = "7,\"A \"\"magic\"\" vase, blue\",\"Two\nlines\",£40–60,3.2.1,0.1.0,,,\
        2026-05-02T18:00:00.000Z,2026-05-03T18:00:00.000Z,yes\r\n";
    assert!(exported.starts_with(header), "{exported}");
    assert!(exported.contains(vase), "{exported}");
    assert!(exported.contains("12E3,A lamp,\"'=1+1\",,0.0.5,,,,,,"), "no formula: {exported}");
    let same = import(&ada, &format!("{path}/items/import"), "again", &exported).await;
    assert_eq!(same, json!({"created": 0, "changed": 0, "unchanged": 3}));
    let copied = import(&ada, &format!("{other}/items/import"), "copy", &exported).await;
    assert_eq!(copied["created"], 3);
    assert_eq!(table(&ada, &format!("{other}/items/export?format=csv")).await, exported);

    let document = ada.get(&format!("{path}/items/export")).await.expect(200);
    let lamp =
        document["items"].as_array().unwrap().iter().find(|item| item["lot"] == "12E3").unwrap().clone();
    let (none, lamp_of_json) = (Value::Null, &lamp["description"]);
    assert_eq!((&lamp["minimum"], &lamp["estimate"], lamp_of_json), (&json!("0.0.5"), &none, &json!("=1+1")));
    ada.get(&format!("{path}/items/export?format=ods")).await.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn minima_are_exported_in_the_default_currency_if_a_bid_in_it_is_worth_as_much() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let mut ids = Vec::new();
    for currency in [points("TWO", "2"), points("ONE", "1")] {
        let made = ada.post(&format!("{path}/currencies"), currency).await.expect(201);
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    for (name, minimum) in [("Even", 6), ("Odd", 7)] {
        let constraint = json!({"currencyProfileId": ids[1], "amount": minimum});
        let item = json!({"name": name, "minBidConstraint": constraint, "minIncrementNormalized": "4"});
        ada.post(&format!("{path}/items"), item).await.expect(201);
    }
    let exported = ada.get(&format!("{path}/items/export?format=json")).await.expect(200);
    let of = |name: &str| {
        let item = exported["items"].as_array().unwrap().iter().find(|item| item["name"] == name).unwrap();
        (item["minimum"].clone(), item["increment"].clone())
    };
    assert_eq!(of("Even"), (json!("3"), json!("2")));
    assert_eq!(of("Odd"), (Value::Null, json!("2")));
}

#[tokio::test]
async fn people_are_read_again_by_their_import() {
    let group = Group::start().await;
    let path = format!("{}/import", group.path);
    import(&group.keeper, &path, "k", "number,name\n17,Mia Kaya\n4,=Ada\n").await;
    let exported = table(&group.keeper, &format!("{}/export?format=csv", group.path)).await;
    assert_eq!(exported, "\u{feff}number,name\r\n1,keeper\r\n4,\"'=Ada\"\r\n17,Mia Kaya\r\n");
    let same = import(&group.keeper, &path, "again", &exported).await;
    assert_eq!(same["people"], json!([]), "{same}");
    let document = group.keeper.get(&format!("{}/export", group.path)).await.expect(200);
    assert_eq!(document["people"][2], json!({"number": "17", "name": "Mia Kaya"}));
}

#[tokio::test]
async fn balances_go_into_another_book() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let (from, to) = (book(&group.keeper, json!({})).await, book(&group.keeper, json!({})).await);
    let with_group = |path: &str, query: &str| format!("{path}{query}groupId={}", group.id);
    let grants = "number,amount,reason\n2,12.5,Cakes\n3,-4,A window\n";
    import(&group.keeper, &with_group(&from, "/import?"), "k", grants).await;
    let walter = group.app.user("walter").await;
    add(&group.keeper, &from, &walter).await;
    assert_eq!((&people[0]["number"], &people[1]["number"]), (&json!(2), &json!(3)));

    let exported = table(&group.keeper, &with_group(&from, "/balances/export?format=csv&")).await;
    let owner = "1,,keeper,0,Balance\r\n";
    let rows = "2,,Ada,12.5,Balance\r\n3,,Bob,-4,Balance\r\n,,walter,0,Balance\r\n";
    let header = "\u{feff}number,email,name,amount,reason\r\n";
    assert_eq!(exported.replace(owner, ""), format!("{header}{rows}"));
    let dry = with_group(&to, "/import?dryRun=true&");
    let request = group.keeper.request("POST", &dry).header("content-type", "text/csv");
    let shown = Answer::of(request.body(exported.clone())).await.expect(200);
    assert_eq!(shown["passedOver"], json!([2, 5]), "rows of 0");
    import(&group.keeper, &with_group(&to, "/import?"), "k", &exported).await;
    let numbered = exported.replace(owner, "").replace(",,walter,0,Balance\r\n", "");
    let again = table(&group.keeper, &with_group(&to, "/balances/export?format=csv&")).await;
    assert_eq!(again.replace(owner, ""), numbered);

    let unnumbered = group.keeper.get(&format!("{from}/balances/export")).await.expect(200);
    let ada = unnumbered["balances"].as_array().unwrap().iter().find(|row| row["name"] == "Ada").unwrap();
    assert_eq!(ada["number"], Value::Null);
    let other = walter.post("/api/groups", json!({"name": "Others"})).await.expect(201);
    let foreign = format!("{from}/balances/export?groupId={}", other["id"].as_str().unwrap());
    group.keeper.get(&foreign).await.expect_problem(404, "NOT_FOUND");
    group.keeper.get(&format!("{from}/balances/export?groupId=x")).await.expect_problem(422, "INVALID_BODY");
}

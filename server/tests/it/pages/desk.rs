//! The state of a clerk's desk, and the document of a large sale.

use serde_json::{Value, json};

use super::hall::{Expected, Hall};
use crate::harness::Answer;
use crate::routes::groups::Group;

/// The service worker keeps the page of a clerk, and no other page can be in its scope.
#[tokio::test]
async fn a_desk_has_a_worker_that_reaches_auctions_and_this_site_only() {
    let hall = Hall::open(json!({})).await;
    let page = hall.group.keeper.get(&hall.page()).await;
    assert!(page.header("content-security-policy").contains("; worker-src 'self';"), "{page:?}");
    let named = |attribute: &str| {
        let (_, rest) = page.text.split_once(&format!("{attribute}=\"")).expect(attribute);
        rest.split('"').next().unwrap().to_owned()
    };
    let keeper = hall.group.keeper.get("/api/user").await.expect(200);
    assert_eq!(keeper["user"]["id"], named("data-viewer"));
    let worker = hall.group.app.anonymous().get(&named("data-worker")).await;
    assert_eq!(
        (worker.status.as_u16(), worker.header("service-worker-allowed"), worker.header("content-type")),
        (200, "/auctions/", "text/javascript; charset=utf-8")
    );
    assert_eq!(
        worker.header("content-security-policy"),
        "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let (_, script) = page.text.split_once("/pkg/outbox").unwrap();
    let script = format!("/pkg/outbox{}", script.split('"').next().unwrap());
    let script = hall.group.app.anonymous().get(&script).await;
    assert_eq!((script.status.as_u16(), script.header("service-worker-allowed")), (200, ""));
}

/// The state of the desk, from which the browser answers each field.
async fn desk(hall: &Hall) -> Value {
    let page = hall.group.keeper.get(&hall.page()).await;
    let (_, state) = page.text.split_once("id=\"island-state\">").unwrap();
    serde_json::from_str(state.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn the_desk_knows_lots_people_and_what_they_have() {
    let unit = json!({"name": "Knut", "plural": "Knuts"});
    let group = Group::start().await;
    let book = json!({"name": "Money", "baseUnit": unit, "startingBalance": 900});
    let book = group.keeper.post("/api/books", book).await.expect(201)["id"].clone();
    let hall = Hall::in_group(group, json!({"bookId": book})).await;
    let before = desk(&hall).await;
    let lots = |desk: &Value| -> Vec<Value> {
        let lots = desk["shown"]["lots"].as_array().unwrap().iter();
        lots.map(|lot| json!([lot["lot_number"], lot["name"], lot["is_held"], lot["sale"]["words"]]))
            .collect()
    };
    assert_eq!(lots(&before), [json!(["1", "A vase", false, null]), json!(["2", "A lamp", false, null])]);
    let available = |desk: &Value, number: i64| {
        let members = desk["shown"]["members"].as_array().unwrap();
        members.iter().find(|member| member["number"] == number).unwrap()["available"].clone()
    };
    assert_eq!((available(&before, 2), available(&before, 3)), (json!("900"), json!("900")));
    let sale = [("call", "SOLD"), ("lot", "1"), ("number", "3"), ("price", "1.2.0")];
    hall.call("k", &sale).await.expect_303();
    let after = desk(&hall).await;
    let sold = "sold to Bob (3) for 1\u{a0}Galleon\u{a0}· 2\u{a0}Sickles (551\u{a0}Knuts)";
    assert_eq!(lots(&after), [json!(["2", "A lamp", false, null]), json!(["1", "A vase", false, sold])]);
    let sale = &after["shown"]["lots"][1]["sale"];
    assert_eq!(
        (&sale["buyer"], &sale["price"], &sale["amount"]),
        (&json!("3"), &json!("1.2.0"), &json!("551"))
    );
    assert_eq!(after["last"], hall.items[0].as_str());
    assert_eq!((available(&after, 2), available(&after, 3)), (json!("900"), json!("349")));
}

#[tokio::test]
async fn a_page_has_room_for_the_lots_that_come_next_and_those_that_were_called_last() {
    let hall = Hall::open(json!({})).await;
    assert_eq!(desk(&hall).await["document"], Value::Null);
    hall.import((3..=1100).map(|lot| format!("A box of books with the number {lot}"))).await;
    hall.call("k", &[("call", "SOLD"), ("lot", "1050"), ("number", "3"), ("price", "1.0.0")])
        .await
        .expect_303();
    hall.call("b", &[("call", "BLOCK"), ("lot", "1060")]).await.expect_303();
    let state = desk(&hall).await;
    let lots: Vec<_> = state["shown"]["lots"].as_array().unwrap().iter().collect();
    let (next, called) = lots.split_at(lots.len() - 2);
    let is_next =
        |(lot, at): (&&Value, u32)| lot["lot_number"].as_str().is_some_and(|lot| lot.parse() == Ok(at));
    assert!(next.len() > 250 && next.iter().zip(1..).all(is_next));
    let called = |number: &str| *called.iter().find(|lot| lot["lot_number"] == number).expect(number);
    assert_eq!(called("1060")["sale"], Value::Null);
    assert_eq!((&called("1050")["sale"]["buyer"], &called("1050")["item_id"]), (&json!("3"), &state["last"]));
    assert_eq!(state["shown"]["has_more_lots"], true);
    assert_eq!(state["document"], format!("{}/desk", hall.page()));
}

#[tokio::test]
async fn the_document_of_a_desk_has_all_lots_and_members_for_clerks_only() {
    let hall = Hall::open(json!({})).await;
    hall.import((3..=400).map(|lot| format!("Item {lot}"))).await;
    hall.call("k", &[("call", "SOLD"), ("lot", "2"), ("number", "3"), ("price", "1.0.0")]).await.expect_303();
    let path = format!("{}/desk", hall.page());
    let document = hall.group.keeper.get(&path).await.expect(200);
    let numbers = document["lots"].as_array().unwrap().iter().map(|lot| lot["lot_number"].as_str().unwrap());
    let called = [1].into_iter().chain(3..=400).chain([2]).map(|lot| lot.to_string());
    assert!(numbers.eq(called), "{document}");
    assert_eq!(document["members"].as_array().unwrap().len(), 3);
    assert_eq!([&document["has_more_lots"], &document["has_more_members"]], [false, false]);
    let ada = hall.group.signed_in(&hall.people[0]).await;
    for (client, status) in [(&ada, 403), (&hall.group.app.anonymous(), 401)] {
        let refused: Answer = client.get(&path).await;
        assert_eq!((refused.status.as_u16(), refused.text.contains("Item 3")), (status, false));
    }
}

/// A price that is far from the estimate is asked about once, here without JavaScript, and the desk knows
/// which.
#[tokio::test]
async fn a_price_far_from_the_estimate_is_asked_about_once() {
    let hall = Hall::open(json!({})).await;
    let item = format!("{}/items/{}", hall.auction, hall.items[0]);
    let estimate = json!({"estimate": "2–3 Galleons"});
    hall.group.keeper.patch(&item, estimate).await.expect(200);
    let lots = desk(&hall).await["shown"]["lots"].clone();
    assert_eq!(
        (&lots[0]["high"], &lots[0]["low"], &lots[0]["expected"]),
        (&json!("14790"), &json!("98.6"), &json!("The estimate is 2–3 Galleons. "))
    );
    assert_eq!((&lots[1]["high"], &lots[1]["expected"]), (&json!(""), &json!("")), "without an estimate");

    let sale = |price| [("call", "SOLD"), ("lot", "1"), ("number", "3"), ("price", price)];
    let asked = hall.call("k", &sale("30")).await;
    assert_eq!(asked.status, 422);
    for part in [
        "The estimate is 2–3 Galleons. Is the price right? Once more sells.",
        "name=\"asked\" value=\"1 30\"",
    ] {
        assert!(asked.text.contains(part), "{part}: {}", asked.text);
    }
    // Another price is asked about again.
    let again = [&sale("31")[..], &[("asked", "1 30")]].concat();
    assert_eq!(hall.call("k", &again).await.status, 422);
    let confirmed = [&sale("30")[..], &[("asked", "1 30")]].concat();
    hall.call("k", &confirmed).await.expect_303();
    // Without an estimate nothing is asked before three lots are sold.
    let other = [("call", "SOLD"), ("lot", "2"), ("number", "3"), ("price", "0.0.1")];
    hall.call("o", &other).await.expect_303();
}

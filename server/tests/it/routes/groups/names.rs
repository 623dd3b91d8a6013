//! Names and PINs that nobody may have

use serde_json::{Value, json};

use super::Group;
use crate::harness::PASSWORD;
use crate::routes::auctions::wrong_fields;

#[tokio::test]
async fn nobody_is_called_like_a_role_or_the_number_of_another() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    let patch = |patch: Value| group.keeper.patch(Box::leak(group.person(2).into_boxed_str()), patch);
    for name in ["Clerk", "C\u{a0}l e R k", "Number 3", "\u{ff2e}umber \u{ff13}", "number\u{3164}3"] {
        let body = json!({"email": "eve@example.org", "password": PASSWORD, "name": name});
        assert_eq!(wrong_fields(&group.app.anonymous().post("/api/auth/register", body).await), ["name"]);
        assert_eq!(wrong_fields(&group.keeper.patch("/api/user", json!({ "name": name })).await), ["name"]);
        assert_eq!(wrong_fields(&patch(json!({ "name": name })).await), ["name"]);
        let added = group.add_people("k", json!([{}, {"number": 5, "name": name}])).await;
        assert_eq!(wrong_fields(&added), ["people.1.name"], "{name}");
        assert_eq!(wrong_fields(&group.add_people("k", json!([{"name": name}])).await), ["people.0.name"]);
    }
    let own = group.add_people("own", json!([{"number": 3, "name": "Number 3"}, {}])).await.expect(201);
    assert_eq!(own["people"][1]["user"]["name"], "Number 4");
    let moved =
        group.keeper.patch(&group.person(3), json!({"number": 7, "name": "Number 3"})).await.expect(200);
    assert_eq!(moved["user"]["name"], "Number 7", "the name follows the number");
    group.keeper.patch("/api/user", json!({"name": "Number 1"})).await.expect(200);
    group.keeper.patch("/api/user", json!({"locale": "en-GB"})).await.expect(200);
}

#[tokio::test]
async fn a_pin_that_is_guessed_first_is_refused() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    for pin in ["0000", "1234", "4321", "1111", "123456", "8901", "1212", "2012"] {
        let added = group.add_people("k", json!([{}, {"pin": pin}])).await;
        assert_eq!(wrong_fields(&added), ["people.1.pin"], "{pin}");
        let changed = group.keeper.patch(&group.person(2), json!({ "pin": pin })).await;
        assert_eq!(wrong_fields(&changed), ["pin"], "{pin}");
    }
    group.keeper.patch(&group.person(2), json!({"pin": "4711"})).await.expect(200);
}

#[tokio::test]
async fn names_are_stored_in_one_form_and_may_have_the_flag_of_a_country() {
    let group = Group::start().await;
    let flag_of = |region: &str| {
        let tags = region.bytes().map(|byte| char::from_u32(0xe0000 + u32::from(byte)).unwrap());
        format!("\u{1f3f4}{}\u{e007f}", tags.collect::<String>())
    };
    let flagged = ["gbeng", "gbsct", "gbwls"].map(|region| format!("Ada {}", flag_of(region)));
    let [england, scotland, wales] = flagged.each_ref().map(String::as_str);
    let added = group.add(&["Zoe\u{308}", england, scotland, wales]).await;
    assert_eq!(added[0]["user"]["name"], "Zo\u{eb}");
    for (person, name) in added[1..].iter().zip(&flagged) {
        assert_eq!(person["user"]["name"], *name);
    }
    let unit = |name: &str| json!({"name": name, "symbol": name});
    let book = json!({"name": "e\u{301}", "baseUnit": unit("e\u{301}cu")});
    let book = group.keeper.post("/api/books", book).await.expect(201);
    assert_eq!((&book["name"], &book["baseUnit"]["name"]), (&json!("\u{e9}"), &json!("\u{e9}cu")));
    let sale = json!({"name": "Sale", "bookId": book["id"], "baseUnit": unit("e\u{301}cu")});
    group.keeper.post("/api/auctions", sale).await.expect(201);
    let sale = json!({"name": "Sale", "description": "Cafe\u{301}"});
    let sale = group.keeper.post("/api/auctions", sale).await.expect(201);
    assert_eq!(sale["description"], "Caf\u{e9}");
}

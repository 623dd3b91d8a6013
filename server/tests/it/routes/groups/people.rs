//! `/api/groups/{group_id}/people…`

use installation::config::Switch;
use serde_json::{Value, json};

use super::{Group, item, members};
use crate::harness::TestApp;
use crate::routes::auctions::wrong_fields;

#[tokio::test]
async fn people_get_the_lowest_free_numbers_and_pins_that_are_shown_once() {
    let group = Group::start().await;
    let list = json!([{"name": "Ada"}, {"number": 3, "pin": "0842"}, {}]);
    let added = group.add_people("k1", list.clone()).await.expect(201);
    let people = added["people"].as_array().unwrap();
    let each = |name: &str| people.iter().map(|person| person[name].clone()).collect::<Vec<_>>();
    assert_eq!(each("number"), [2, 3, 4]);
    let names: Vec<_> = people.iter().map(|person| person["user"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ada", "Number 3", "Number 4"]);
    assert_eq!(people[1]["pin"], "0842");
    assert_eq!(people[0]["pin"].as_str().unwrap().len(), 6);
    assert!(people.iter().all(|person| person["managed"] == true && person["role"] == "PERSON"));

    let again = group.add_people("k1", list).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    let again = again.expect(201);
    assert_eq!(again["people"].as_array().unwrap().len(), 3);
    let are_told = |person: &Value| !person["pin"].is_null() || !person["cardSecret"].is_null();
    assert!(!again["people"].as_array().unwrap().iter().any(are_told));
    assert!(again["people"][0].get("cardSecret").is_some());
    assert_eq!(group.people().await.len(), 4);

    group.add_people("k1", json!([{}])).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    group.add_people("k2", json!([{}, {"number": 3}])).await.expect_problem(409, "NUMBER_TAKEN");
    let wrong =
        json!([{"number": 0}, {"number": 10_000}, {"name": " "}, {"pin": "123"}, {"pin": "12345678a"}]);
    let answer = group.add_people("k3", wrong).await;
    let paths = ["people.0.number", "people.1.number", "people.2.name", "people.3.pin", "people.4.pin"];
    assert_eq!(wrong_fields(&answer), paths);
    let twice = group.add_people("k4", json!([{"number": 9}, {"number": 9}])).await;
    assert_eq!(wrong_fields(&twice), ["people.1.number"]);
    let too_many: Vec<Value> = vec![json!({}); 501];
    assert_eq!(wrong_fields(&group.add_people("k5", json!(too_many)).await), ["people"]);
    assert_eq!(group.people().await.len(), 4, "all or none");
}

#[tokio::test]
async fn a_keeper_changes_number_name_and_pin_of_a_managed_user() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let ada = group.signed_in(&people[0]).await;
    let change = |number, patch| group.keeper.patch(Box::leak(group.person(number).into_boxed_str()), patch);
    change(2, json!({"number": 3})).await.expect_problem(409, "NUMBER_TAKEN");
    let renamed = change(2, json!({"number": 17, "name": "Ada L."})).await.expect(200);
    assert_eq!((&renamed["number"], &renamed["user"]["name"]), (&json!(17), &json!("Ada L.")));
    assert_eq!(renamed["pin"], Value::Null);
    assert_eq!(ada.get("/api/user").await.expect(200)["user"]["name"], "Ada L.");
    let changed = change(17, json!({"pin": "NEW"})).await.expect(200);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let old = group.sign_in(&group.app.anonymous(), &json!(17), &people[0]["pin"]).await;
    old.expect_problem(401, "INVALID_CREDENTIALS");
    let again = group.signed_in(&changed).await;
    change(17, json!({"disabled": true})).await.expect(200);
    again.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let shut = group.sign_in(&again, &json!(17), &changed["pin"]).await;
    shut.expect_problem(401, "INVALID_CREDENTIALS");
    change(17, json!({"disabled": false})).await.expect(200);
    group.sign_in(&again, &json!(17), &changed["pin"]).await.expect(200);
    let wrong = change(17, json!({"role": "KEEPER"})).await;
    assert_eq!(wrong_fields(&wrong), ["role"]);
    let own = change(1, json!({"name": "Boss", "pin": "NEW"})).await;
    assert_eq!(wrong_fields(&own), ["name", "pin"]);
    change(99, json!({})).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_managed_user_who_is_removed_is_erased_and_the_bids_stay() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let (ada, bob) = (group.signed_in(&people[0]).await, group.signed_in(&people[1]).await);
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    group.keeper.delete(&group.person(2)).await.expect_problem(409, "LEADS_OPEN_ITEMS");
    bob.post(&format!("{lot}/bids"), json!({"amount": 4})).await.expect(201);
    group.keeper.delete(&group.person(2)).await.expect(204);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let gone = group.sign_in(&ada, &json!(2), &people[0]["pin"]).await;
    gone.expect_problem(401, "INVALID_CREDENTIALS");
    assert_eq!(members(&bob, &auction).await, ["Bob BIDDER", "keeper OWNER"]);
    let bids = bob.get(&format!("{lot}/bids")).await.expect(200);
    assert_eq!(bids["bids"][1]["bidder"]["name"], "deleted user");
    let added = group.add(&["Cleo"]).await;
    assert_eq!(added[0]["number"], 2, "the number is free again");
}

#[tokio::test]
async fn people_are_found_by_name_or_number_and_listed_in_pages() {
    let group = Group::start().await;
    group.add(&["Ada", "Änne", "Bob"]).await;
    let find = async |query: &str| {
        let found = group.keeper.get(&format!("{}/people?{query}", group.path)).await.expect(200);
        let people = found["people"].as_array().unwrap();
        let numbers: Vec<i64> = people.iter().map(|person| person["number"].as_i64().unwrap()).collect();
        (numbers, found["nextCursor"].clone())
    };
    assert_eq!(find("q=%C3%A4nn").await.0, [3]);
    assert_eq!(find("q=4").await.0, [4]);
    assert_eq!(find("q=zoe").await.0, [0; 0]);
    let (first, cursor) = find("limit=2").await;
    assert_eq!(first, [1, 2]);
    assert_eq!(
        find(&format!("limit=2&cursor={}", cursor.as_str().unwrap())).await,
        (vec![3, 4], Value::Null)
    );
}

/// Hashing 500 PINs for each would take the cores from all who sign in.
#[tokio::test]
async fn people_who_are_refused_cost_no_hash() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let group = Group::start_in(app).await;
    let taken = &group.add(&["Ada"]).await[0]["number"];
    let mut list = vec![json!({}); 499];
    list.push(json!({"number": taken}));
    for n in 0..150 {
        let refused = group.add_people(&format!("k{n}"), json!(list)).await;
        refused.expect_problem(409, "NUMBER_TAKEN");
    }
    group.add_people("one", json!([{}])).await.expect(201);
    group.add_people("many", json!(vec![json!({}); 500])).await.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(group.people().await.len(), 3);
}

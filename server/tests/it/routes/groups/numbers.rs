//! `number` beside the name of a person, and `bidderVisibility` NUMBERS.

use serde_json::{Value, json};

use super::{Group, item};
use crate::harness::Events;

fn numbered(name: &str, number: Value) -> Value {
    json!({"name": name, "number": number})
}

/// A person without the id.
fn shown(person: &Value) -> Value {
    let mut person = person.clone();
    person.as_object_mut().unwrap().remove("id");
    person
}

#[tokio::test]
async fn the_number_stands_beside_the_name_in_an_auction_with_the_group() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let ada = group.signed_in(&people[0]).await;
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    let seen = ada.get(&lot).await.expect(200);
    assert_eq!(shown(&seen["seller"]), numbered("keeper", json!(1)));
    assert_eq!(shown(&seen["highestBid"]["bidder"]), numbered("Ada", json!(2)));
    let members = ada.get(&format!("{auction}/members")).await.expect(200);
    let users: Vec<_> =
        members["members"].as_array().unwrap().iter().map(|one| shown(&one["user"])).collect();
    assert_eq!(users, [numbered("keeper", json!(1)), numbered("Ada", json!(2))]);
    group.keeper.patch(&group.person(2), json!({"number": 17})).await.expect(200);
    let bids = ada.get(&format!("{lot}/bids")).await.expect(200);
    assert_eq!(shown(&bids["bids"][0]["bidder"]), numbered("Ada", json!(17)));

    group.keeper.post(&format!("{auction}/close"), json!({})).await.expect(200);
    group.keeper.patch(&group.person(17), json!({"number": 18})).await.expect(200);
    let outcomes = ada.get(&format!("{auction}/outcomes")).await.expect(200);
    let outcome = &outcomes["outcomes"][0];
    assert_eq!(shown(&outcome["winner"]), numbered("Ada", json!(17)), "a closed auction keeps the number");
    assert_eq!(shown(&outcome["by"]), numbered("keeper", json!(1)));
    let csv = group.keeper.get(&format!("{auction}/export?format=csv")).await.text;
    assert!(csv.contains(",Ada,17,"), "{csv}");

    let other = group.keeper.post("/api/auctions", json!({"name": "Without"})).await.expect(201);
    let other = format!("/api/auctions/{}", other["id"].as_str().unwrap());
    let lot = item(&group.keeper, &other, "Pie").await;
    let seen = group.keeper.get(&lot).await.expect(200);
    assert_eq!(shown(&seen["seller"]), json!({"name": "keeper"}));
}

/// Behind an id, or in the order of ids, the list would tell which number the id has.
#[tokio::test]
async fn under_numbers_the_list_of_members_has_no_place_for_an_id() {
    let group = Group::start().await;
    let names: Vec<String> = (0..90).map(|n| format!("Pupil {n}")).collect();
    let people = group.add(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    // The order of the ids is not that of the numbers.
    group.keeper.patch(&group.person(2), json!({"number": 500})).await.expect(200);
    let auction = group.auction(json!({"bidderVisibility": "NUMBERS"})).await;
    let path = format!("{auction}/members");
    let ada = group.signed_in(&people[5]).await;
    let id = people[0]["user"]["id"].as_str().unwrap();
    for unknown in [id, "00000000-0000-7000-8000-000000000000", "17", "n17", ""] {
        let refused = ada.get(&format!("{path}?cursor={unknown}")).await;
        assert_eq!(refused.expect_problem(422, "INVALID_BODY")["details"]["fields"][0]["path"], "cursor");
    }
    group.keeper.get(&format!("{path}?cursor={id}")).await.expect(200);

    let listed = ada.get(&path).await.expect(200);
    let hidden: Vec<i64> = listed["members"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|member| member["user"]["id"].is_null())
        .map(|member| member["user"]["number"].as_i64().unwrap())
        .collect();
    assert!(hidden.len() == 89 && hidden.is_sorted() && hidden.last() == Some(&500), "{hidden:?}");

    let members = auction.trim_start_matches("/api");
    let first = ada.get(&format!("{members}/members")).await.text;
    let cursor = first.split("members?cursor=").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(cursor.len() > 16 && !people.iter().any(|one| one["user"]["id"] == cursor), "{cursor}");
    let second = ada.get(&format!("{members}/members?cursor={cursor}")).await.text;
    assert!(second.contains("Number 500") && !second.contains("Number 3<"), "the rest");
    let forged = ada.get(&format!("{members}/members?cursor={id}")).await.text;
    assert_eq!(forged.matches("Number ").count(), first.matches("Number ").count(), "the first page");
}

#[tokio::test]
async fn under_numbers_a_bidder_is_known_by_the_number_alone() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let eve = group.app.user("eve").await;
    let auction = group.auction(json!({"bidderVisibility": "NUMBERS", "joinMode": "FREE"})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let (ada, bob) = (group.signed_in(&people[0]).await, group.signed_in(&people[1]).await);
    let mut stream = Events::open(&bob, &format!("{lot}/events")).await;
    stream.item().await;
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    let hidden = json!({"id": null, "name": "Number 2", "number": 2});
    assert_eq!(stream.bid().await.1["bidder"], hidden);
    for client in [&bob, &eve] {
        assert_eq!(client.get(&lot).await.expect(200)["highestBid"]["bidder"], hidden);
        let bids = client.get(&format!("{lot}/bids")).await.expect(200);
        assert_eq!(bids["bids"][0]["bidder"], hidden);
        let page = client.get(&lot.replace("/api", "")).await;
        assert!(page.text.contains("Number 2") && !page.text.contains("Ada"), "{}", page.text);
    }
    for client in [&ada, &group.keeper] {
        let bidder = client.get(&lot).await.expect(200)["highestBid"]["bidder"].clone();
        assert_eq!(shown(&bidder), numbered("Ada", json!(2)));
    }
    eve.post(&format!("{lot}/bids"), json!({"amount": 4})).await.expect(201);
    assert_eq!(bob.get(&lot).await.expect(200)["highestBid"]["bidder"], Value::Null);
    let members = bob.get(&format!("{auction}/members")).await.expect(200).to_string();
    assert!(members.contains("Number 2") && members.contains("Bob") && !members.contains("Ada"), "{members}");
    let page = bob.get(&format!("{}/members", auction.replace("/api", ""))).await;
    assert!(page.text.contains("Number 2") && !page.text.contains("Ada"));

    bob.post(&format!("{lot}/bids"), json!({"amount": 5})).await.expect(201);
    group.keeper.post(&format!("{auction}/close"), json!({})).await.expect(200);
    let outcomes = ada.get(&format!("{auction}/outcomes")).await.expect(200);
    assert_eq!(outcomes["outcomes"][0]["winner"], json!({"id": null, "name": "Number 3", "number": 3}));
}

/// The seller, too, is known to others than members by the number alone.
#[tokio::test]
async fn under_numbers_an_outsider_learns_numbers_and_no_ids() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let auction = group.auction(json!({"bidderVisibility": "NUMBERS", "readableBy": "ANYONE"})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let ada = group.signed_in(&people[0]).await;
    let (visitor, eve) = (group.app.anonymous(), group.app.user("eve").await);
    let mut stream = Events::open(&visitor, &format!("{lot}/events")).await;
    let first = stream.item().await;
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    let number = |number| json!({"id": null, "name": format!("Number {number}"), "number": number});
    assert_eq!((&first["seller"], &first["creator"]), (&number(1), &number(1)));
    assert_eq!(stream.bid().await.1["bidder"], number(2));
    group.keeper.post(&format!("{lot}/close"), json!({})).await.expect(200);
    for client in [&visitor, &eve] {
        let seen = client.get(&lot).await.expect(200);
        assert_eq!((&seen["seller"], &seen["highestBid"]["bidder"]), (&number(1), &number(2)));
        assert_eq!((&seen["outcome"]["winner"], &seen["outcome"]["by"]), (&number(2), &number(1)));
        let page = client.get(&lot.replace("/api", "")).await.text;
        assert!(page.contains("Number 2") && !page.contains("Ada") && !page.contains("keeper"), "{page}");
    }
}

#[tokio::test]
async fn numbers_hide_more_than_a_choice_per_bid_and_less_than_everything() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let auction = group.auction(json!({"bidderVisibility": "PER_BID"})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let ada = group.signed_in(&people[0]).await;
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    let choose = |visibility| group.keeper.patch(&auction, json!({"bidderVisibility": visibility}));
    choose("NUMBERS").await.expect(200);
    choose("PER_BID").await.expect_problem(409, "HAS_BIDS");
    choose("ANONYMOUS").await.expect(200);
    choose("NUMBERS").await.expect_problem(409, "HAS_BIDS");
}

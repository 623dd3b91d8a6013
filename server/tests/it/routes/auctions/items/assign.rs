//! Lot numbers and sellers.

use serde_json::{Value, json};

use super::bids::Sale;
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::{NO_ID, auction, give_role, join, remove, wrong_fields};

/// An auction with a CREATOR, and the path of its items.
async fn with_creator(app: &TestApp) -> (Client, Client, String) {
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    give_role(&ada, &path, &bob, "CREATOR").await;
    (ada, bob, format!("{path}/items"))
}

async fn id(user: &Client) -> Value {
    user.get("/api/user").await.expect(200)["user"]["id"].clone()
}

fn item(changes: Value) -> Value {
    let mut item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
    item.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    item
}

fn number(created: &Answer) -> String {
    created.expect(201)["lotNumber"].as_str().unwrap().to_owned()
}

fn path(items: &str, item: &Value) -> String {
    format!("{items}/{}", item["id"].as_str().unwrap())
}

#[tokio::test]
async fn an_item_gets_the_number_after_the_greatest() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    let mut numbers = Vec::new();
    let chosen = [None, None, Some(json!(7)), None, Some(json!("4")), None];
    let with_letters = [Some(json!("KM-40")), None, Some(json!("12A")), Some(json!("012")), None];
    for chosen in chosen.into_iter().chain(with_letters) {
        let given = chosen.map_or_else(|| json!({}), |number| json!({"lotNumber": number}));
        numbers.push(number(&ada.post(&items, item(given)).await));
    }
    assert_eq!(numbers, ["1", "2", "7", "8", "4", "9", "KM-40", "10", "12A", "012", "11"]);
    let other = format!("{}/items", auction(&ada, json!({})).await);
    assert_eq!(ada.post(&other, item(json!({}))).await.expect(201)["lotNumber"], "1", "each auction counts");
}

#[tokio::test]
async fn past_the_greatest_number_an_item_gets_the_least_free_one() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    let greatest = item(json!({"lotNumber": 999_999_999_999_u64}));
    ada.post(&items, greatest).await.expect(201);
    ada.post(&items, item(json!({"lotNumber": 2}))).await.expect(201);
    for expected in ["1", "3"] {
        assert_eq!(ada.post(&items, item(json!({}))).await.expect(201)["lotNumber"], expected);
    }
}

#[tokio::test]
async fn a_number_is_in_bounds_and_unique_in_the_auction() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    for wrong in [
        json!(-1),
        json!(1_000_000_000_000_u64),
        json!("-3"),
        json!("3-"),
        json!("3 A"),
        json!("3Ä"),
        json!(""),
        json!(2.0),
        json!(true),
    ] {
        let answer = ada.post(&items, item(json!({"lotNumber": wrong}))).await;
        assert_eq!(wrong_fields(&answer), ["lotNumber"], "{wrong}");
    }
    let first = ada.post(&items, item(json!({"lotNumber": 3}))).await.expect(201);
    ada.post(&items, item(json!({"lotNumber": "3"}))).await.expect_problem(409, "NUMBER_TAKEN");
    ada.post(&items, item(json!({"lotNumber": "3a"}))).await.expect(201);
    ada.post(&items, item(json!({"lotNumber": "3A"}))).await.expect_problem(409, "NUMBER_TAKEN");
    let second = ada.post(&items, item(json!({}))).await.expect(201);
    let second = path(&items, &second);
    ada.patch(&second, json!({"lotNumber": 3})).await.expect_problem(409, "NUMBER_TAKEN");
    assert_eq!(ada.patch(&second, json!({"lotNumber": 9})).await.expect(200)["lotNumber"], "9");
    let same = ada.patch(&path(&items, &first), json!({"lotNumber": 3})).await;
    assert_eq!((same.expect(200)["lotNumber"].clone(), same.header("etag")), (json!("3"), "\"1\""));
    let next = ada.patch(&path(&items, &first), json!({"lotNumber": null})).await.expect(200);
    assert_eq!(next["lotNumber"], "10", "null is the default");
}

#[tokio::test]
async fn two_items_at_once_get_different_numbers() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    let made = futures::future::join_all((0..8).map(|_| ada.post(&items, item(json!({}))))).await;
    let numbers: std::collections::BTreeSet<String> = made.iter().map(number).collect();
    assert_eq!(numbers, (1..=8).map(|number| number.to_string()).collect());
}

#[tokio::test]
async fn only_owner_and_admin_choose_the_number_and_the_seller() {
    let app = TestApp::start().await;
    let (ada, bob, items) = with_creator(&app).await;
    let (ada_id, bob_id) = (id(&ada).await, id(&bob).await);
    for refused in [json!({"lotNumber": 5}), json!({"sellerId": ada_id})] {
        bob.post(&items, item(refused)).await.expect_problem(403, "FORBIDDEN");
    }
    let own = bob.post(&items, item(json!({"sellerId": bob_id}))).await.expect(201);
    let own = path(&items, &own);
    for refused in [json!({"lotNumber": 5}), json!({"sellerId": ada_id})] {
        bob.patch(&own, refused).await.expect_problem(403, "FORBIDDEN");
    }
    bob.patch(&own, json!({"lotNumber": 1, "sellerId": bob_id, "name": "An urn"})).await.expect(200);
    let changed = ada.patch(&own, json!({"lotNumber": 5, "sellerId": ada_id})).await.expect(200);
    assert_eq!((&changed["lotNumber"], &changed["seller"]["id"]), (&json!("5"), &ada_id));
    assert_eq!(changed["creator"]["id"], bob_id);
    bob.patch(&own, json!({"description": "Still the creator's"})).await.expect(200);
    let default = ada.patch(&own, json!({"sellerId": null})).await.expect(200);
    assert_eq!(default["seller"], json!({"id": bob_id, "name": "bob"}));
}

#[tokio::test]
async fn a_seller_is_a_member() {
    let app = TestApp::start().await;
    let (ada, bob, items) = with_creator(&app).await;
    let stranger = id(&app.user("eve").await).await;
    for wrong in [stranger, json!(NO_ID), json!("bob"), json!(7)] {
        let answer = ada.post(&items, item(json!({"sellerId": wrong}))).await;
        assert_eq!(wrong_fields(&answer), ["sellerId"], "{wrong}");
    }
    let bobs = ada.post(&items, item(json!({"sellerId": id(&bob).await}))).await.expect(201);
    remove(&ada, items.trim_end_matches("/items"), &bob).await;
    ada.patch(&path(&items, &bobs), json!({"name": "An urn"})).await.expect(200);
}

#[tokio::test]
async fn the_seller_may_not_bid_and_the_leader_may_not_sell() {
    let sale = Sale::legacy(json!({})).await;
    let (bob, eve) = (sale.bidder("bob").await, sale.bidder("eve").await);
    let (bob_id, eve_id) = (id(&bob).await, id(&eve).await);
    sale.owner.patch(&sale.item_path(), json!({"sellerId": bob_id})).await.expect(200);
    sale.bid(&bob, json!({"amount": 1})).await.expect_problem(403, "OWN_ITEM");
    sale.bid(&sale.owner, json!({"amount": 1})).await.expect(201);
    sale.bid(&eve, json!({"amount": 2})).await.expect(201);
    let leader = json!({"sellerId": eve_id});
    sale.owner.patch(&sale.item_path(), leader).await.expect_problem(409, "LEADS_ITEM");
    let owner = json!({"sellerId": id(&sale.owner).await});
    sale.owner.patch(&sale.item_path(), owner).await.expect_problem(409, "HAS_BIDS");
    sale.bid(&bob, json!({"amount": 3})).await.expect_problem(403, "OWN_ITEM");
}

#[tokio::test]
async fn the_start_stays_while_there_are_bids() {
    let sale = Sale::legacy(json!({"startsAt": "2026-05-01T17:00:00Z"})).await;
    let bob = sale.bidder("bob").await;
    let moved = json!({"startsAt": "2026-05-01T17:30:00Z"});
    sale.owner.patch(&sale.item_path(), moved).await.expect(200);
    sale.bid(&bob, json!({"amount": 1})).await.expect(201);
    for moved in [json!({"startsAt": null}), json!({"startsAt": "2026-05-01T17:00:00Z"})] {
        sale.owner.patch(&sale.item_path(), moved).await.expect_problem(409, "FROZEN");
    }
    let same = json!({"startsAt": "2026-05-01T17:30:00Z", "name": "An urn"});
    sale.owner.patch(&sale.item_path(), same).await.expect(200);
}

#[tokio::test]
async fn a_hidden_winner_is_known_to_the_seller_and_not_to_the_creator() {
    let terms = json!({"bidderVisibility": "ANONYMOUS"});
    let sale =
        Sale::open(terms, &[], json!({"currencyCode": "EUR", "endDate": "2026-05-01T18:01:00Z"})).await;
    let (bob, eve) = (sale.bidder("bob").await, sale.bidder("eve").await);
    sale.give_role(&bob, "CREATOR").await;
    let own = json!({"name": "An urn", "currencyCode": "EUR", "isPublished": true, "endDate": "2026-05-01T18:01:00Z"});
    let items = format!("/api/auctions/{}/items", sale.auction);
    let urn = bob.post(&items, own).await.expect(201);
    let urn = path(&items, &urn);
    sale.owner.patch(&urn, json!({"sellerId": id(&eve).await})).await.expect(200);
    sale.owner.post(&format!("{urn}/bids"), json!({"amount": 1})).await.expect(201);
    sale.app.clock.advance_seconds(60);
    for (user, knows) in [(&eve, true), (&bob, false)] {
        let seen = user.get(&urn).await.expect(200);
        assert_eq!(!seen["highestBid"]["bidder"].is_null(), knows);
        let listed = user.get(&format!("{urn}/bids")).await.expect(200);
        assert_eq!(!listed["bids"][0]["bidder"].is_null(), knows);
    }
}

/// A bid below the highest one would lead once that is withdrawn.
#[tokio::test]
async fn a_member_with_a_standing_bid_may_not_sell() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);
    let to_ada = json!({"sellerId": id(&ada).await});
    let refused = sale.owner.patch(&sale.item_path(), to_ada.clone()).await.expect_problem(409, "HAS_BIDS");
    assert!(refused["detail"].as_str().unwrap().contains("withdraw them first"), "{refused}");
    let admin = sale.admin("admin").await;
    let withdraw = format!("{}/1/withdraw", sale.bids_path());
    admin.post(&withdraw, json!({"reason": "OTHER"})).await.expect(200);
    sale.owner.patch(&sale.item_path(), to_ada).await.expect(200);
}

use serde_json::{Value, json};

use super::{Hall, hammer, named, outcome};
use crate::harness::Events;
use crate::routes::auctions::items::bids::books::{BookSale, short_of};
use crate::routes::auctions::items::bids::codes;
use crate::routes::auctions::{user_id, wrong_fields};

#[tokio::test]
async fn an_item_is_sold_at_the_price_called_for_a_member() {
    let hall = Hall::open().await;
    hall.sale.bid(&hall.bob, json!({"amount": 5})).await.expect(201);
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    let item = hall.hammer("1", body.clone()).await.expect(200);
    assert_eq!(outcome(&item), json!(["SOLD", 2, "7", "ada"]));
    assert_eq!((&item["status"], &item["outcome"]["by"]["name"]), (&json!("CLOSED"), &json!("carl")));
    let bids = hall.sale.bids().await;
    assert_eq!((&bids[0]["bidder"]["name"], &bids[0]["placedBy"]["name"]), (&json!("ada"), &json!("carl")));

    let again = hall.hammer("1", body.clone()).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.expect(200), item);
    hall.hammer("1", json!({"result": "PASSED"})).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    hall.hammer("2", body).await.expect_problem(409, "CLOSED");
    hall.sale.bid(&hall.bob, json!({"amount": 9})).await.expect_problem(409, "ITEM_NOT_OPEN");
    assert_eq!(hall.sale.bids().await.len(), 2);
}

#[tokio::test]
async fn a_result_that_is_no_text_is_an_invalid_field() {
    let hall = Hall::open().await;
    for result in [json!(null), json!(5), json!(true), json!([]), json!("GONE")] {
        let refused = hall.hammer("1", json!({ "result": result })).await;
        assert_eq!(wrong_fields(&refused), ["result"], "{result}");
    }
}

#[tokio::test]
async fn an_item_is_sold_to_its_leader() {
    let hall = Hall::open().await;
    hall.hammer("1", json!({"result": "SOLD"})).await.expect_problem(409, "NO_STANDING_BID");
    hall.sale.bid(&hall.bob, json!({"amount": 5})).await.expect(201);
    let item = hall.hammer("1", json!({"result": "SOLD"})).await.expect(200);
    assert_eq!(outcome(&item), json!(["SOLD", 1, "5", "bob"]), "a refused key is free");
}

/// A clerk may send again what was not answered, also once it was corrected.
#[tokio::test]
async fn a_repeat_after_a_correction_and_a_restart_gets_the_item_as_it_is() {
    let mut hall = Hall::open().await;
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    hall.hammer("1", body.clone()).await.expect(200);
    let to_bob = json!({"for": named(&hall.bob).await, "amount": 6, "reason": "17, not 71"});
    let corrected = hall.correct(&hall.clerk, to_bob).await.expect(200);
    for _ in 0..2 {
        let again = hall.hammer("1", body.clone()).await;
        assert_eq!(again.header("idempotent-replayed"), "true");
        assert_eq!(again.expect(200), corrected);
        hall.hammer("1", json!({"result": "PASSED"})).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
        hall = hall.restart().await;
    }
    hall.hammer("2", body).await.expect_problem(409, "CLOSED");
    assert_eq!(hall.sale.bids().await.len(), 1);
}

/// The key of a refused hammer is free, for the same bytes and for others.
#[tokio::test]
async fn a_repeat_of_a_refused_hammer_is_judged_again() {
    let hall = Hall::open().await;
    hall.sale.bid(&hall.bob, json!({"amount": 5})).await.expect(201);
    let to_ada = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 5});
    for _ in 0..2 {
        let refused = hall.hammer("1", to_ada.clone()).await.expect_problem(422, "BID_REJECTED");
        assert_eq!(codes(&refused), ["EQUAL_NOT_HIGHER"]);
    }
    let withdrawal = format!("{}/1/withdraw", hall.sale.bids_path());
    hall.bob.post(&withdrawal, json!({"reason": "MISTYPED"})).await.expect(200);
    let sold = hall.hammer("1", to_ada).await;
    assert_eq!(sold.header("idempotent-replayed"), "");
    assert_eq!(outcome(&sold.expect(200)), json!(["SOLD", 2, "5", "ada"]));
}

/// The clerk names the leader and the price that everyone has heard.
#[tokio::test]
async fn the_leader_at_exactly_the_standing_price_places_no_second_bid() {
    let hall = Hall::open().await;
    hall.sale.bid(&hall.bob, json!({"amount": 5})).await.expect(201);
    let body = json!({"result": "SOLD", "for": named(&hall.bob).await, "amount": 5});
    assert_eq!(outcome(&hall.hammer("1", body).await.expect(200)), json!(["SOLD", 1, "5", "bob"]));
    assert_eq!(hall.sale.bids().await.len(), 1);
}

#[tokio::test]
async fn a_passed_item_is_not_sold_and_keeps_its_bids() {
    let hall = Hall::open().await;
    hall.sale.bid(&hall.bob, json!({"amount": 5})).await.expect(201);
    let mut events = Events::open(&hall.ada, &format!("{}/events", hall.sale.item_path())).await;
    events.item().await;
    let item = hall.hammer("1", json!({"result": "PASSED"})).await.expect(200);
    assert_eq!(outcome(&item), json!(["UNSOLD", null, null, null]));
    assert_eq!((&item["outcome"]["reason"], &item["bidCount"]), (&json!("passed"), &json!(1)));
    assert_eq!(events.item().await["outcome"]["result"], "UNSOLD");
    let news = hall.bob.get("/api/user/notifications").await.expect(200);
    assert_eq!(news["notifications"][0]["kind"], "ITEM_CHANGED", "{news}");
}

#[tokio::test]
async fn an_override_keeps_what_it_has_ignored_and_never_ignores_the_highest_bid() {
    let hall = Hall::open().await;
    let rules = format!("{}/currency-rules", hall.auction());
    for rule in [
        json!({"type": "MIN_INCREMENT", "params": {"amount": 10}}),
        json!({"type": "STEP", "params": {"step": 5}}),
    ] {
        hall.sale.owner.post(&rules, rule).await.expect(201);
    }
    hall.sale.bid(&hall.bob, json!({"amount": 10})).await.expect(201);
    let sold = async |amount: u64, overrides: bool| {
        let ada = named(&hall.ada).await;
        let body = json!({"result": "SOLD", "for": ada, "amount": amount, "override": overrides});
        hall.hammer("1", body).await
    };
    let refused = sold(12, false).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT", "STEP"]);
    let refused = sold(9, true).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["EQUAL_NOT_HIGHER"], "only what still counts");
    let refused = sold(0, true).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["NOT_POSITIVE"]);
    assert_eq!(outcome(&sold(12, true).await.expect(200)), json!(["SOLD", 2, "12", "ada"]));
    let listed = hall.ada.get(&hall.sale.bids_path()).await.expect(200);
    assert_eq!(listed["bids"][0]["overridden"], json!(["MIN_INCREMENT", "STEP"]));
    assert_eq!(listed["bids"][1]["overridden"], Value::Null);
}

#[tokio::test]
async fn the_seller_buys_nothing_and_drafts_and_later_items_are_not_hammered() {
    let hall = Hall::open().await;
    let seller = json!({"userId": user_id(&hall.sale.owner).await});
    let to_seller = json!({"result": "SOLD", "for": seller, "amount": 7, "override": true});
    hall.hammer("1", to_seller).await.expect_problem(403, "OWN_ITEM");
    let passed = || json!({"result": "PASSED"});
    let draft = hall.item(&hall.sale.add_item(json!({"isPublished": false})).await);
    hammer(&hall.clerk, &draft, "1", passed()).await.expect_problem(404, "NOT_FOUND");
    hammer(&hall.sale.owner, &draft, "1", passed()).await.expect_problem(409, "ITEM_NOT_OPEN");
    let later = hall.item(&hall.sale.add_item(json!({"startsAt": "2026-05-02T18:00:00Z"})).await);
    hammer(&hall.clerk, &later, "1", passed()).await.expect_problem(409, "ITEM_NOT_OPEN");
}

#[tokio::test]
async fn a_hammer_names_what_it_needs_and_nothing_else() {
    let hall = Hall::open().await;
    let ada = named(&hall.ada).await;
    for (body, wrong) in [
        (json!({"result": "PASSED", "amount": 5}), vec!["amount"]),
        (json!({"result": "PASSED", "for": ada}), vec!["for"]),
        (json!({"result": "SOLD", "amount": 5, "override": true}), vec!["amount", "override"]),
        (json!({"result": "GONE"}), vec!["result"]),
        (json!({"result": "SOLD", "for": {"number": 17}, "amount": 5}), vec!["for.number"]),
    ] {
        assert_eq!(wrong_fields(&hall.hammer("1", body.clone()).await), wrong, "{body}");
    }
    let path = format!("{}/hammer", hall.sale.item_path());
    let without_key = hall.clerk.post(&path, json!({"result": "PASSED"})).await;
    assert_eq!(wrong_fields(&without_key), ["Idempotency-Key"]);
    let missing = hall.hammer("1", json!({"result": "SOLD", "for": ada})).await;
    assert_eq!(codes(&missing.expect_problem(422, "BID_REJECTED")), ["AMOUNT_REQUIRED"]);
    for client in [&hall.ada, &hall.bob] {
        let refused = hammer(client, &hall.sale.item_path(), "1", json!({"result": "PASSED"})).await;
        refused.expect_problem(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn the_winner_is_charged_at_the_hammer_and_never_beyond_the_balance() {
    let BookSale { sale, book } = BookSale::open("30").await;
    let hall = Hall::of(sale).await;
    hall.sale.bid(&hall.bob, json!({"amount": 20})).await.expect(201);
    let second = hall.sale.add_item(json!({})).await;
    let to_bob = json!({"result": "SOLD", "for": named(&hall.bob).await, "amount": 11, "override": true});
    let refused = hammer(&hall.clerk, &hall.item(&second), "1", to_bob).await;
    assert_eq!(short_of(&refused), ("11".to_owned(), "10".to_owned()), "what is left beside the other item");
    hall.hammer("1", json!({"result": "PASSED"})).await.expect(200);
    let to_bob = json!({"result": "SOLD", "for": named(&hall.bob).await, "amount": 11});
    let item = hammer(&hall.clerk, &hall.item(&second), "1", to_bob).await.expect(200);
    assert!(item["outcome"]["paidAt"].is_string(), "{item}");
    let BookSale { sale, .. } = &BookSale { sale: hall.sale, book };
    let funds = hall.bob.get(&format!("/api/auctions/{}/balance", sale.auction)).await.expect(200);
    assert_eq!(["balance", "committed", "available"].map(|name| funds[name].clone()), ["19", "0", "19"]);
}

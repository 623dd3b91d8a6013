//! What stands, and how it is taken back.

use serde_json::json;

use super::super::{books::BookSale, codes, text};
use super::{bid, close, open, sold};

#[tokio::test]
async fn a_new_bid_replaces_the_one_before_higher_or_lower() {
    let sale = open(json!({})).await;
    let ada = sale.bidder("ada").await;
    for amount in [50, 70, 40, 40] {
        let placed = bid(&sale, &ada, amount).await;
        assert_eq!((&placed["sequence"], &placed["amount"]), (&json!(null), &json!(amount)));
        let listed = ada.get(&sale.bids_path()).await.expect(200);
        assert_eq!(listed["bids"].as_array().unwrap().len(), 1);
        assert_eq!((&listed["bids"][0]["amount"], &listed["nextBefore"]), (&json!(amount), &json!(null)));
    }
    let own = ada.get("/api/user/bids").await.expect(200);
    assert_eq!(
        (&own["bids"][0]["position"], &own["bids"][0]["bid"]["amount"]),
        (&json!("STANDING"), &json!(40))
    );
    let standing = ada.get("/api/user/bids?status=standing").await.expect(200);
    assert_eq!(standing["bids"].as_array().unwrap().len(), 1);
    assert_eq!(ada.get("/api/user/bids?status=leading").await.expect(200)["bids"], json!([]));
    assert_eq!(sold(&close(&sale).await), ["ada 40"]);
    let own = ada.get("/api/user/bids").await.expect(200);
    assert_eq!((&own["bids"][0]["position"], &own["bids"][0]["bid"]["sequence"]), (&json!("WON"), &json!(1)));
}

#[tokio::test]
async fn a_bid_is_taken_back_at_will_until_the_end() {
    let sale = open(json!({})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    let own = format!("{}/own/withdraw", sale.bids_path());
    ada.post(&own, json!({})).await.expect_problem(409, "NO_STANDING_BID");
    bid(&sale, &ada, 50).await;
    bid(&sale, &ben, 60).await;
    sale.app.clock.advance_seconds(3600);
    let withdrawn = ada.post(&own, json!({})).await.expect(200);
    assert_eq!((&withdrawn["amount"], &withdrawn["withdrawn"]["by"]), (&json!(50), &json!("BIDDER")));
    ada.post(&own, json!({})).await.expect_problem(409, "NO_STANDING_BID");
    assert_eq!(ada.get(&sale.bids_path()).await.expect(200)["bids"], json!([]));
    // A manager takes the bid of a member back, and does not see it.
    let ben_id = crate::routes::auctions::user_id(&ben).await;
    let of_ben = json!({"for": {"userId": ben_id}, "reason": "BIDDER_REMOVED"});
    ada.post(&own, of_ben.clone()).await.expect(403);
    sale.owner.post(&own, of_ben.clone()).await.expect_problem(403, "OWN_ITEM");
    let admin = sale.bidder("admin").await;
    sale.give_role(&admin, "ADMIN").await;
    assert_eq!(admin.post(&own, of_ben).await.expect(204), json!(null));
    assert_eq!(sold(&close(&sale).await), ["UNSOLD"]);
    ben.post(&own, json!({})).await.expect_problem(409, "CLOSED");
    sale.bid(&ben, json!({"amount": 5})).await.expect_problem(409, "ITEM_NOT_OPEN");
}

#[tokio::test]
async fn an_open_item_has_no_own_bid_to_take_back() {
    let sale = super::super::Sale::open(json!({}), &[super::super::points("PTS", "1")], json!({})).await;
    let ada = sale.bidder("ada").await;
    bid(&sale, &ada, 50).await;
    ada.post(&format!("{}/own/withdraw", sale.bids_path()), json!({}))
        .await
        .expect_problem(409, "NO_STANDING_BID");
}

#[tokio::test]
async fn a_repeat_with_its_key_gets_the_first_answer_also_after_the_end() {
    let sale = open(json!({})).await;
    let ada = sale.bidder("ada").await;
    let post = async || {
        let request = ada.request("POST", &sale.bids_path()).header("idempotency-key", "k1");
        let request = request.header("content-type", "application/json");
        crate::harness::Answer::of(request.body(json!({"amount": 50}).to_string())).await.expect(201)
    };
    let first = post().await;
    bid(&sale, &ada, 60).await;
    assert_eq!(post().await, first);
    assert_eq!(sold(&close(&sale).await), ["ada 60"], "the repeat placed nothing");
    assert_eq!(post().await, first);
}

/// The rules that compare with a highest bid do not count, the others do.
#[tokio::test]
async fn the_rules_of_a_single_bid_count() {
    let sale = open(json!({"minBidConstraint": null, "minIncrementNormalized": "10"})).await;
    let rules = format!("/api/auctions/{}/currency-rules", sale.auction);
    for rule in [
        json!({"type": "STEP", "params": {"step": "5"}}),
        json!({"type": "MAX_BID", "params": {"amount": "100"}}),
        json!({"type": "MIN_INCREMENT", "params": {"amount": "10"}}),
    ] {
        sale.owner.post(&rules, rule).await.expect(201);
    }
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    bid(&sale, &ada, 50).await;
    let refused = async |amount: u64| codes(&sale.bid(&ben, json!({ "amount": amount })).await.expect(422));
    assert_eq!(refused(52).await, ["STEP"]);
    assert_eq!(refused(105).await, ["MAX_BID"]);
    bid(&sale, &ben, 50).await;
    let verdict =
        ben.post(&format!("{}/validate", sale.bids_path()), json!({"amount": 25})).await.expect(200);
    assert_eq!(verdict["accepted"], true, "also lower than the own one");
    assert_eq!(sold(&close(&sale).await), ["ada 50"], "the earlier of two equal ones");
}

#[tokio::test]
async fn the_whole_bid_is_committed_for_its_bidder_alone() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let item = sale.add_item(json!({"format": "SEALED", "price": "NEXT"})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&item, &ada, 60).await.expect(201);
    assert_eq!(opened.funds(&ada).await, ["100", "60", "40"]);
    // The next bid takes the place of the one before.
    opened.bid_on(&item, &ada, 100).await.expect(201);
    assert_eq!(opened.funds(&ada).await, ["100", "100", "0"]);
    let refused = opened.bid_on(&item, &ada, 101).await.expect(422);
    assert_eq!(codes(&refused), ["INSUFFICIENT_BALANCE"]);
    assert_eq!(codes(&opened.bid_on(&sale.item, &ada, 1).await.expect(422)), ["INSUFFICIENT_BALANCE"]);
    let ada_id = crate::routes::auctions::user_id(&ada).await;
    let listed = sale.owner.get(&format!("/api/books/{}/holders", opened.book)).await.expect(200);
    let seen = listed["holders"].as_array().unwrap().iter().find(|one| one["user"]["id"] == json!(ada_id));
    let seen = seen.map(|one| [text(&one["committed"]), text(&one["available"])]);
    assert_eq!(seen, Some(["0".to_owned(), "100".to_owned()]), "a keeper sees none of it");
    opened.bid_on(&item, &ben, 30).await.expect(201);
    let own = format!("/api/auctions/{}/items/{item}/bids/own/withdraw", sale.auction);
    ben.post(&own, json!({})).await.expect(200);
    assert_eq!(opened.funds(&ben).await, ["100", "0", "100"]);
    opened.bid_on(&item, &ben, 30).await.expect(201);
    let close = format!("/api/auctions/{}/items/{item}/close", sale.auction);
    assert_eq!(sold(&sale.owner.post(&close, json!({})).await.expect(200)), ["ada 30"]);
    assert_eq!(opened.funds(&ada).await, ["70", "0", "70"]);
    assert_eq!(opened.funds(&ben).await, ["100", "0", "100"]);
}

#[tokio::test]
async fn who_has_a_sealed_bid_stays() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let item = sale.add_item(json!({"format": "SEALED"})).await;
    let ada = sale.bidder("ada").await;
    opened.bid_on(&item, &ada, 10).await.expect(201);
    let password = json!({"password": crate::harness::PASSWORD});
    ada.send("DELETE", "/api/user", password).await.expect_problem(409, "LEADS_OPEN_ITEMS");
}

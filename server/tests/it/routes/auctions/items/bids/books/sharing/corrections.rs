//! Further outcomes of items whose books share what is spent at once.

use serde_json::{Value, json};

use super::{Raid, automatic};
use crate::harness::TestApp;
use crate::routes::auctions::items::bids::books::short_of;

#[tokio::test]
async fn nobody_present_leaves_all_of_it_in_the_pot_also_after_a_correction() {
    let raid = Raid::open_in(TestApp::start().await, automatic()).await;
    raid.sell(0, 100).await;
    assert_eq!(
        (raid.has().await, raid.pot().await),
        (["100", "200", "200"].map(str::to_owned), "100".into())
    );
    assert_eq!(raid.runs().await, Vec::<Value>::new());
    raid.set_present(&[0, 1, 2], true).await;
    raid.correct(1, "90").await.expect(200);
    assert_eq!((raid.has().await, raid.pot().await), (["200", "110", "200"].map(str::to_owned), "90".into()));
    assert_eq!(raid.runs().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_further_outcome_shares_anew_among_the_members_who_were_present_then() {
    let raid = Raid::open(automatic()).await;
    raid.set_present(&[2], false).await;
    raid.bid(1, 80).await;
    raid.sell(0, 100).await;
    assert_eq!(raid.has().await, ["150", "250", "200"]);
    raid.set_present(&[0], false).await;
    raid.set_present(&[2], true).await;
    // The other bid.
    raid.outcome(json!({"sequence": 1, "reason": "Ada has left"})).await.expect(200);
    assert_eq!(raid.has().await, ["240", "160", "200"]);
    // Another price.
    raid.correct(1, "60").await.expect(200);
    assert_eq!(raid.has().await, ["230", "170", "200"]);
    // Nobody.
    raid.outcome(json!({"sequence": null, "reason": "It broke"})).await.expect(200);
    assert_eq!(raid.has().await, ["200", "200", "200"]);
    assert_eq!(raid.pot().await, "0");
    // A winner again.
    raid.correct(2, "10").await.expect(200);
    assert_eq!(raid.has().await, ["205", "205", "190"]);
    let expected =
        ["50 50 kept 0, reversed", "40 40 kept 0, reversed", "30 30 kept 0, reversed", "5 5 kept 0"];
    assert_eq!(raid.given().await, expected);
    let first = &raid.runs().await[0]["reversed"];
    assert_eq!((&first["by"], &first["reason"]), (&Value::Null, &json!("“A vase” has another outcome")));
}

#[tokio::test]
async fn an_item_that_was_not_sold_is_shared_by_its_first_sale() {
    let raid = Raid::open(automatic()).await;
    let close = format!("{}/close", raid.opened.sale.item_path());
    raid.owner().post(&close, json!({})).await.expect(200);
    assert_eq!(raid.runs().await, Vec::<Value>::new());
    raid.set_present(&[1], false).await;
    raid.correct(1, "30").await.expect(200);
    assert_eq!(raid.has().await, ["215", "170", "215"]);
}

#[tokio::test]
async fn a_buyer_may_be_left_out_and_is_not_after_a_correction_to_another() {
    let raid = Raid::open(json!({"automatic": true, "buyer": "OUT"})).await;
    raid.set_present(&[2], false).await;
    raid.sell(0, 100).await;
    assert_eq!(raid.has().await, ["100", "300", "200"]);
    raid.correct(1, "50").await.expect(200);
    assert_eq!(raid.has().await, ["250", "150", "200"]);
    raid.correct(2, "50").await.expect(200);
    assert_eq!(raid.has().await, ["225", "225", "150"]);
}

#[tokio::test]
async fn a_buyer_who_is_present_alone_and_left_out_leaves_all_in_the_pot_until_a_correction() {
    let raid = Raid::open_in(TestApp::start().await, json!({"automatic": true, "buyer": "OUT"})).await;
    raid.set_present(&[0], true).await;
    raid.sell(0, 100).await;
    assert_eq!((raid.given().await, raid.pot().await), (vec![" kept 100".to_owned()], "100".to_owned()));
    raid.correct(1, "70").await.expect(200);
    assert_eq!(raid.has().await, ["270", "130", "200"]);
    assert_eq!(raid.given().await, [" kept 100, reversed", "70 kept 0"]);
}

#[tokio::test]
async fn a_run_that_a_teller_has_reversed_is_neither_reversed_nor_shared_anew() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 90).await;
    raid.reverse_by_hand(1).await;
    assert_eq!((raid.has().await, raid.pot().await), (["110", "200", "200"].map(str::to_owned), "90".into()));
    raid.correct(1, "60").await.expect(200);
    assert_eq!((raid.has().await, raid.pot().await), (["200", "140", "200"].map(str::to_owned), "60".into()));
    raid.correct(2, "50").await.expect(200);
    assert_eq!((raid.has().await, raid.pot().await), (["200", "200", "150"].map(str::to_owned), "50".into()));
    assert_eq!(raid.runs().await.len(), 1);
}

#[tokio::test]
async fn a_book_that_shares_no_more_takes_back_what_it_has_shared() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 90).await;
    raid.patch(json!({"share": null})).await;
    raid.correct(1, "60").await.expect(200);
    assert_eq!((raid.has().await, raid.pot().await), (["200", "140", "200"].map(str::to_owned), "60".into()));
    assert_eq!(raid.given().await, ["30 30 30 kept 0, reversed"]);
}

#[tokio::test]
async fn a_correction_is_judged_without_what_it_takes_back() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 90).await;
    assert_eq!(raid.has().await, ["140", "230", "230"]);
    let refused = raid.correct(1, "201").await;
    assert_eq!(short_of(&refused), ("201".to_owned(), "200".to_owned()));
    raid.correct(1, "200").await.expect(200);
    assert_eq!(raid.given().await[1], "66.66 66.66 66.66 kept 0.02");
}

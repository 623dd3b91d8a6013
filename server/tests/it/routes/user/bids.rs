//! `/api/user/bids`

use auction_house::usage::NEWEST_BID_WITHIN;
use platform::db::query_scalar;
use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use crate::routes::auctions::items::bids::{Sale, text};
use crate::routes::auctions::{NO_ID, remove, user_id, wrong_fields};

async fn own_bids(client: &Client, query: &str) -> Vec<Value> {
    let answer = client.get(&format!("/api/user/bids{query}")).await.expect(200);
    answer["bids"].as_array().unwrap().clone()
}

/// Item, amount and position of each bid.
async fn listed(client: &Client, query: &str) -> Vec<(String, i64, String)> {
    let facts = |own: &Value| {
        (text(&own["item"]["id"]), own["bid"]["amount"].as_i64().unwrap(), text(&own["position"]))
    };
    own_bids(client, query).await.iter().map(facts).collect()
}

fn entry(item: &str, amount: i64, position: &str) -> (String, i64, String) {
    (item.to_owned(), amount, position.to_owned())
}

#[tokio::test]
async fn each_item_is_listed_once_with_the_newest_bid_and_the_position() {
    let mut sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let first = sale.item.clone();
    for (bidder, amount) in [(&ada, 5), (&bob, 6), (&ada, 7)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    let second = sale.add_item(json!({"currencyCode": "EUR"})).await;
    sale.item = second.clone();
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid(&bob, json!({"amount": 2})).await.expect(201);
    // Nobody has bid on it.
    sale.add_item(json!({"currencyCode": "EUR"})).await;

    assert_eq!(listed(&ada, "").await, [entry(&second, 1, "OUTBID"), entry(&first, 7, "LEADING")]);
    assert_eq!(listed(&bob, "").await, [entry(&second, 2, "LEADING"), entry(&first, 6, "OUTBID")]);
    assert_eq!(listed(&ada, "?status=leading").await, [entry(&first, 7, "LEADING")]);
    assert_eq!(listed(&ada, "?status=outbid").await, [entry(&second, 1, "OUTBID")]);
    assert_eq!(listed(&ada, "?status=won").await, []);
    assert_eq!(listed(&sale.owner, "").await, [], "the seller has no bids");
    let item = ada.get(&sale.item_path()).await.expect(200);
    let own = own_bids(&ada, "?status=outbid").await.remove(0);
    assert_eq!(own["item"], item);
    assert_eq!(own["bid"], ada.get(&sale.bids_path()).await.expect(200)["bids"][1], "as in the item's list");

    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    assert_eq!(listed(&ada, "?status=won").await, [entry(&first, 7, "WON")]);
    assert_eq!(listed(&ada, "?status=lost").await, [entry(&second, 1, "LOST")]);
    assert_eq!(listed(&ada, "?status=leading").await, []);
    let decided = json!({"sequence": 1, "reason": "bob never came"});
    sale.owner.post(&format!("{}/outcome", sale.item_path()), decided).await.expect(200);
    assert_eq!(listed(&ada, "?status=won").await.len(), 2, "an outcome that was decided again");
    assert_eq!(listed(&bob, "?status=won").await, []);
    assert_eq!(wrong_fields(&ada.get("/api/user/bids?status=WON").await), ["status"]);
}

#[tokio::test]
async fn an_ended_item_is_won_before_its_outcome_is_written() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:10:00Z"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(600);
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, 5, "WON")]);
    sale.app.reconcile().await;
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, 5, "WON")]);
}

#[tokio::test]
async fn a_withdrawn_bid_counts_no_more() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    for (bidder, amount) in [(&ada, 5), (&bob, 6), (&ada, 7)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    sale.withdraw(&ada, 3, json!({"reason": "MISTYPED"})).await.expect(200);
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, 5, "OUTBID")]);
    assert_eq!(listed(&bob, "").await, [entry(&sale.item, 6, "LEADING")]);
    let manager = sale.bidder("manager").await;
    sale.give_role(&manager, "ADMIN").await;
    let refused = sale.withdraw(&sale.owner, 1, json!({"reason": "OTHER"})).await;
    refused.expect_problem(403, "ASK_ANOTHER_MANAGER");
    sale.withdraw(&manager, 1, json!({"reason": "OTHER"})).await.expect(200);
    assert_eq!(listed(&ada, "").await, [], "no bid stands");
    sale.bid(&ada, json!({"amount": 8})).await.expect(201);
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, 8, "LEADING")]);
}

#[tokio::test]
async fn bids_in_auctions_that_the_user_may_no_longer_see_are_left_out() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    remove(&sale.owner, &format!("/api/auctions/{}", sale.auction), &ada).await;
    assert_eq!(listed(&ada, "").await.len(), 1, "a FREE auction");
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    assert_eq!(listed(&ada, "").await, []);
}

#[tokio::test]
async fn names_are_as_visible_as_in_the_auction() {
    let sale =
        Sale::open(json!({"bidderVisibility": "ANONYMOUS"}), &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);
    let own = own_bids(&ada, "").await.remove(0);
    assert_eq!(own["item"]["highestBid"]["bidder"], Value::Null, "the leader is hidden");
    assert_eq!(own["bid"]["bidder"]["id"], json!(user_id(&ada).await));
}

#[tokio::test]
async fn a_list_is_read_page_by_page() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut items = Vec::new();
    for at in 0..5 {
        if at > 0 {
            sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
        }
        sale.bid(&ada, json!({"amount": 5})).await.expect(201);
        items.insert(0, sale.item.clone());
    }
    let (mut found, mut path) = (Vec::new(), "/api/user/bids?limit=2&status=leading".to_owned());
    loop {
        let page = ada.get(&path).await.expect(200);
        let bids = page["bids"].as_array().unwrap();
        assert!(bids.len() <= 2);
        found.extend(bids.iter().map(|own| text(&own["item"]["id"])));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        path = format!("/api/user/bids?limit=2&status=leading&cursor={cursor}");
    }
    assert_eq!(found, items);
    assert_eq!(listed(&ada, &format!("?cursor={NO_ID}")).await.len(), 0, "older than every item");
    assert_eq!(wrong_fields(&ada.get("/api/user/bids?cursor=x&limit=0").await), ["limit", "cursor"]);
}

/// The ledger has no index by bidder: a bid is found from the one that the table of bidders names.
#[tokio::test]
async fn the_newest_bid_is_found_however_many_follow_it() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert_eq!(bidders(&sale.app).await, [1]);
    sale.bid(&bob, json!({"amount": 2})).await.expect(201);
    sale.bid(&ada, json!({"amount": 3})).await.expect(201);
    assert_eq!(bidders(&sale.app).await, [1, 2], "one row for each bidder");
    let last = NEWEST_BID_WITHIN + 2;
    sale.bid_like(2, last).await;
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, 3, "OUTBID")]);
    sale.bid(&ada, json!({"amount": last + 1})).await.expect(201);
    assert_eq!(bidders(&sale.app).await, [2, last + 1], "the row was out of date");
    sale.bid(&bob, json!({"amount": last + 2})).await.expect(201);
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, last + 1, "OUTBID")]);
    let restarted = sale.app.restart().await;
    let ada = ada.at(restarted.address);
    ada.post(
        &format!("/api/auctions/{}/items/{}/bids", sale.auction, sale.item),
        json!({"amount": last + 3}),
    )
    .await
    .expect(201);
    assert_eq!(listed(&ada, "").await, [entry(&sale.item, last + 3, "LEADING")]);
}

/// The sequences of all rows, in order.
async fn bidders(app: &TestApp) -> Vec<i64> {
    let mut db = app.state.context.db.read().await.unwrap();
    query_scalar("SELECT sequence FROM bidders ORDER BY sequence").fetch_all(&mut db).await.unwrap()
}

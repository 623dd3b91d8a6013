//! The outcomes of an auction, and the reconciler, which closes what the clock has ended.

use serde_json::{Value, json};

use super::items::bids::{Sale, text};
use super::items::close::outcomes;
use super::{auction, wrong_fields};
use crate::harness::{Events, TestApp};

fn path(sale: &Sale) -> String {
    format!("/api/auctions/{}/outcomes", sale.auction)
}

#[tokio::test]
async fn outcomes_are_listed_page_by_page_in_the_order_of_their_creation() {
    let mut sale = Sale::legacy(json!({})).await;
    let mut items = vec![sale.item.clone()];
    for _ in 0..4 {
        items.push(sale.add_item(json!({"currencyCode": "EUR"})).await);
    }
    for item in items.iter().rev() {
        sale.item = item.clone();
        sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    }
    let (mut listed, mut page) = (Vec::new(), format!("{}?limit=2", path(&sale)));
    loop {
        let answer = sale.owner.get(&page).await.expect(200);
        let outcomes = answer["outcomes"].as_array().unwrap();
        assert!(outcomes.len() <= 2);
        listed.extend(outcomes.iter().map(|outcome| text(&outcome["itemId"])));
        let Some(cursor) = answer["nextCursor"].as_str() else { break };
        page = format!("{}?limit=2&cursor={cursor}", path(&sale));
    }
    items.reverse();
    assert_eq!(listed, items);
    assert_eq!(
        wrong_fields(&sale.owner.get(&format!("{}?limit=0&cursor=x", path(&sale))).await),
        ["limit", "cursor"]
    );
}

#[tokio::test]
async fn the_outcomes_of_a_free_auction_are_for_every_user_and_others_for_members() {
    let sale = Sale::legacy(json!({})).await;
    let eve = sale.app.user("eve").await;
    eve.get(&path(&sale)).await.expect(200);
    sale.app.anonymous().get(&path(&sale)).await.expect_problem(401, "UNAUTHENTICATED");
    sale.write("UPDATE auctions SET join_mode = 'INVITE_ONLY'").await;
    eve.get(&path(&sale)).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn closing_an_auction_gives_every_item_its_outcome() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let first = sale.item.clone();
    let unsold = sale.add_item(json!({"currencyCode": "EUR"})).await;
    let draft = sale.add_item(json!({"currencyCode": "EUR", "isPublished": false})).await;
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    sale.owner.post(&format!("{}/cancel", sale.item_path()), json!({"reason": "broken"})).await.expect(200);
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let all = outcomes(&sale, &sale.owner).await;
    let facts: Vec<_> = all.iter().map(|one| (text(&one["itemId"]), text(&one["result"]))).collect();
    let expected = [(&sale.item, "CANCELLED"), (&first, "SOLD"), (&unsold, "UNSOLD"), (&draft, "UNSOLD")];
    let expected = expected.map(|(item, result)| (item.clone(), result.to_owned()));
    assert_eq!(facts, expected);
    assert!(all.iter().all(|one| one["by"]["name"] == "owner"));
}

#[tokio::test]
async fn the_reconciler_closes_what_has_ended_and_nothing_else() {
    let mut sale = Sale::open(
        json!({"endDate": "2026-05-01T18:20:00Z"}),
        &[],
        json!({"currencyCode": "EUR", "endDate": "2026-05-01T18:10:00Z"}),
    )
    .await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let first = sale.item.clone();
    let second = sale.add_item(json!({"currencyCode": "EUR"})).await;
    let draft = sale.add_item(json!({"currencyCode": "EUR", "isPublished": false})).await;
    sale.app.reconcile().await;
    assert_eq!(outcomes(&sale, &ada).await, Vec::<Value>::new());

    let mut events = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    events.item().await;
    sale.app.clock.advance_seconds(600);
    let ended = ada.get(&sale.item_path()).await.expect(200);
    assert_eq!((&ended["status"], &ended["outcome"]), (&json!("CLOSED"), &Value::Null), "the clock decides");
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect_problem(409, "CLOSED");
    for _ in 0..2 {
        sale.app.reconcile().await;
        let all = outcomes(&sale, &ada).await;
        assert_eq!(all.len(), 1, "a second round changes nothing");
        assert_eq!((&all[0]["itemId"], &all[0]["by"]), (&json!(first), &Value::Null));
        assert_eq!((&all[0]["winner"]["name"], &all[0]["result"]), (&json!("ada"), &json!("SOLD")));
    }
    let mut item = events.item().await;
    while item["outcome"] == Value::Null {
        item = events.item().await;
    }
    assert_eq!(item["outcome"]["result"], "SOLD");

    let auction = format!("/api/auctions/{}", sale.auction);
    sale.app.clock.advance_seconds(600);
    sale.app.reconcile().await;
    let all = outcomes(&sale, &sale.owner).await;
    let items: Vec<_> = all.iter().map(|one| text(&one["itemId"])).collect();
    assert_eq!(items, [first, second, draft]);
    let closed = sale.owner.get(&auction).await;
    assert_eq!(closed.expect(200)["status"], "CLOSED");
    assert_eq!(closed.header("etag"), "\"2\"", "the close is written");
    sale.app.reconcile().await;
    assert_eq!(sale.owner.get(&auction).await.header("etag"), "\"2\"");
    sale.item = text(&all[0]["itemId"]);
}

#[tokio::test]
async fn a_late_bid_keeps_its_item_and_its_auction_open() {
    let sale = Sale::open(
        json!({"endDate": "2026-05-01T18:10:00Z"}),
        &[],
        json!({
            "currencyCode": "EUR", "antiSnipeEnabled": true,
            "antiSnipeThresholdSeconds": 60, "antiSnipeExtensionSeconds": 60,
        }),
    )
    .await;
    let ada = sale.bidder("ada").await;
    sale.app.clock.advance_seconds(590);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(15);
    sale.app.reconcile().await;
    assert_eq!(outcomes(&sale, &ada).await, Vec::<Value>::new());
    sale.app.clock.advance_seconds(60);
    sale.app.reconcile().await;
    assert_eq!(outcomes(&sale, &ada).await.len(), 1);
    let auction = sale.owner.get(&format!("/api/auctions/{}", sale.auction)).await.expect(200);
    assert_eq!(auction["status"], "CLOSED");
}

/// Items without ends of their own close with their auction.
#[tokio::test]
async fn items_without_ends_and_drafts_close_with_their_auction() {
    let mut sale = Sale::open(
        json!({"itemEndMode": "NONE", "endDate": "2026-05-01T18:10:00Z"}),
        &[],
        json!({"currencyCode": "EUR"}),
    )
    .await;
    let item = sale.item.clone();
    let draft = sale.add_item(json!({"currencyCode": "EUR", "isPublished": false})).await;
    sale.item = item.clone();
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(599);
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
    sale.app.clock.advance_seconds(1);
    sale.bid(&ada, json!({"amount": 7})).await.expect_problem(409, "ITEM_NOT_OPEN");
    let auction = format!("/api/auctions/{}", sale.auction);
    assert_eq!(sale.owner.get(&auction).await.expect(200)["status"], "CLOSED");
    sale.app.reconcile().await;
    let closed = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!((&closed["status"], &closed["outcome"]["winner"]["name"]), (&json!("CLOSED"), &json!("ada")));
    assert_eq!((&closed["endDate"], &closed["outcome"]["by"]), (&Value::Null, &Value::Null));
    let items: Vec<_> = outcomes(&sale, &sale.owner).await.iter().map(|one| text(&one["itemId"])).collect();
    assert_eq!(items, [item, draft]);
}

/// A changed end opens nothing again: what its own end had closed has its outcome.
#[tokio::test]
async fn an_item_that_has_ended_gets_its_outcome_before_the_ends_change() {
    let sale =
        Sale::open(json!({}), &[], json!({"currencyCode": "EUR", "endDate": "2026-05-01T18:10:00Z"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(600);
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"endDate": "2026-05-01T20:00:00Z"})).await.expect(200);
    let all = outcomes(&sale, &ada).await;
    assert_eq!(all.len(), 1);
    assert_eq!((&all[0]["winner"]["name"], &all[0]["by"]), (&json!("ada"), &Value::Null));
}

/// More auctions than one round closes.
#[tokio::test]
async fn many_auctions_that_end_together_are_closed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let mut drafts = Vec::new();
    for _ in 0..20 {
        let path = auction(&ada, json!({"endDate": "2026-05-01T18:10:00Z", "itemEndMode": "NONE"})).await;
        let draft =
            ada.post(&format!("{path}/items"), json!({"name": "A vase", "currencyCode": "EUR"})).await;
        drafts.push(format!("{path}/items/{}", text(&draft.expect(201)["id"])));
    }
    app.clock.advance_seconds(600);
    app.reconcile().await;
    for draft in drafts {
        assert_eq!(ada.get(&draft).await.expect(200)["outcome"]["result"], "UNSOLD");
    }
}

/// More items than one round closes.
#[tokio::test]
async fn many_items_that_end_together_get_one_outcome_each() {
    let sale =
        Sale::open(json!({"endDate": "2026-05-01T18:10:00Z"}), &[], json!({"currencyCode": "EUR"})).await;
    for _ in 0..300 {
        sale.add_item(json!({"currencyCode": "EUR"})).await;
    }
    sale.app.clock.advance_seconds(600);
    sale.app.reconcile().await;
    let (mut count, mut page) = (0, format!("{}?limit=100", path(&sale)));
    loop {
        let answer = sale.owner.get(&page).await.expect(200);
        count += answer["outcomes"].as_array().unwrap().len();
        let Some(cursor) = answer["nextCursor"].as_str() else { break };
        page = format!("{}?limit=100&cursor={cursor}", path(&sale));
    }
    assert_eq!(count, 301);
}

/// Two servers reconcile the same items at once while bids arrive at both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_give_each_item_one_outcome() {
    let app = TestApp::start_on_postgres().await;
    let mut sale =
        Sale::open_in(app, json!({"endDate": "2026-05-01T18:10:00Z"}), &[], json!({"currencyCode": "EUR"}))
            .await;
    let other = sale.app.another().await;
    let ada = sale.bidder("ada").await;
    let mut items = vec![sale.item.clone()];
    for _ in 0..40 {
        items.push(sale.add_item(json!({"currencyCode": "EUR"})).await);
    }
    for item in &items[..10] {
        sale.item = item.clone();
        sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    }
    let there = ada.at(other.address);
    let bids = items.iter().enumerate().map(|(n, item)| {
        let path = format!("/api/auctions/{}/items/{item}/bids", sale.auction);
        let bidder = if n % 2 == 0 { &ada } else { &there };
        async move { bidder.post(&path, json!({"amount": 5})).await }
    });
    let close = async {
        tokio::task::yield_now().await;
        sale.app.clock.advance_seconds(600);
        tokio::join!(sale.app.reconcile(), other.reconcile(), sale.app.reconcile());
    };
    let (bids, ()) = tokio::join!(futures::future::join_all(bids), close);
    // A bid that is in the queue while the clock jumps has waited for too long.
    for answer in &bids {
        assert!([201, 409, 503].contains(&answer.status.as_u16()), "{}", answer.text);
    }
    // A round that another server has overtaken leaves items to the next one.
    sale.app.reconcile().await;
    let all = outcomes(&sale, &sale.owner).await;
    assert_eq!(all.len(), items.len());
    for item in &items {
        sale.item = item.clone();
        let last = sale.bids().await.first().map_or(Value::Null, |bid| bid["sequence"].clone());
        let of_item: Vec<_> = all.iter().filter(|one| one["itemId"] == item.as_str()).collect();
        assert_eq!(of_item.len(), 1);
        assert_eq!(of_item[0]["bid"]["sequence"], last);
    }
}

/// A user who was sold an item sees it, with its price, after being removed from the auction.
#[tokio::test]
async fn a_winner_sees_what_they_won_also_after_being_removed() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&bob, json!({"amount": 4})).await.expect(201);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let path = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    for user in [&ada, &bob] {
        super::remove(&sale.owner, &path, user).await;
    }
    let seen = ada.get(&sale.item_path()).await.expect(200);
    assert_eq!(seen["outcome"]["bid"]["normalizedAmount"], "5");
    let page = ada.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await;
    assert!(page.status == 200 && page.text.contains("A vase"), "{}", page.text);
    let won = ada.get("/api/user/bids?status=won").await.expect(200);
    assert_eq!(won["bids"][0]["item"]["id"], json!(sale.item));
    ada.get(&path).await.expect_problem(404, "NOT_FOUND");
    bob.get(&sale.item_path()).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(bob.get("/api/user/bids").await.expect(200)["bids"], json!([]));
}

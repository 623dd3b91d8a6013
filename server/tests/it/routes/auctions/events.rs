use std::collections::HashSet;

use auction_house::ids::ItemId;
use auction_house::items::{self, Item};
use auction_house::locks::LockingWrites;
use serde_json::{Value, json};

use super::items::bids::{Sale, text};
use crate::harness::{Client, Event, Events};

fn path(sale: &Sale) -> String {
    format!("/api/auctions/{}/events", sale.auction)
}

async fn bid(sale: &Sale, bidder: &Client, item: &str, amount: u32) -> Value {
    let path = format!("/api/auctions/{}/items/{item}/bids", sale.auction);
    bidder.post(&path, json!({ "amount": amount })).await.expect(201)
}

#[tokio::test]
async fn a_stream_sends_the_bids_of_all_items_with_increasing_ids() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = Events::open(&ada, &path(&sale)).await;
    assert_eq!(events.item().await["id"], json!(sale.item), "the items come first");
    let second = sale.add_item(json!({"currencyCode": "EUR", "name": "A jug"})).await;
    assert_eq!(events.item().await["name"], "A jug");

    let first = bid(&sale, &ada, &sale.item, 5).await;
    let (first_id, sent) = events.bid().await;
    assert_eq!(sent, first);
    let next = bid(&sale, &ada, &second, 7).await;
    let (second_id, sent) = events.bid().await;
    assert_eq!(sent, next);
    assert!(second_id > first_id);
}

#[tokio::test]
async fn a_stream_resumes_without_gap_or_repeat() {
    let mut sale = Sale::legacy(json!({})).await;
    let second = sale.add_item(json!({"currencyCode": "EUR", "name": "A jug"})).await;
    let ada = sale.bidder("ada").await;
    // Bids of one batch share a row of events. A stream may break between them.
    let answers = (1..=40).map(|amount| bid_any(&sale, &ada, amount));
    futures::future::join_all(answers).await;
    bid(&sale, &ada, &second, 1).await;
    let count = sale.owner.get(&sale.item_path()).await.expect(200)["bidCount"].as_i64().unwrap();
    let all = read(&sale, &ada, 0, count + 1).await;
    assert!(all.is_sorted_by_key(|(id, _)| *id));
    assert_eq!(all.iter().filter(|(_, bid)| bid["itemId"] == json!(sale.item)).count(), count as usize);

    sale.app = sale.app.restart().await;
    let (ada, owner) = (ada.at(sale.app.address), sale.owner.at(sale.app.address));
    for (at, (id, _)) in all.iter().enumerate() {
        let rest = count - i64::try_from(at).unwrap();
        assert_eq!(read(&sale, &owner, *id, rest).await, all[at + 1..]);
    }
    bid(&sale, &ada, &sale.item, 100).await;
    let newest = read(&sale, &owner, all.last().unwrap().0, 1).await;
    assert_eq!(newest[0].1["normalizedAmount"], "100");
}

async fn bid_any(sale: &Sale, bidder: &Client, amount: u32) {
    sale.bid(bidder, json!({ "amount": amount })).await;
}

/// Reads the first `count` bids of a stream that resumes after this id.
async fn read(sale: &Sale, viewer: &Client, after: i64, count: i64) -> Vec<(i64, Value)> {
    let mut events = Events::open(viewer, &format!("{}?after={after}", path(sale))).await;
    let mut bids = Vec::new();
    let mut items = Vec::new();
    while bids.len() < usize::try_from(count).unwrap() {
        let event = events.next().await.expect("an event");
        match event.kind.as_str() {
            "item" => items.push(text(&event.data["id"])),
            _ => {
                assert!(items.contains(&text(&event.data["itemId"])), "an item comes before its bids");
                bids.push((event.id.unwrap(), event.data));
            }
        }
    }
    bids
}

#[tokio::test]
async fn a_draft_is_sent_only_to_viewers_who_may_see_it() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut ada_events = Events::open(&ada, &path(&sale)).await;
    let mut owners = Events::open(&sale.owner, &path(&sale)).await;
    ada_events.item().await;
    owners.item().await;
    let draft = sale.add_item(json!({"currencyCode": "EUR", "name": "A jug", "isPublished": false})).await;
    assert_eq!(owners.item().await["id"], json!(draft));
    bid(&sale, &ada, &sale.item, 1).await;
    assert_eq!(ada_events.bid().await.1["itemId"], json!(sale.item), "nothing came before");
    let published = format!("/api/auctions/{}/items/{draft}", sale.auction);
    sale.owner.patch(&published, json!({"isPublished": true})).await.expect(200);
    assert_eq!(ada_events.item().await["id"], json!(draft));
}

#[tokio::test]
async fn items_close_by_the_clock_also_without_listeners() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:20:00Z"})).await;
    let ada = sale.bidder("ada").await;
    bid(&sale, &ada, &sale.item, 1).await;
    let mut events = Events::open(&ada, &format!("{}?after=0", path(&sale))).await;
    events.item().await;
    let (id, _) = events.bid().await;
    sale.app.clock.advance_seconds(1200);
    assert_eq!(events.item().await["status"], "CLOSED");
    let mut again = Events::open(&ada, &format!("{}?after={id}", path(&sale))).await;
    assert_eq!(again.item().await["status"], "CLOSED", "also for an event id from before the end");
}

/// More items than one query for closed items returns.
#[tokio::test]
async fn all_items_that_close_together_are_published() {
    const ITEMS: usize = 1002;
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:20:00Z"})).await;
    let (auction, item) = (sale.auction.parse().unwrap(), sale.item.parse().unwrap());
    let mut db = sale.app.state.context.db.write_in(&[auction]).await.unwrap();
    let one = items::store::find(&mut db, auction, item).await.unwrap().unwrap();
    for lot_number in (2..).take(ITEMS - 1) {
        let lot_number = lot_number.to_string().parse().unwrap();
        let copy = Item { id: ItemId::new(one.created_at), lot_number, ..one.clone() };
        items::store::insert(&mut db, &copy).await.unwrap();
    }
    db.commit().await.unwrap();
    let ada = sale.app.user("ada").await;
    let mut events = Events::open(&ada, &path(&sale)).await;
    sale.app.clock.advance_seconds(1200);
    let mut closed = HashSet::new();
    while closed.len() < ITEMS {
        let item = events.item().await;
        if item["status"] == "CLOSED" {
            closed.insert(text(&item["id"]));
        }
    }
    let resumed = Events::open(&ada, &format!("{}?after=0", path(&sale))).await.next().await;
    let Some(Event { kind, data, .. }) = resumed else { panic!("an event") };
    assert_eq!((kind.as_str(), &data["items"][0]["status"]), ("reset", &json!("CLOSED")), "too much at once");
}

#[tokio::test]
async fn deleted_items_are_published_as_gone() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let second = sale.add_item(json!({"currencyCode": "EUR", "name": "A jug"})).await;
    bid(&sale, &ada, &second, 1).await;
    let mut events = Events::open(&ada, &path(&sale)).await;
    let mut of_item = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    for _ in 0..2 {
        events.item().await;
    }
    of_item.item().await;
    sale.owner.delete(&sale.item_path()).await.expect(204);
    assert_eq!(events.gone().await, sale.item);
    assert_eq!(of_item.gone().await, sale.item);
    assert_eq!(of_item.next().await, None, "the stream ends with its item");

    let mut resumed = Events::open(&ada, &format!("{}?after=2", path(&sale))).await;
    assert_eq!(resumed.item().await["id"], json!(second));
    assert_eq!(resumed.bid().await.0, 3);
    assert_eq!(resumed.gone().await, sale.item);
}

#[tokio::test]
async fn a_deleted_draft_is_gone_for_those_who_saw_it_only() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = Events::open(&ada, &path(&sale)).await;
    let mut of_owner = Events::open(&sale.owner, &path(&sale)).await;
    for events in [&mut events, &mut of_owner] {
        events.item().await;
    }
    let draft = sale.add_item(json!({"currencyCode": "EUR", "name": "A jug", "isPublished": false})).await;
    assert_eq!(of_owner.item().await["id"], json!(draft));
    sale.owner.delete(&format!("/api/auctions/{}/items/{draft}", sale.auction)).await.expect(204);
    assert_eq!(of_owner.gone().await, draft);
    sale.owner.patch(&sale.item_path(), json!({"name": "A blue vase"})).await.expect(200);
    assert_eq!(events.item().await["name"], "A blue vase", "the next event");

    let resume = async |client| Events::open(client, &format!("{}?after=1", path(&sale))).await;
    let mut resumed = resume(&sale.owner).await;
    assert_eq!(resumed.item().await["id"], json!(sale.item));
    assert_eq!(resumed.gone().await, draft);
    let mut resumed = resume(&ada).await;
    assert_eq!(resumed.item().await["id"], json!(sale.item));
    sale.owner.patch(&sale.item_path(), json!({"name": "A vase"})).await.expect(200);
    assert_eq!(resumed.item().await["name"], "A vase", "nothing is gone");
}

#[tokio::test]
async fn a_deleted_auction_takes_its_items_along() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = Events::open(&ada, &path(&sale)).await;
    events.item().await;
    sale.add_item(json!({"currencyCode": "EUR", "name": "A draft", "isPublished": false})).await;
    let second = sale.add_item(json!({"currencyCode": "EUR", "name": "A jug"})).await;
    events.item().await;
    let mut of_item = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    of_item.item().await;
    sale.owner.delete(&format!("/api/auctions/{}", sale.auction)).await.expect(204);
    assert_eq!(events.gone().await, sale.item);
    assert_eq!(events.gone().await, second);
    assert_eq!(events.next().await, None, "the stream ends with its auction");
    assert_eq!(of_item.gone().await, sale.item);
}

#[tokio::test]
async fn an_item_that_is_hidden_again_is_gone_for_bidders() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut bidders = Events::open(&ada, &path(&sale)).await;
    let mut owners = Events::open(&sale.owner, &path(&sale)).await;
    let mut of_item = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    for events in [&mut bidders, &mut owners, &mut of_item] {
        events.item().await;
    }
    sale.owner.patch(&sale.item_path(), json!({"isPublished": false})).await.expect(200);
    assert_eq!(bidders.gone().await, sale.item);
    assert_eq!(of_item.gone().await, sale.item);
    assert_eq!(owners.item().await["isPublished"], false);
    sale.owner.patch(&sale.item_path(), json!({"name": "A draft"})).await.expect(200);
    assert_eq!(owners.item().await["name"], "A draft");
    sale.owner.patch(&sale.item_path(), json!({"isPublished": true})).await.expect(200);
    assert_eq!(bidders.item().await["name"], "A draft", "nothing came before");
}

/// An item's page also shows fields of its auction.
#[tokio::test]
async fn changes_of_an_auction_that_show_in_its_items_are_published() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let bea = sale.bidder("bea").await;
    let mut events = Events::open(&bea, &path(&sale)).await;
    events.item().await;
    let auction = format!("/api/auctions/{}", sale.auction);
    let currencies = format!("{auction}/currencies");
    let profile =
        json!({"code": "T", "name": "Tokens", "symbol": "T", "rateToBase": "1", "inputMode": "SCALAR"});
    let profile = sale.owner.post(&currencies, profile).await.expect(201);
    assert_eq!(events.item().await["currencyCode"], Value::Null);
    sale.owner.delete(&format!("{currencies}/{}", text(&profile["id"]))).await.expect(204);
    assert_eq!(events.item().await["currencyCode"], "EUR");

    bid(&sale, &ada, &sale.item, 1).await;
    assert_eq!(events.bid().await.1["bidder"]["name"], "ada");
    sale.owner.patch(&auction, json!({"bidderVisibility": "ANONYMOUS"})).await.expect(200);
    assert_eq!(events.item().await["highestBid"]["bidder"], Value::Null);
}

#[tokio::test]
async fn old_events_are_deleted_from_time_to_time() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let kept = async || {
        let conn = &mut sale.app.state.context.db.read().await.unwrap();
        let positions = platform::db::query_scalar("SELECT position FROM events ORDER BY position");
        positions.fetch_all::<i64>(conn).await.unwrap()
    };
    sale.write("UPDATE event_heads SET last_position = 5118").await;
    bid(&sale, &ada, &sale.item, 1).await;
    assert_eq!(kept().await, [1, 5119], "not with each event");
    bid(&sale, &ada, &sale.item, 2).await;
    assert_eq!(kept().await, [5119, 5120], "past a multiple of 256");
}

#[tokio::test]
async fn an_unknown_id_restarts_the_stream() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = Events::open(&ada, &format!("{}?after=1000", path(&sale))).await;
    let Some(Event { kind, data, .. }) = events.next().await else { panic!("an event") };
    assert_eq!(kind, "reset");
    assert_eq!(data["items"][0]["id"], json!(sale.item));
    sale.write("UPDATE event_heads SET last_position = 5000").await;
    let mut events = Events::open(&ada, &format!("{}?after=1", path(&sale))).await;
    assert_eq!(events.next().await.expect("an event").kind, "reset", "the event id is too old");
    bid(&sale, &ada, &sale.item, 1).await;
    assert_eq!(events.bid().await.0, 5001);
    ada.get(&format!("{}?after=x", path(&sale))).await.expect_problem(422, "INVALID_BODY");
    let conn = &mut sale.app.state.context.db.read().await.unwrap();
    let kept: i64 = platform::db::query_scalar("SELECT COUNT(*) FROM events").fetch_one(conn).await.unwrap();
    assert_eq!(kept, 2);
    let stranger = sale.app.user("stranger").await;
    sale.write("UPDATE auctions SET join_mode = 'INVITE_ONLY'").await;
    stranger.get(&path(&sale)).await.expect_problem(404, "NOT_FOUND");
}

//! Answers stay small, whatever users have written.

use futures::StreamExt;
use serde_json::{Value, json};

use crate::harness::Events;
use crate::routes::auctions::items::bids::{Sale, text};

/// Bytes of a page of a list, of the first events of a stream, and of a page (SPEC, section 1).
const BYTES_MAX: usize = 256 * 1024;
const ITEMS: usize = 100;
/// Items that are added at a time.
const AT_ONCE: usize = 8;

/// An auction with items whose texts are as long as they may be.
async fn crowded() -> Sale {
    let sale = Sale::legacy(json!({})).await;
    sale.owner.patch("/api/user", json!({"name": "🪙".repeat(100)})).await.expect(200);
    let adds = (1..ITEMS).map(|n| {
        let name = format!("{}{n:03}", "🪙".repeat(197));
        sale.add_item(json!({"currencyCode": "EUR", "name": name, "description": "&\"💰\n".repeat(2_500)}))
    });
    // All at once would wait for the lock of the auction for longer than a request may.
    futures::stream::iter(adds).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
    sale
}

fn is_cut(item: &Value) -> bool {
    let chars = item["description"].as_str().unwrap().chars().count();
    match item.get("descriptionCut") {
        None => false,
        Some(mark) => {
            assert_eq!((mark, chars), (&json!(true), 300));
            true
        }
    }
}

#[tokio::test]
async fn a_list_cuts_descriptions_and_ends_early_and_the_item_is_complete() {
    let sale = crowded().await;
    let (mut ids, mut pages, mut cursor) = (Vec::new(), 0, String::new());
    loop {
        let path = format!("/api/auctions/{}/items?limit=100{cursor}", sale.auction);
        let answer = sale.owner.get(&path).await;
        assert!(answer.text.len() <= BYTES_MAX, "{}", answer.text.len());
        let page = answer.expect(200);
        for item in page["items"].as_array().unwrap() {
            assert_eq!(is_cut(item), item["id"] != json!(sale.item));
            ids.push(text(&item["id"]));
        }
        pages += 1;
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!((ids.len(), pages > 1), (ITEMS, true), "{pages} pages");
    ids.dedup();
    assert_eq!(ids.len(), ITEMS);
    let path = format!("/api/auctions/{}/items/{}", sale.auction, ids[1]);
    let item = sale.owner.get(&path).await.expect(200);
    assert_eq!(item["description"].as_str().unwrap().chars().count(), 10_000);
    assert!(item.get("descriptionCut").is_none());
}

#[tokio::test]
async fn a_list_of_auctions_cuts_descriptions() {
    let sale = Sale::legacy(json!({})).await;
    let long = json!({"name": "Long", "description": "d".repeat(301)});
    let exact = json!({"name": "Exact", "description": "d".repeat(300)});
    for auction in [&long, &exact] {
        sale.owner.post("/api/auctions", auction.clone()).await.expect(201);
    }
    let list = sale.owner.get("/api/auctions").await.expect(200);
    let cut: Vec<bool> = list["auctions"].as_array().unwrap().iter().map(is_cut).collect();
    assert_eq!(cut, [false, true, false]);
}

#[tokio::test]
async fn a_stream_begins_with_as_many_items_as_fit() {
    let sale = crowded().await;
    let path = format!("/api/auctions/{}/events", sale.auction);
    let mut events = Events::open(&sale.owner, &path).await;
    let (mut count, mut bytes) = (0, 0);
    // The end of the beginning is an id without an event: the next event is that of the new item.
    let name = "The last one";
    loop {
        let item = events.item().await;
        if item["name"] == name {
            break;
        }
        assert_eq!(is_cut(&item), item["id"] != json!(sale.item));
        (count, bytes) = (count + 1, bytes + item.to_string().len());
        if count == 40 {
            sale.add_item(json!({"currencyCode": "EUR", "name": name})).await;
        }
    }
    assert!((60..ITEMS).contains(&count) && bytes <= BYTES_MAX, "{count} items, {bytes} bytes");
    let mut again = Events::open(&sale.owner, &format!("{path}?after=100000")).await;
    let reset = again.next().await.expect("an event");
    assert_eq!(reset.kind, "reset");
    assert!(reset.data.to_string().len() <= BYTES_MAX);
    let first = sale.owner.get(&format!("/api/auctions/{}/items?limit=100", sale.auction)).await.expect(200);
    let (read, sent) = (first["items"].as_array().unwrap(), reset.data["items"].as_array().unwrap());
    assert!(read.len().abs_diff(sent.len()) <= 1 && sent[..60] == read[..60]);
    assert!(reset.data["nextCursor"].is_string());
}

#[tokio::test]
async fn a_stream_that_has_missed_more_than_256_kib_is_reset() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid_to_1002().await;
    let of_item = (&sale, format!("{}/events?after=3", sale.item_path()));
    let crowded = crowded().await;
    let of_auction = (&crowded, format!("/api/auctions/{}/events?after=0", crowded.auction));
    for (sale, path) in [of_item, of_auction] {
        let first = Events::open(&sale.owner, &path).await.next().await.expect("an event");
        assert_eq!(first.kind, "reset", "{path}");
        assert!(first.data.to_string().len() <= BYTES_MAX);
    }
}

#[tokio::test]
async fn pages_stay_small() {
    let sale = crowded().await;
    let list = sale.owner.get(&format!("/api/auctions/{}/items", sale.auction)).await.expect(200);
    let item = text(&list["items"][1]["id"]);
    for path in [
        "/auctions".to_owned(),
        format!("/auctions/{}", sale.auction),
        format!("/auctions/{}/items/{item}", sale.auction),
    ] {
        let page = sale.owner.get(&path).await;
        assert_eq!(page.status, 200);
        assert!(page.text.len() <= BYTES_MAX, "{path}: {}", page.text.len());
    }
}

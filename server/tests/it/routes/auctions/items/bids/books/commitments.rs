//! What a bid commits, and what frees it.

use serde_json::json;

use super::{BookSale, short_of};
use crate::routes::auctions::wrong_fields;

#[tokio::test]
async fn leading_bids_share_what_their_bidder_has() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let lamp = sale.add_item(json!({})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 70).await.expect(201);
    assert_eq!(opened.funds(&ada).await, ["100", "70", "30"]);
    let refused = opened.bid_on(&lamp, &ada, 31).await;
    assert_eq!(short_of(&refused), ("31".to_owned(), "30".to_owned()));
    let path = format!("/api/auctions/{}/items/{lamp}/bids/validate", sale.auction);
    let verdict = ada.post(&path, json!({"amount": 31})).await.expect(200);
    assert_eq!(verdict["violations"][0]["actual"], "30");
    // A higher bid of one's own takes the difference only.
    opened.bid_on(&sale.item, &ada, 100).await.expect(201);
    assert_eq!(short_of(&opened.bid_on(&lamp, &ada, 1).await).1, "0");
    opened.bid_on(&sale.item, &ben, 101).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(opened.funds(&ada).await, ["100", "100", "0"]);
    opened.bid_on(&lamp, &ben, 30).await.expect(201);
    opened.bid_on(&lamp, &ada, 31).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(opened.funds(&ben).await, ["100", "30", "70"]);
}

#[tokio::test]
async fn a_book_spans_its_auctions() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (auction, item) = opened.another_auction().await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    let there = format!("/api/auctions/{auction}/items/{item}/bids");
    assert_eq!(short_of(&ada.post(&there, json!({"amount": 41})).await).1, "40");
    ada.post(&there, json!({"amount": 40})).await.expect(201);
    opened.bid_on(&sale.item, &ben, 61).await.expect(201);
    ada.post(&there, json!({"amount": 100})).await.expect(201);
    assert_eq!(opened.funds(&ada).await, ["100", "100", "0"]);
}

/// The queue keeps commitments in memory. What it has kept agrees with what it reads.
#[tokio::test]
async fn commitments_are_the_same_after_a_restart() {
    let mut opened = BookSale::open("100").await;
    let (ada, ben) = (opened.sale.bidder("ada").await, opened.sale.bidder("ben").await);
    let lamp = opened.sale.add_item(json!({})).await;
    opened.bid_on(&opened.sale.item, &ada, 70).await.expect(201);
    assert_eq!(short_of(&opened.bid_on(&lamp, &ada, 31).await).1, "30");
    opened.sale.app = opened.sale.app.restart().await;
    let address = opened.sale.app.address;
    let (ada, ben) = (ada.at(address), ben.at(address));
    opened.sale.owner = opened.sale.owner.at(address);
    assert_eq!(short_of(&opened.bid_on(&lamp, &ada, 31).await).1, "30");
    opened.bid_on(&opened.sale.item, &ben, 71).await.expect(201);
    opened.bid_on(&lamp, &ada, 100).await.expect(201);
    assert_eq!(short_of(&opened.bid_on(&opened.sale.item, &ada, 72).await).1, "0");
}

#[tokio::test]
async fn a_withdrawal_may_leave_the_next_bidder_with_too_little() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let lamp = sale.add_item(json!({})).await;
    let jug = sale.add_item(json!({})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    opened.bid_on(&sale.item, &ben, 70).await.expect(201);
    opened.bid_on(&lamp, &ada, 100).await.expect(201);
    let path = format!("{}/bids/2/withdraw", sale.item_path());
    let withdrawn = ben.post(&path, json!({"reason": "MISTYPED"})).await.expect(200);
    assert_eq!(withdrawn["overcommitted"], json!([]), "funds of others are for managers");
    assert_eq!(opened.funds(&ada).await, ["100", "160", "-60"]);
    assert_eq!(opened.funds(&ben).await, ["100", "0", "100"], "the commitment ends with the bid");
    assert_eq!(short_of(&opened.bid_on(&jug, &ada, 1).await).1, "-60");
    assert_eq!(short_of(&opened.bid_on(&lamp, &ada, 101).await).1, "40");
    // Without a bid that leads, nobody is overcommitted.
    let path = format!("{}/bids/1/withdraw", sale.item_path());
    let manager = sale.bidder("mia").await;
    sale.give_role(&manager, "ADMIN").await;
    let withdrawn = manager.post(&path, json!({"reason": "OTHER"})).await.expect(200);
    assert_eq!(withdrawn["overcommitted"], json!([]));
    assert_eq!(opened.funds(&ada).await, ["100", "100", "0"]);
}

/// Its amounts would be in another unit than the book.
#[tokio::test]
async fn an_auction_with_a_book_needs_a_currency_profile() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let body = json!({"name": "Legacy", "joinMode": "FREE", "bookId": opened.book});
    let auction = sale.owner.post("/api/auctions", body).await.expect(201);
    let items = format!("/api/auctions/{}/items", auction["id"].as_str().unwrap());
    let item = json!({"name": "A lamp", "isPublished": true, "currencyCode": "EUR"});
    assert_eq!(wrong_fields(&sale.owner.post(&items, item.clone()).await), ["currencyCode"]);
    let currencies = items.replace("/items", "/currencies");
    let currency = json!({"code": "PT", "name": "Point", "rateToBase": 1, "inputMode": "SCALAR"});
    let currency = sale.owner.post(&currencies, currency).await.expect(201);
    sale.owner.post(&items, json!({"name": "A lamp"})).await.expect(201);
    let last = format!("{currencies}/{}", currency["id"].as_str().unwrap());
    sale.owner.delete(&last).await.expect_problem(409, "IN_USE");

    // Nor does an auction get the book while its items are priced in an ISO currency.
    let auction =
        sale.owner.post("/api/auctions", json!({"name": "Later", "joinMode": "FREE"})).await.expect(201);
    let path = format!("/api/auctions/{}", auction["id"].as_str().unwrap());
    sale.owner.post(&format!("{path}/items"), item).await.expect(201);
    let refused = sale.owner.patch(&path, json!({"bookId": opened.book})).await;
    assert_eq!(wrong_fields(&refused), ["bookId"]);
}

/// The shared cache of the page has no viewer's balance.
#[tokio::test]
async fn each_viewer_of_the_page_sees_the_own_available_amount() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let lamp = sale.add_item(json!({})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&lamp, &ada, 70).await.expect(201);
    let page = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    for _ in 0..2 {
        for (viewer, own, other) in
            [(&ada, "Up to 30\u{a0}", "Up to 100\u{a0}"), (&ben, "Up to 100\u{a0}", "Up to 30\u{a0}")]
        {
            let shown = viewer.get(&page).await.text;
            assert!(shown.contains(own) && !shown.contains(other), "{own}");
        }
    }
}

//! A user's stream has what the user has in books.

use serde_json::json;

use super::{BookSale, text};
use crate::harness::{Client, Events};
use crate::routes::auctions::user_id;

/// The next balance: what the user has, has committed and has available.
async fn next(events: &mut Events) -> [String; 3] {
    loop {
        let event = events.next().await.expect("an event");
        if event.kind == "balance" {
            return ["balance", "committed", "available"].map(|name| text(&event.data[name]));
        }
    }
}

async fn open(user: &Client) -> Events {
    Events::open(user, "/api/user/events").await
}

#[tokio::test]
async fn a_stream_has_each_balance_that_a_transaction_has_changed() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    let (mut of_ada, mut of_ben) = (open(&ada).await, open(&ben).await);
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    assert_eq!(next(&mut of_ada).await, ["100", "60", "40"]);
    opened.bid_on(&sale.item, &ben, 70).await.expect(201);
    assert_eq!(next(&mut of_ada).await, ["100", "0", "100"], "another bid leads");
    assert_eq!(next(&mut of_ben).await, ["100", "70", "30"]);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    assert_eq!(next(&mut of_ben).await, ["30", "0", "30"]);
    let grant = json!({"holders": [user_id(&ben).await], "amount": "5", "reason": "A prize"});
    let path = format!("/api/books/{}/entries", opened.book);
    let granted =
        sale.owner.request("POST", &path).header("idempotency-key", "prize").json(&grant).send().await;
    assert_eq!(granted.unwrap().status(), 201);
    let notified = of_ben.next().await.expect("an event");
    assert_eq!((notified.kind.as_str(), &notified.data["kind"]), ("notification", &json!("BALANCE")));
    assert_eq!(notified.data["text"], "Your balance changed by 5\u{a0}PTS (5\u{a0}Points): A prize");
    assert_eq!(next(&mut of_ben).await, ["35", "0", "35"]);
}

#[tokio::test]
async fn a_resumed_stream_begins_with_the_balances() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let ada = sale.bidder("ada").await;
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    let after = "00000000-0000-0000-0000-000000000000";
    let mut resumed = Events::open(&ada, &format!("/api/user/events?after={after}")).await;
    assert_eq!(next(&mut resumed).await, ["100", "60", "40"]);
}

//! Two servers on one PostgreSQL database.

use std::time::Duration;

use auction_house::ids::ItemId;
use platform::db::query_scalar;
use serde_json::json;

use super::{Sale, mistyped};
use crate::harness::{Events, TestApp};

#[tokio::test]
async fn a_withdrawal_at_one_server_is_known_to_the_other_at_once() {
    let app = TestApp::start_on_postgres().await;
    let sale = Sale::open_in(app, json!({}), &[], json!({"currencyCode": "EUR"})).await;
    let other = sale.app.another().await;
    let ada = sale.bidder("ada").await;
    let there = ada.at(other.address);
    let mut events = Events::open(&there, &format!("{}/events", sale.item_path())).await;
    events.item().await;
    // Both servers have the item in their caches.
    sale.bid(&there, json!({"amount": 5})).await.expect(201);
    sale.bid(&ada, json!({"amount": 50})).await.expect(201);
    sale.bid(&there, json!({"amount": 20})).await.expect_problem(422, "BID_REJECTED");
    sale.withdraw(&ada, 2, mistyped()).await.expect(200);
    sale.bid(&there, json!({"amount": 20})).await.expect(201);
    let page = there.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await;
    assert!(page.text.contains("20"), "{}", page.text);
    let read = async {
        let mut kinds = Vec::new();
        while kinds.last().is_none_or(|kind| kind != "item") {
            kinds.push(events.next().await.expect("an event").kind);
        }
        kinds
    };
    // Sooner than the periodic check of a stream.
    let kinds = tokio::time::timeout(Duration::from_millis(1500), read).await.expect("in time");
    assert!(kinds.contains(&"withdrawn".to_owned()), "{kinds:?}");
    let first = sale.withdraw(&ada, 2, mistyped()).await;
    assert_eq!(sale.withdraw(&there, 2, mistyped()).await.text, first.text);
}

/// Whatever PostgreSQL knows about the table: a plan that reads all bids of an item costs each page and each
/// batch more with every bid.
#[tokio::test]
async fn the_leading_bid_is_found_without_reading_all_bids_of_the_item() {
    let app = TestApp::start_on_postgres().await;
    let sale = Sale::open_in(app, json!({}), &[], json!({"currencyCode": "EUR"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid_like(1, 50_000).await;
    sale.withdraw(&ada, 50_000, mistyped()).await.expect(200);
    let state = &sale.app.state;
    for analyzed in [false, true] {
        if analyzed {
            // Of these tables alone: in a transaction each table of every schema would stay locked, more than
            // PostgreSQL has room for once hundreds of tests have run.
            sale.write("ANALYZE items, item_heads, bids").await;
        }
        let mut connection = state.context.db.read().await.unwrap();
        let plan: Vec<String> = query_scalar(
            "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
             SELECT i.last_sequence, i.withdrawals, b.sequence FROM items_now i
             JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position WHERE i.id = $1",
        )
        .bind(sale.item.parse::<ItemId>().unwrap())
        .fetch_all(&mut connection)
        .await
        .unwrap();
        let rows =
            plan.iter().filter_map(|line| line.split("rows=").nth(1)?.split([' ', '.']).next()?.parse().ok());
        assert!(rows.max().is_some_and(|rows: u64| rows < 10), "{}", plan.join("\n"));
    }
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!((&item["bidCount"], &item["highestBid"]["amount"]), (&json!(49_999), &json!(49_999)));
}

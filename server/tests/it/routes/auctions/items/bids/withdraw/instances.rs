//! Two servers on one PostgreSQL database.

use std::time::Duration;

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

use serde_json::{Value, json};

use super::Sale;

#[tokio::test]
async fn a_bid_must_come_strictly_before_the_end() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:10:00Z"})).await;
    let ada = sale.bidder("ada").await;
    sale.app.clock.advance_seconds(599);
    let bid = sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    assert_eq!(bid["itemEndDate"], "2026-05-01T18:10:00.000Z");
    sale.app.clock.advance_seconds(1);
    sale.bid(&ada, json!({"amount": 6})).await.expect_problem(409, "ITEM_NOT_OPEN");
    assert_eq!(sale.bids().await.len(), 1);
}

#[tokio::test]
async fn a_bid_must_not_come_before_the_start() {
    let sale = Sale::legacy(json!({"startsAt": "2026-05-01T18:10:00Z"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect_problem(409, "ITEM_NOT_OPEN");
    sale.app.clock.advance_seconds(600);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
}

#[tokio::test]
async fn a_closed_item_accepts_no_bid() {
    for closing in ["UPDATE items SET closed_at = 1", "UPDATE auctions SET closed_at = 1"] {
        let sale = Sale::legacy(json!({})).await;
        let ada = sale.bidder("ada").await;
        sale.bid(&ada, json!({"amount": 5})).await.expect(201);
        sale.write(closing).await;
        sale.bid(&ada, json!({"amount": 6})).await.expect_problem(409, "ITEM_NOT_OPEN");
    }
}

#[tokio::test]
async fn a_late_bid_moves_the_end() {
    let sale = Sale::open(
        json!({"itemEndMode": "AUCTION_END", "endDate": "2026-05-01T18:10:00Z"}),
        &[],
        json!({"currencyCode": "EUR", "antiSnipeEnabled": true, "antiSnipeThresholdSeconds": 60,
               "antiSnipeExtensionSeconds": 90}),
    )
    .await;
    let ada = sale.bidder("ada").await;
    let end = |bid: &Value| bid["itemEndDate"].as_str().unwrap().to_owned();
    sale.app.clock.advance_seconds(539);
    let early = sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert_eq!(end(&early), "2026-05-01T18:10:00.000Z");
    sale.app.clock.advance_seconds(60);
    let late = sale.bid(&ada, json!({"amount": 2})).await.expect(201);
    assert_eq!(end(&late), "2026-05-01T18:11:29.000Z", "after the auction's end");
    let item = ada.get(&sale.item_path()).await.expect(200);
    assert_eq!(end(&late), item["endDate"], "in the same commit");

    sale.bid(&ada, json!({"amount": 2})).await.expect_problem(422, "BID_REJECTED");
    sale.app.clock.advance_seconds(89);
    let later = sale.bid(&ada, json!({"amount": 3})).await.expect(201);
    assert_eq!(end(&later), "2026-05-01T18:12:58.000Z", "a refused bid moves no end");
    sale.app.clock.advance_seconds(90);
    sale.bid(&ada, json!({"amount": 4})).await.expect_problem(409, "ITEM_NOT_OPEN");
}

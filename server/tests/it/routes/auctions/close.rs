use platform::db::query_scalar;
use serde_json::json;

use super::items::bids::Sale;
use super::{NO_ID, tickets};

fn path(sale: &Sale) -> String {
    format!("/api/auctions/{}/close", sale.auction)
}

#[tokio::test]
async fn closing_ends_every_item_for_good() {
    let sale = Sale::legacy(json!({"startingBid": 1})).await;
    let draft = sale.add_item(json!({"currencyCode": "EUR", "isPublished": false})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let before = sale.owner.get(&format!("/api/auctions/{}", sale.auction)).await;

    let closed = sale.owner.post(&path(&sale), json!({})).await;
    let auction = closed.expect(200);
    assert_eq!((&auction["status"], &auction["myRole"]), (&json!("CLOSED"), &json!("OWNER")));
    let after = sale.owner.get(&format!("/api/auctions/{}", sale.auction)).await;
    assert_eq!(after.expect(200), auction, "closing again returns the closed auction");
    assert_eq!(after.header("etag"), closed.header("etag"));
    assert_ne!(after.header("etag"), before.header("etag"));

    sale.bid(&ada, json!({"amount": 6})).await.expect_problem(409, "ITEM_NOT_OPEN");
    for item in [&sale.item, &draft] {
        let item = sale.owner.get(&format!("/api/auctions/{}/items/{item}", sale.auction)).await.expect(200);
        assert_eq!(item["status"], "CLOSED");
    }
    let item = ada.get(&sale.item_path()).await.expect(200);
    assert_eq!(item["highestBid"]["normalizedAmount"], "5", "the hammer price");
    sale.owner.post(&path(&sale), json!({})).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn only_managers_close_an_auction() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, eve) = (sale.bidder("ada").await, sale.app.user("eve").await);
    for client in [&ada, &eve] {
        client.post(&path(&sale), json!({})).await.expect_problem(403, "FORBIDDEN");
    }
    sale.owner
        .post(&format!("/api/auctions/{NO_ID}/close"), json!({}))
        .await
        .expect_problem(404, "NOT_FOUND");
    sale.write("UPDATE auctions SET join_mode = 'INVITE_ONLY'").await;
    eve.post(&path(&sale), json!({})).await.expect_problem(404, "NOT_FOUND");
    ada.post(&path(&sale), json!({})).await.expect_problem(403, "FORBIDDEN");
    sale.give_role(&ada, "ADMIN").await;
    ada.post(&path(&sale), json!({})).await.expect(200);
}

#[tokio::test]
async fn an_outdated_version_closes_nothing() {
    let sale = Sale::legacy(json!({})).await;
    let close = async |tag: &str| {
        let request = sale.owner.request("POST", &path(&sale)).header("if-match", tag);
        crate::harness::Answer::of(request).await
    };
    close("\"7\"").await.expect_problem(412, "PRECONDITION_FAILED");
    close("\"1\"").await.expect(200);
    close("\"1\"").await.expect_problem(412, "PRECONDITION_FAILED");
}

#[tokio::test]
async fn an_ended_auction_is_already_closed() {
    let sale = Sale::open(
        json!({"itemEndMode": "AUCTION_END", "endDate": "2026-05-01T18:10:00Z"}),
        &[],
        json!({"currencyCode": "EUR"}),
    )
    .await;
    sale.app.clock.advance_seconds(600);
    sale.owner.post(&path(&sale), json!({})).await.expect_problem(409, "CLOSED");
}

/// Each bid comes before or after the close, and one of several concurrent requests closes the auction.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bids_and_the_close_do_not_race() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let first = sale.item.clone();
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    let bids = (1..=60).map(|amount| {
        let path = format!("/api/auctions/{}/items/{}/bids", sale.auction, [&first, &sale.item][amount % 2]);
        let ada = &ada;
        async move { ada.post(&path, json!({"amount": amount})).await }
    });
    let closes = (0..3).map(|_| async { sale.owner.post(&path(&sale), json!({})).await });
    let (bids, closes) = tokio::join!(futures::future::join_all(bids), futures::future::join_all(closes));
    let mut statuses: Vec<u16> = closes.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);
    for answer in &bids {
        match answer.status.as_u16() {
            201 | 422 => {}
            _ => drop(answer.expect_problem(409, "ITEM_NOT_OPEN")),
        }
    }
    let accepted = bids.iter().filter(|answer| answer.status == 201).count();
    let mut kept = sale.bids().await.len();
    sale.item = first;
    kept += sale.bids().await.len();
    assert_eq!(kept, accepted);
}

#[tokio::test]
async fn a_closed_auction_accepts_no_items_currencies_or_rules() {
    let sale =
        Sale::open(json!({"endDate": "2026-05-01T18:01:00Z"}), &[], json!({"currencyCode": "EUR"})).await;
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.app.clock.advance_seconds(60);
    for (list, body) in [
        ("items", json!({"name": "A jug", "currencyCode": "EUR"})),
        ("currencies", tickets(json!({}))),
        ("currency-rules", json!({"type": "MIN_INCREMENT", "params": {"amount": 1}})),
    ] {
        sale.owner.post(&format!("{auction}/{list}"), body).await.expect_problem(409, "CLOSED");
        sale.owner
            .post(&format!("{auction}/{list}"), json!({"x": 1}))
            .await
            .expect_problem(422, "INVALID_BODY");
        assert_eq!(sale.owner.get(&format!("{auction}/{list}")).await.status, 200);
    }
}

/// How many transactions have written events.
async fn transactions(sale: &Sale) -> i64 {
    let mut db = sale.app.state.context.db.read().await.unwrap();
    query_scalar("SELECT COUNT(*) FROM events").fetch_one(&mut db).await.unwrap()
}

/// Bids wait for a part of the items, not for all.
#[tokio::test]
async fn many_items_are_closed_part_by_part() {
    let sale = Sale::legacy(json!({})).await;
    for _ in 0..250 {
        sale.add_item(json!({"currencyCode": "EUR"})).await;
    }
    let before = transactions(&sale).await;
    assert_eq!(sale.owner.post(&path(&sale), json!({})).await.expect(200)["status"], "CLOSED");
    assert_eq!(transactions(&sale).await - before, 3);
    let items = format!("/api/auctions/{}/items?limit=100", sale.auction);
    for item in sale.owner.get(&items).await.expect(200)["items"].as_array().unwrap() {
        assert_eq!(item["outcome"]["result"], "UNSOLD");
    }
    sale.owner.post(&path(&sale), json!({})).await.expect_problem(409, "CLOSED");
}

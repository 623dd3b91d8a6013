//! Tickets before the draw.

use serde_json::json;

use super::super::books::short_of;
use super::super::{Sale, text};
use super::{Draw, profile_of, terms_of};
use crate::harness::Events;

#[tokio::test]
async fn a_draw_needs_a_book_and_the_price_of_a_ticket() {
    let legacy = Sale::open(json!({}), &[super::super::points("PTS", "1")], json!({})).await;
    let path = format!("/api/auctions/{}/items", legacy.auction);
    let currencies =
        legacy.owner.get(&format!("/api/auctions/{}/currencies", legacy.auction)).await.expect(200);
    let profile = text(&currencies["currencies"][0]["id"]);
    let ticket = json!({"currencyProfileId": profile, "amount": 10});
    let refused = legacy.owner.post(&path, json!({"name": "Hat", "format": "DRAW", "ticket": ticket})).await;
    let refused = refused.expect_problem(422, "INVALID_BODY");
    assert_eq!(refused["details"]["fields"][0]["path"], "format");

    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let items = format!("/api/auctions/{}/items", draw.opened.sale.auction);
    let profile = profile_of(&draw.opened).await;
    for (body, field) in [
        (json!({"ticket": null}), "ticket"),
        (json!({"ticket": {"currencyProfileId": profile, "amount": 0}}), "ticket"),
        (json!({"ticket": {"amount": 1}}), "ticket.currencyProfileId"),
        (json!({"perPerson": 0}), "perPerson"),
        (json!({"again": "MAYBE"}), "again"),
        (json!({"tie": "ROLL"}), "tie"),
        (json!({"format": "OPEN"}), "ticket"),
        (json!({"format": "SEALED", "ticket": null, "perPerson": 3}), "perPerson"),
    ] {
        let body = terms_of(&draw.opened, body).await;
        let refused = owner.post(&items, body.clone()).await.expect_problem(422, "INVALID_BODY");
        assert_eq!(refused["details"]["fields"][0]["path"], field, "{body}: {refused}");
    }
    let item = draw.read(owner).await;
    assert_eq!(item["ticket"]["normalizedAmount"], "10");
    assert_eq!(
        (&item["perPerson"], &item["again"], &item["ticketCount"]),
        (&json!(null), &json!("PERSON"), &json!(0))
    );
    assert_eq!(text(&item["seedHash"]).len(), 64);
    assert_eq!(item["seed"], json!(null));
}

#[tokio::test]
async fn tickets_stand_beside_each_other_and_are_committed() {
    let draw = Draw::open(json!({"perPerson": 12})).await;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    let placed = draw.tickets(&ada, 3).await.expect(201);
    assert_eq!(
        (&placed["tickets"], &placed["normalizedAmount"], &placed["sequence"]),
        (&json!(3), &json!("30"), &json!(1))
    );
    draw.tickets(&ada, 2).await.expect(201);
    draw.tickets(&ben, 1).await.expect(201);
    assert_eq!(draw.opened.funds(&ada).await, ["100", "50", "50"]);
    let item = draw.read(&ben).await;
    assert_eq!((&item["ticketCount"], &item["highestBid"]), (&json!(6), &json!(null)));
    let etag = async || ben.get(&draw.path()).await.header("etag").to_owned();
    let version = etag().await;
    let listed = ben.get(&format!("{}/bids", draw.path())).await.expect(200);
    let tickets = |bid: &serde_json::Value| (text(&bid["bidder"]["name"]), bid["tickets"].as_i64().unwrap());
    let listed: Vec<_> = listed["bids"].as_array().unwrap().iter().map(tickets).collect();
    assert_eq!(listed, [("ben".to_owned(), 1), ("ada".to_owned(), 2), ("ada".to_owned(), 3)]);
    // She may have 12, and has 5.
    draw.tickets(&ada, 8).await.expect_problem(409, "LIMIT_REACHED");
    draw.tickets(&ada, 3).await.expect(201);
    assert_ne!(etag().await, version);
    assert_eq!(short_of(&draw.tickets(&ben, 10).await), ("100".to_owned(), "90".to_owned()));
    let own = ada.get("/api/user/bids").await.expect(200);
    assert_eq!(own["bids"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&own["bids"][0]["position"], &own["bids"][0]["bid"]["tickets"]),
        (&json!("STANDING"), &json!(3))
    );
}

#[tokio::test]
async fn a_bid_says_how_many_tickets_and_nothing_else() {
    let draw = Draw::open(json!({})).await;
    let ada = draw.bidder("ada").await;
    let profile = profile_of(&draw.opened).await;
    let bids = format!("{}/bids", draw.path());
    for (body, field) in [
        (json!({"amount": 10}), "amount"),
        (json!({}), "tickets"),
        (json!({"tickets": 0}), "tickets"),
        (json!({"tickets": 10_001}), "tickets"),
        (json!({"tickets": 1, "currencyProfileId": profile}), "currencyProfileId"),
    ] {
        for path in [&bids, &format!("{bids}/validate")] {
            let refused = ada.post(path, body.clone()).await.expect_problem(422, "INVALID_BODY");
            assert_eq!(refused["details"]["fields"][0]["path"], field, "{body}");
        }
    }
    let verdict = ada.post(&format!("{bids}/validate"), json!({"tickets": 4})).await.expect(200);
    assert_eq!((&verdict["accepted"], &verdict["normalizedAmount"]), (&json!(true), &json!("40")));
    let other = draw.opened.sale.add_item(json!({})).await;
    let path = format!("/api/auctions/{}/items/{other}/bids", draw.opened.sale.auction);
    ada.post(&path, json!({"tickets": 1})).await.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn tickets_are_taken_back_at_will_until_the_draw() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    for (bidder, tickets) in [(&ada, 1), (&ada, 2), (&ben, 3)] {
        draw.tickets(bidder, tickets).await.expect(201);
    }
    let one = |sequence: i64| format!("{}/bids/{sequence}/withdraw", draw.path());
    ben.post(&one(1), json!({"reason": "OTHER"})).await.expect_problem(403, "FORBIDDEN");
    let back = ada.post(&one(1), json!({"reason": "OTHER"})).await.expect(200);
    assert_eq!((&back["tickets"], &back["withdrawn"]["by"]), (&json!(1), &json!("BIDDER")));
    ada.post(&one(1), json!({"reason": "OTHER"})).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(draw.opened.funds(&ada).await, ["100", "20", "80"]);
    draw.tickets(&ada, 4).await.expect(201);
    let own = format!("{}/bids/own/withdraw", draw.path());
    assert_eq!(ada.post(&own, json!({})).await.expect(200)["tickets"], 4);
    assert_eq!(draw.read(&ada).await["ticketCount"], 3);
    assert_eq!(draw.opened.funds(&ada).await, ["100", "0", "100"]);
    ada.post(&own, json!({})).await.expect_problem(409, "NO_STANDING_BID");
    owner.post(&one(3), json!({"reason": "OTHER"})).await.expect_problem(422, "INVALID_BODY");
    owner.post(&one(3), json!({"reason": "OTHER", "note": "By mistake."})).await.expect(200);
    assert_eq!(draw.read(&ada).await["ticketCount"], 0);
    draw.tickets(&ben, 1).await.expect(201);
    draw.close().await;
    ben.post(&own, json!({})).await.expect_problem(409, "CLOSED");
    ben.post(&one(1), json!({"reason": "OTHER"})).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn the_terms_stay_from_the_first_ticket_on() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let profile = profile_of(&draw.opened).await;
    let dearer = json!({"ticket": {"currencyProfileId": profile, "amount": 20}});
    owner.patch(&draw.path(), dearer.clone()).await.expect(200);
    let ada = draw.bidder("ada").await;
    assert_eq!(draw.tickets(&ada, 1).await.expect(201)["normalizedAmount"], "20");
    ada.post(&format!("{}/bids/own/withdraw", draw.path()), json!({})).await.expect(200);
    for patch in [
        json!({"ticket": {"currencyProfileId": profile, "amount": 10}}),
        json!({"copies": 2}),
        json!({"perPerson": 5}),
        json!({"again": "TICKET"}),
        json!({"format": "OPEN", "ticket": null}),
    ] {
        owner.patch(&draw.path(), patch).await.expect_problem(409, "FROZEN");
    }
    owner.patch(&draw.path(), json!({"isPublished": false})).await.expect_problem(409, "HAS_BIDS");
    owner.delete(&draw.path()).await.expect_problem(409, "HAS_BIDS");
    owner.patch(&draw.path(), json!({"name": "Another hat"})).await.expect(200);
    let path = format!("/api/auctions/{}", draw.opened.sale.auction);
    owner.patch(&path, json!({"bookId": null})).await.expect_problem(409, "HAS_BIDS");
    let currency = format!("{path}/currencies/{profile}");
    owner.delete(&currency).await.expect_problem(409, "HAS_BIDS");
}

#[tokio::test]
async fn everyone_is_told_how_many_tickets_there_are() {
    let draw = Draw::open(json!({})).await;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    let mut events = Events::open(&ben, &format!("{}/events", draw.path())).await;
    assert_eq!(events.item().await["ticketCount"], 0);
    draw.tickets(&ada, 7).await.expect(201);
    assert_eq!(events.item().await["ticketCount"], 7);
    ada.post(&format!("{}/bids/own/withdraw", draw.path()), json!({})).await.expect(200);
    assert_eq!(events.item().await["ticketCount"], 0);
}

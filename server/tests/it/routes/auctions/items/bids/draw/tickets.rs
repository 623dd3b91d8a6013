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

/// The numbers of withdrawn bids are taken: tickets would get them again.
#[tokio::test]
async fn an_item_that_has_had_bids_becomes_no_draw_and_is_not_sealed() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let other = draw.opened.sale.add_item(json!({})).await;
    let path = format!("/api/auctions/{}/items/{other}", draw.opened.sale.auction);
    let ada = draw.bidder("ada").await;
    draw.opened.bid_on(&other, &ada, 5).await.expect(201);
    let withdrawn = json!({"reason": "OTHER", "note": "By mistake."});
    owner.post(&format!("{path}/bids/1/withdraw"), withdrawn).await.expect(200);
    let ticket = json!({"currencyProfileId": profile_of(&draw.opened).await, "amount": 10});
    owner.patch(&path, json!({"format": "DRAW", "ticket": ticket})).await.expect_problem(409, "FROZEN");
    owner.patch(&path, json!({"format": "SEALED"})).await.expect_problem(409, "FROZEN");
    owner.patch(&path, json!({"name": "A lamp"})).await.expect(200);
}

/// A currency without digits after the point makes 2 of 1.9: so do ten tickets.
#[tokio::test]
async fn tickets_cost_so_many_times_the_rounded_price_of_one() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let path = format!("/api/auctions/{}", draw.opened.sale.auction);
    for (code, policy, one, ten) in [("DOWN", "DOWN", "1", "10"), ("HALF", "HALF_UP", "2", "20")] {
        let currency = json!({"code": code, "name": code, "rateToBase": "1", "inputMode": "SCALAR",
                              "precision": 0, "fractionPolicy": policy});
        let currency = owner.post(&format!("{path}/currencies"), currency).await.expect(201);
        let ticket = json!({"currencyProfileId": currency["id"], "amount": "1.9"});
        let item = json!({"name": code, "isPublished": true, "format": "DRAW", "ticket": ticket});
        let item = owner.post(&format!("{path}/items"), item).await.expect(201);
        assert_eq!(item["ticket"]["normalizedAmount"], one);
        let bids = format!("{path}/items/{}/bids", text(&item["id"]));
        let ada = draw.bidder(&format!("ada{code}")).await;
        let placed = ada.post(&bids, json!({"tickets": 10})).await.expect(201);
        assert_eq!((&placed["normalizedAmount"], &placed["tickets"]), (&json!(ten), &json!(10)));
        assert_eq!(ada.get(&bids).await.expect(200)["bids"][0]["tickets"], 10);
    }
}

#[tokio::test]
async fn a_draw_whose_auction_has_lost_its_book_takes_no_tickets_and_can_be_changed() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let path = format!("/api/auctions/{}", draw.opened.sale.auction);
    owner.patch(&path, json!({"bookId": null})).await.expect(200);
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 1).await.expect_problem(409, "ITEM_NOT_OPEN");
    owner.patch(&draw.path(), json!({"name": "Later"})).await.expect(200);
    owner.patch(&draw.path(), json!({"isPublished": false})).await.expect(200);
    owner.patch(&draw.path(), json!({"format": "OPEN", "ticket": null})).await.expect(200);
}

#[tokio::test]
async fn a_holder_is_told_of_tickets_that_a_manager_takes_back() {
    let draw = Draw::open(json!({})).await;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    draw.tickets(&ada, 1).await.expect(201);
    draw.tickets(&ben, 1).await.expect(201);
    let withdrawn = json!({"reason": "OTHER", "note": "By mistake."});
    let owner = &draw.opened.sale.owner;
    owner.post(&format!("{}/bids/1/withdraw", draw.path()), withdrawn).await.expect(200);
    ben.post(&format!("{}/bids/own/withdraw", draw.path()), json!({})).await.expect(200);
    let told = async |user: &crate::harness::Client| {
        user.get("/api/user/notifications").await.expect(200).to_string()
    };
    assert!(told(&ada).await.contains("has withdrawn your bid"));
    assert!(!told(&ben).await.contains("has withdrawn your bid"));
}

/// A form that was opened before a ticket is saved after it.
#[tokio::test]
async fn tickets_outdate_no_form_of_the_item() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let edit = format!("{}/edit", draw.path().replace("/api", ""));
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 1).await.expect(201);
    let page = owner.get(&edit).await.text;
    let (_, version) = page.split_once("name=\"version\" value=\"").expect("a version");
    let (version, _) = version.split_once('"').unwrap();
    draw.tickets(&ada, 1).await.expect(201);
    let named = |name: &'static str| [("version", version), ("name", name), ("description", "")];
    assert_eq!(owner.post_form(&edit, &named("The tall hat")).await.status, 303);
    assert_eq!(draw.read(&ada).await["name"], "The tall hat");
    assert_eq!(owner.post_form(&edit, &named("The old hat")).await.status, 412);
}

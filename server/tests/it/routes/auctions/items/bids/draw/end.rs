//! The draw, its charges, and what is decided afterwards.

use serde_json::{Value, json};

use super::super::books::BookSale;
use super::super::text;
use super::{Draw, terms_of, winners};
use crate::harness::{Client, TestApp};
use crate::routes::auctions::user_id;

/// The winners that the engine finds from what everyone sees after the draw.
async fn repeated(draw: &Draw, item: &Value, viewer: &Client) -> Vec<String> {
    let bids = viewer.get(&format!("{}/bids?limit=100", draw.path())).await.expect(200);
    let bids = bids["bids"].as_array().unwrap().iter().rev();
    let tickets: Vec<Value> =
        bids.map(|bid| json!({"id": bid["bidder"]["name"], "count": bid["tickets"]})).collect();
    let case = json!({"seed": item["seed"], "itemId": item["id"], "copies": item["copies"],
                      "again": item["again"], "tickets": tickets});
    let drawn: Value = serde_json::from_str(&rules_engine::draw(&case.to_string())).unwrap();
    drawn["winners"].as_array().unwrap().iter().map(|winner| text(&winner["id"])).collect()
}

#[tokio::test]
async fn everyone_can_repeat_the_draw() {
    for again in ["PERSON", "TICKET"] {
        let draw = Draw::open(json!({"copies": 3, "again": again})).await;
        let hash = text(&draw.read(&draw.opened.sale.owner).await["seedHash"]);
        let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
        let (cy, dan) = (draw.bidder("cy").await, draw.bidder("dan").await);
        for (bidder, tickets) in [(&ada, 2), (&ben, 5), (&cy, 1), (&ada, 3), (&dan, 2)] {
            draw.tickets(bidder, tickets).await.expect(201);
        }
        cy.post(&format!("{}/bids/3/withdraw", draw.path()), json!({"reason": "OTHER"})).await.expect(200);
        let closed = draw.close().await;
        assert_eq!(closed["seedHash"], json!(hash));
        assert_eq!((&closed["ticketCount"], &closed["bidCount"]), (&json!(12), &json!(4)));
        let expected = repeated(&draw, &closed, &cy).await;
        assert_eq!(winners(&closed), expected, "{again}");
        if again == "PERSON" {
            let mut names = expected;
            names.sort();
            assert_eq!(names, ["ada", "ben", "dan"], "each person once");
        }
    }
}

#[tokio::test]
async fn each_holder_is_charged_for_all_tickets_once() {
    let draw = Draw::open(json!({"copies": 2})).await;
    let (ada, ben, cy) = (draw.bidder("ada").await, draw.bidder("ben").await, draw.bidder("cy").await);
    for (bidder, tickets) in [(&ada, 2), (&ben, 1), (&ada, 3), (&cy, 4)] {
        draw.tickets(bidder, tickets).await.expect(201);
    }
    let closed = draw.close().await;
    assert_eq!(draw.opened.funds(&ada).await, ["50", "0", "50"]);
    assert_eq!(draw.opened.funds(&ben).await, ["90", "0", "90"]);
    assert_eq!(draw.opened.funds(&cy).await, ["60", "0", "60"]);
    let path = format!("/api/books/{}/entries?limit=100", draw.opened.book);
    let entries = draw.opened.sale.owner.get(&path).await.expect(200);
    let charges = entries["entries"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "CHARGE");
    let charges: Vec<&Value> = charges.collect();
    assert_eq!(charges.len(), 3);
    let winners = winners(&closed);
    for charge in charges {
        let name = text(&charge["holder"]["name"]);
        let has_won = winners.contains(&name);
        assert_eq!(charge["outcome"].is_null(), !has_won, "{charge}");
        assert_eq!(charge["copy"].is_null(), !has_won, "{charge}");
        assert_eq!(charge["itemId"], json!(draw.item));
    }
    let sold = closed["outcomes"].as_array().unwrap();
    assert!(sold.iter().all(|outcome| !outcome["paidAt"].is_null()), "{closed}");
}

#[tokio::test]
async fn fewer_people_than_copies_leave_the_rest_unsold() {
    let draw = Draw::open(json!({"copies": 3})).await;
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 5).await.expect(201);
    assert_eq!(winners(&draw.close().await), ["ada", "UNSOLD", "UNSOLD"]);
    assert_eq!(draw.opened.funds(&ada).await, ["50", "0", "50"]);

    let draw = Draw::open(json!({"copies": 3, "again": "TICKET"})).await;
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 2).await.expect(201);
    assert_eq!(winners(&draw.close().await), ["ada", "ada", "UNSOLD"]);
    assert_eq!(draw.opened.funds(&ada).await, ["80", "0", "80"]);
}

#[tokio::test]
async fn without_a_draw_nobody_is_charged() {
    let draw = Draw::open(json!({"copies": 2})).await;
    assert_eq!(winners(&draw.close().await), ["UNSOLD", "UNSOLD"]);

    for (verb, body) in [("cancel", json!({"reason": "It broke."})), ("hammer", json!({"result": "PASSED"}))]
    {
        let draw = Draw::open(json!({})).await;
        let ada = draw.bidder("ada").await;
        draw.tickets(&ada, 5).await.expect(201);
        let owner = &draw.opened.sale.owner;
        let request = owner.request("POST", &format!("{}/{verb}", draw.path()));
        let request = request.header("content-type", "application/json").header("idempotency-key", "k1");
        let closed = crate::harness::Answer::of(request.body(body.to_string())).await;
        assert!(closed.status.is_success(), "{}", closed.text);
        assert_eq!(draw.opened.funds(&ada).await, ["100", "0", "100"], "{verb}");
        assert_eq!(draw.read(&ada).await["outcome"]["winner"], json!(null));
    }
}

#[tokio::test]
async fn the_hammer_and_the_clock_draw() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    let hammer = async |key: &str, body: Value| {
        let request = owner.request("POST", &format!("{}/hammer", draw.path()));
        let request = request.header("content-type", "application/json").header("idempotency-key", key);
        crate::harness::Answer::of(request.body(body.to_string())).await
    };
    hammer("k1", json!({"result": "SOLD"})).await.expect_problem(409, "NO_STANDING_BID");
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 1).await.expect(201);
    hammer("k2", json!({"result": "SOLD", "for": {"userId": user_id(&ada).await}, "amount": 10}))
        .await
        .expect_problem(422, "INVALID_BODY");
    assert_eq!(winners(&hammer("k3", json!({"result": "SOLD"})).await.expect(200)), ["ada"]);

    let end = draw.opened.sale.app.state.context.clock.now().plus_seconds(60);
    let draw = Draw::open(json!({ "endDate": end.to_string() })).await;
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 1).await.expect(201);
    draw.opened.sale.app.clock.set(end);
    draw.opened.sale.app.reconcile().await;
    assert_eq!(winners(&draw.read(&ada).await), ["ada"]);
    assert_eq!(draw.opened.funds(&ada).await, ["90", "0", "90"]);
}

#[tokio::test]
async fn a_correction_leaves_the_charges_and_a_cancellation_takes_all_back() {
    let draw = Draw::open(json!({})).await;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    draw.tickets(&ada, 5).await.expect(201);
    draw.tickets(&ben, 3).await.expect(201);
    let owner = &draw.opened.sale.owner;
    let closed = draw.close().await;
    let other = if winners(&closed) == ["ada"] { 2 } else { 1 };
    let outcome = format!("{}/outcome", draw.path());
    let corrected =
        owner.post(&outcome, json!({"sequence": other, "reason": "Not there."})).await.expect(200);
    assert_ne!(winners(&corrected), winners(&closed));
    let nobody = owner.post(&outcome, json!({"sequence": null, "reason": "Lost."})).await.expect(200);
    assert_eq!(winners(&nobody), ["UNSOLD"]);
    let funds = async || [draw.opened.funds(&ada).await, draw.opened.funds(&ben).await];
    assert_eq!(funds().await, [["50", "0", "50"], ["70", "0", "70"]]);
    let priced = json!({"for": {"userId": user_id(&ada).await}, "amount": 1, "reason": "Paid in cash."});
    owner.post(&outcome, priced).await.expect_problem(422, "INVALID_BODY");

    let cancel = format!("{}/cancel", draw.path());
    ada.post(&cancel, json!({"reason": "No."})).await.expect_problem(403, "FORBIDDEN");
    owner.post(&cancel, json!({})).await.expect_problem(422, "INVALID_BODY");
    let cancelled = owner.post(&cancel, json!({"reason": "It was stolen."})).await.expect(200);
    assert_eq!(winners(&cancelled), ["CANCELLED"]);
    assert_eq!(funds().await, [["100", "0", "100"], ["100", "0", "100"]]);
    owner.post(&cancel, json!({"reason": "Again."})).await.expect_problem(409, "CLOSED");
    assert_eq!(funds().await, [["100", "0", "100"], ["100", "0", "100"]]);
}

/// Both servers find the end of the item, and both are asked to close it.
#[tokio::test]
async fn two_servers_draw_once() {
    let opened = BookSale::open_in(TestApp::start_on_postgres().await, "100").await;
    let end = opened.sale.app.state.context.clock.now().plus_seconds(60);
    let terms = terms_of(&opened, json!({"copies": 2, "endDate": end.to_string()})).await;
    let item = opened.sale.add_item(terms).await;
    let draw = Draw { opened, item };
    let other = draw.opened.sale.app.another().await;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    draw.tickets(&ada, 3).await.expect(201);
    draw.tickets(&ben.at(other.address), 2).await.expect(201);
    draw.opened.sale.app.clock.set(end);
    tokio::join!(draw.opened.sale.app.reconcile(), other.reconcile());
    let mut drawn = winners(&draw.read(&ada).await);
    drawn.sort();
    assert_eq!(drawn, ["ada", "ben"]);
    assert_eq!(draw.opened.funds(&ada).await, ["70", "0", "70"]);
    assert_eq!(draw.opened.funds(&ben).await, ["80", "0", "80"]);
    let charges = draw.opened.entries().await.into_iter().filter(|(kind, ..)| kind == "CHARGE");
    assert_eq!(charges.count(), 2);
}

#[tokio::test]
async fn the_screen_names_every_winner_as_a_stranger_may_know_them() {
    for (visibility, is_shown) in [("VISIBLE", true), ("ANONYMOUS", false)] {
        let draw = Draw::open(json!({"copies": 2})).await;
        let owner = &draw.opened.sale.owner;
        let auction = format!("/api/auctions/{}", draw.opened.sale.auction);
        owner.patch(&auction, json!({"bidderVisibility": visibility})).await.expect(200);
        owner.send("PUT", &format!("{auction}/block"), json!({"itemId": draw.item})).await.expect(200);
        let token =
            text(&owner.post(&format!("{auction}/screen"), json!({})).await.expect(200)["screenToken"]);
        let visitor = draw.opened.sale.app.anonymous();
        let screen = async || visitor.get(&format!("/screen/{token}")).await.text;
        for name in ["ada", "ben"] {
            draw.tickets(&draw.bidder(name).await, 3).await.expect(201);
        }
        let before = screen().await;
        assert!(before.contains("Draw · 6\u{a0}tickets"), "{before}");
        draw.close().await;
        let shown = screen().await;
        assert!(shown.contains("Drawn"), "{shown}");
        for name in ["ada", "ben"] {
            assert_eq!(shown.contains(&format!(">{name}<")), is_shown, "{name}: {shown}");
        }
    }
}

#[tokio::test]
async fn a_passed_draw_is_given_to_nobody_afterwards() {
    let draw = Draw::open(json!({})).await;
    let owner = &draw.opened.sale.owner;
    draw.tickets(&draw.bidder("ada").await, 3).await.expect(201);
    let request = owner.request("POST", &format!("{}/hammer", draw.path()));
    let request = request.header("content-type", "application/json").header("idempotency-key", "k");
    crate::harness::Answer::of(request.body(json!({"result": "PASSED"}).to_string())).await.expect(200);
    let given = json!({"sequence": 1, "reason": "She was here."});
    owner.post(&format!("{}/outcome", draw.path()), given).await.expect_problem(409, "NOT_SOLD");
}

#[tokio::test]
async fn a_prize_has_no_price_and_the_goal_counts_tickets() {
    let draw = Draw::open(json!({"copies": 2})).await;
    let (ada, ben) = (draw.bidder("ada").await, draw.bidder("ben").await);
    draw.tickets(&ada, 3).await.expect(201);
    draw.tickets(&ben, 1).await.expect(201);
    let auction = format!("/auctions/{}", draw.opened.sale.auction);
    let owner = &draw.opened.sale.owner;
    owner.patch(&format!("/api{auction}"), json!({"goal": "100"})).await.expect(200);
    let shows = async |words: &str| owner.get(&auction).await.text.contains(words);
    assert!(shows("40\u{a0}Points").await, "tickets of a draw that is to come");
    draw.close().await;
    assert!(shows("40\u{a0}Points").await, "tickets of the draw");
    let results = owner.get(&format!("{auction}/results")).await.text;
    assert!(results.contains("Goes to ") && !results.contains("Sold to "), "{results}");
    let own = ada.get("/api/user/bids").await.expect(200);
    assert_eq!((&own["bids"][0]["position"], &own["bids"][0]["bid"]["tickets"]), (&json!("WON"), &json!(3)));
    owner.post(&format!("{}/cancel", draw.path()), json!({"reason": "It broke."})).await.expect(200);
    assert!(!shows("40\u{a0}Points").await, "nobody has paid");
}

#[tokio::test]
async fn a_draw_that_was_cancelled_before_stays_in_the_own_list_and_in_the_export() {
    let draw = Draw::open(json!({})).await;
    let ada = draw.bidder("ada").await;
    draw.tickets(&ada, 3).await.expect(201);
    let owner = &draw.opened.sale.owner;
    let export = format!("/api/auctions/{}/export?format=json", draw.opened.sale.auction);
    let exported = async || {
        let bids = owner.get(&export).await.expect(200)["bids"].take();
        bids.as_array().unwrap().iter().map(|bid| bid["tickets"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(exported().await, [json!(3)]);
    owner.post(&format!("{}/cancel", draw.path()), json!({"reason": "It broke."})).await.expect(200);
    assert_eq!(exported().await, [json!(3)]);
    for query in ["", "?status=lost"] {
        let own = ada.get(&format!("/api/user/bids{query}")).await.expect(200);
        assert_eq!(own["bids"].as_array().unwrap().len(), 1, "{query}");
        assert_eq!(
            (&own["bids"][0]["position"], &own["bids"][0]["bid"]["tickets"]),
            (&json!("LOST"), &json!(3))
        );
    }
    let standing = ada.get("/api/user/bids?status=standing").await.expect(200);
    assert_eq!(standing["bids"], json!([]));
}

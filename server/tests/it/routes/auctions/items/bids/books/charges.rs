//! Winners are charged once for each outcome.

use serde_json::json;

use super::BookSale;
use crate::harness::Client;

async fn kinds(opened: &BookSale, holder: &Client) -> String {
    let entries = opened.entries_of(holder).await;
    entries.iter().map(|(kind, amount)| format!("{kind} {amount}")).collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn a_winner_is_charged_and_the_next_outcome_takes_it_back() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    opened.bid_on(&sale.item, &ben, 70).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    assert_eq!(kinds(&opened, &ben).await, "GRANT 100, CHARGE -70");
    assert_eq!(opened.funds(&ben).await, ["30", "0", "30"]);
    let is_paid =
        async || !sale.owner.get(&sale.item_path()).await.expect(200)["outcome"]["paidAt"].is_null();
    assert!(is_paid().await, "the charge pays");
    let outcome = format!("{}/outcome", sale.item_path());
    let decision = json!({"sequence": 1, "reason": "Ben has left"});
    sale.owner.post(&outcome, decision).await.expect(200);
    assert_eq!(kinds(&opened, &ben).await, "GRANT 100, CHARGE -70, REVERSAL 70");
    assert_eq!(kinds(&opened, &ada).await, "GRANT 100, CHARGE -60");
    assert!(is_paid().await);
    sale.owner.post(&outcome, json!({"sequence": null, "reason": "It broke"})).await.expect(200);
    assert_eq!(kinds(&opened, &ada).await, "GRANT 100, CHARGE -60, REVERSAL 60");
    assert!(!is_paid().await, "nobody was charged");
    assert_eq!(opened.funds(&ada).await, ["100", "0", "100"]);
    sale.owner.post(&outcome, json!({"sequence": 2, "reason": "Ben is back"})).await.expect(200);
    assert_eq!(opened.funds(&ben).await, ["30", "0", "30"]);
    // An entry names its outcome as the list of outcomes does.
    let entries = format!("/api/books/{}/entries", opened.book);
    let listed = sale.owner.get(&entries).await.expect(200);
    let of_sale = listed["entries"].as_array().unwrap().iter().filter(|entry| !entry["itemId"].is_null());
    let named: Vec<_> = of_sale.map(|entry| (entry["kind"].clone(), entry["outcome"].clone())).collect();
    let expected = [("CHARGE", 4), ("REVERSAL", 2), ("CHARGE", 2), ("REVERSAL", 1), ("CHARGE", 1)];
    assert_eq!(named, expected.map(|(kind, number)| (json!(kind), json!(number))));
}

/// Whom a hidden auction hides, no other page tells.
#[tokio::test]
async fn a_hidden_bidder_is_named_neither_by_a_withdrawal_nor_by_an_entry_nor_by_the_time_of_joining() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"bidderVisibility": "ANONYMOUS"})).await.expect(200);
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    sale.app.clock.advance_seconds(5);
    let members = ada.get(&format!("{auction}/members")).await.expect(200);
    let joined: Vec<_> =
        members["members"].as_array().unwrap().iter().map(|one| one["joinedAt"].clone()).collect();
    assert!(joined.contains(&json!("2026-05-01T00:00:00.000Z")), "{joined:?}");

    // Ada has less than she has committed once a grant is taken back.
    opened.bid_on(&sale.item, &ada, 60).await.expect(201);
    opened.bid_on(&sale.item, &ben, 70).await.expect(201);
    let ada_id = crate::routes::auctions::user_id(&ada).await;
    let grant = json!({"holders": [ada_id], "amount": "-90", "reason": "Mistake"});
    let request = sale.owner.request("POST", &format!("/api/books/{}/entries", opened.book));
    let request = request.header("idempotency-key", "k1").header("content-type", "application/json");
    crate::harness::Answer::of(request.body(grant.to_string())).await.expect(201);
    let path = format!("{}/2/withdraw", sale.bids_path());
    let withdrawn = ben.post(&path, json!({"reason": "MISTYPED"})).await.expect(200);
    assert_eq!(withdrawn["overcommitted"], json!([]));

    // A teller who is no member of the auction sees the amount, not the item.
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let teller = sale.app.user("teller").await;
    let book = format!("/api/books/{}", opened.book);
    let token = sale.owner.get(&book).await.expect(200)["inviteToken"].clone();
    teller.post(&format!("{book}/join"), json!({ "inviteToken": token })).await.expect(200);
    let teller_id = crate::routes::auctions::user_id(&teller).await;
    let role = json!({"role": "TELLER"});
    sale.owner.patch(&format!("{book}/holders/{teller_id}"), role).await.expect(200);
    let charge = async |client: &Client| {
        let listed = client.get(&format!("{book}/entries")).await.expect(200);
        let entries = listed["entries"].as_array().unwrap().clone();
        entries.into_iter().find(|entry| entry["kind"] == "CHARGE").unwrap()
    };
    assert_eq!(charge(&sale.owner).await["itemId"], json!(sale.item));
    assert_eq!(charge(&ada).await["itemId"], json!(sale.item));
    let seen = charge(&teller).await;
    assert_eq!((&seen["itemId"], &seen["outcome"]), (&json!(null), &json!(null)));
    let export = teller.get(&format!("{book}/export?format=json")).await.text;
    assert!(!export.contains(&sale.item), "{export}");
}

#[tokio::test]
async fn the_end_of_an_auction_charges_each_winner_and_nobody_for_a_cancelled_item() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let lamp = sale.add_item(json!({})).await;
    let jug = sale.add_item(json!({})).await;
    sale.add_item(json!({})).await;
    let ada = sale.bidder("ada").await;
    for (item, amount) in [(&sale.item, 10), (&lamp, 20), (&jug, 30)] {
        opened.bid_on(item, &ada, amount).await.expect(201);
    }
    let cancel = format!("/api/auctions/{}/items/{jug}/cancel", sale.auction);
    sale.owner.post(&cancel, json!({"reason": "Broken"})).await.expect(200);
    assert_eq!(opened.funds(&ada).await, ["100", "30", "70"]);
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    assert_eq!(kinds(&opened, &ada).await, "GRANT 100, CHARGE -10, CHARGE -20");
    assert_eq!(opened.funds(&ada).await, ["70", "0", "70"]);
}

#[tokio::test]
async fn the_clock_charges_once() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let end = sale.app.state.context.clock.now().plus_seconds(60).to_string();
    let item = sale.add_item(json!({"endDate": end})).await;
    let ada = sale.bidder("ada").await;
    opened.bid_on(&item, &ada, 25).await.expect(201);
    sale.app.clock.advance_seconds(61);
    assert_eq!(opened.funds(&ada).await, ["100", "25", "75"], "until the outcome is written");
    sale.app.reconcile().await;
    sale.app.reconcile().await;
    assert_eq!(kinds(&opened, &ada).await, "GRANT 100, CHARGE -25");
}

/// A change of the auction's end closes items that have ended before it.
#[tokio::test]
async fn items_that_a_new_end_closes_are_charged() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let end = |seconds| sale.app.state.context.clock.now().plus_seconds(seconds).to_string();
    let item = sale.add_item(json!({"endDate": end(60)})).await;
    let ada = sale.bidder("ada").await;
    opened.bid_on(&item, &ada, 25).await.expect(201);
    sale.app.clock.advance_seconds(61);
    let path = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&path, json!({"endDate": end(600)})).await.expect(200);
    sale.app.reconcile().await;
    assert_eq!(kinds(&opened, &ada).await, "GRANT 100, CHARGE -25");
    assert_eq!(opened.funds(&ada).await, ["75", "0", "75"]);
}

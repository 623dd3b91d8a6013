//! Who wins a sealed item, and what for.

use serde_json::{Value, json};

use super::super::{Sale, books::BookSale, text, wizards};
use super::{bid, close, open, sold};

/// The winners of bids in the order of their receipt, under these terms.
async fn settled(terms: Value, bids: &[u64]) -> Vec<String> {
    let mut item = json!({"minBidConstraint": null});
    super::super::merge(&mut item, terms);
    let sale = open(item).await;
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let profile = text(&currencies["currencies"][0]["id"]);
    let minimum = json!({"minBidConstraint": {"currencyProfileId": profile, "amount": "100"}, "plus": "5"});
    // The item is open: its terms stay, so that the sale of another one is made.
    let mut terms = sale.owner.get(&sale.item_path()).await.expect(200);
    for name in ["format", "copies", "price", "tie"] {
        assert!(!terms[name].is_null(), "{name}");
    }
    let mut other = json!({"name": "A sword", "isPublished": true});
    for name in ["format", "copies", "price", "tie"] {
        other[name] = terms[name].take();
    }
    super::super::merge(&mut other, minimum);
    let path = format!("/api/auctions/{}/items", sale.auction);
    let made = sale.owner.post(&path, other).await.expect(201);
    let item = format!("{path}/{}", text(&made["id"]));
    for (at, amount) in bids.iter().enumerate() {
        let bidder = sale.bidder(&format!("b{}", at + 1)).await;
        bidder.post(&format!("{item}/bids"), json!({ "amount": amount })).await.expect(201);
    }
    sold(&sale.owner.post(&format!("{item}/close"), json!({})).await.expect(200))
}

/// The lines of the table, with the least bid 100 and 5 more than the best losing bid.
#[tokio::test]
async fn prices_follow_the_table() {
    for (bids, own, next, lowest) in [
        (&[350, 280, 150][..], "b1 350", "b1 285", "b1 350"),
        (&[350], "b1 350", "b1 100", "b1 350"),
        (&[350, 349], "b1 350", "b1 350", "b1 350"),
        (&[350, 350], "b1 350", "b1 350", "b1 350"),
    ] {
        assert_eq!(settled(json!({"price": "OWN"}), bids).await, [own]);
        assert_eq!(settled(json!({"price": "NEXT"}), bids).await, [next]);
        assert_eq!(settled(json!({"price": "LOWEST"}), bids).await, [lowest]);
    }
    let bids = &[300, 200, 200, 150];
    let two =
        async |price: &str, tie: &str| settled(json!({"copies": 2, "price": price, "tie": tie}), bids).await;
    assert_eq!(two("OWN", "EARLIEST").await, ["b1 300", "b2 200"]);
    assert_eq!(two("NEXT", "EARLIEST").await, ["b1 205", "b2 200"]);
    assert_eq!(two("LOWEST", "EARLIEST").await, ["b1 200", "b2 200"]);
    assert_eq!(two("OWN", "NOBODY").await, ["b1 300", "UNSOLD"]);
    assert_eq!(two("NEXT", "NOBODY").await, ["b1 205", "UNSOLD"]);
    assert_eq!(two("LOWEST", "NOBODY").await, ["b1 300", "UNSOLD"]);
}

#[tokio::test]
async fn a_roll_follows_from_a_seed_whose_hash_was_shown() {
    let sale = open(json!({"tie": "ROLL"})).await;
    let hash = text(&sale.owner.get(&sale.item_path()).await.expect(200)["seedHash"]);
    for name in ["ada", "ben", "cy"] {
        bid(&sale, &sale.bidder(name).await, 50).await;
    }
    let before = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!((&before["seedHash"], &before["seed"]), (&json!(hash), &json!(null)));
    let closed = close(&sale).await;
    let seed = text(&closed["seed"]);
    let bytes: Vec<u8> =
        (0..64).step_by(2).map(|at| u8::from_str_radix(&seed[at..at + 2], 16).unwrap()).collect();
    use sha2::Digest;
    let digest: String = sha2::Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, hash);
    let case = json!({"seed": seed, "itemId": sale.item, "copies": 1, "again": "TICKET",
        "tickets": [{"id": "ada", "count": 1}, {"id": "ben", "count": 1}, {"id": "cy", "count": 1}]});
    let drawn: Value = serde_json::from_str(&rules_engine::draw(&case.to_string())).unwrap();
    assert_eq!(sold(&closed), [format!("{} 50", text(&drawn["winners"][0]["id"]))]);
}

#[tokio::test]
async fn a_price_in_coins_is_the_least_bid_that_breaks_no_rule() {
    let sale =
        Sale::open(json!({}), &[wizards()], json!({"format": "SEALED", "price": "NEXT", "plus": "1"})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    let coins = |galleons: &str, sickles: &str| {
        json!({"enteredRepresentation": [
            {"denomination": "GALLEON", "count": galleons}, {"denomination": "SICKLE", "count": sickles}]})
    };
    sale.bid(&ada, coins("2", "0")).await.expect(201);
    sale.bid(&ben, coins("1", "3")).await.expect(201);
    let closed = close(&sale).await;
    // 1 × 493 + 3 × 29 + 1 knut.
    assert_eq!(sold(&closed), ["ada 581"]);
    assert_eq!(
        closed["outcome"]["bid"]["enteredRepresentation"],
        json!([{"denomination": "GALLEON", "count": "1"}, {"denomination": "SICKLE", "count": "3"},
            {"denomination": "KNUT", "count": "1"}])
    );
    assert_eq!(closed["outcome"]["bid"]["sequence"], 1);
    assert_eq!(closed["highestBid"]["normalizedAmount"], "986");
    assert_eq!(closed["bidCount"], 2);
}

#[tokio::test]
async fn each_copy_is_charged_corrected_paid_and_collected_by_itself() {
    let opened = BookSale::open("1000").await;
    let sale = &opened.sale;
    let terms = json!({"format": "SEALED", "copies": 3, "price": "LOWEST"});
    let item = sale.add_item(terms).await;
    let path = format!("/api/auctions/{}/items/{item}", sale.auction);
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    opened.bid_on(&item, &ada, 300).await.expect(201);
    opened.bid_on(&item, &ben, 200).await.expect(201);
    let closed = sale.owner.post(&format!("{path}/close"), json!({})).await.expect(200);
    assert_eq!(sold(&closed), ["ada 200", "ben 200", "UNSOLD"]);
    assert_eq!(opened.funds(&ada).await, ["800", "0", "800"]);
    assert_eq!(opened.funds(&ben).await, ["800", "0", "800"]);
    let outcome = format!("{path}/outcome");
    // The third copy goes to Ben as well, who gives the second one to Ada.
    let ids = [crate::routes::auctions::user_id(&ada).await, crate::routes::auctions::user_id(&ben).await];
    let correct = json!({"copy": 3, "for": {"userId": ids[1]}, "amount": "50", "reason": "The last one"});
    let corrected = sale.owner.post(&outcome, correct).await.expect(200);
    assert_eq!(sold(&corrected), ["ada 200", "ben 200", "ben 50"]);
    assert_eq!(opened.funds(&ben).await, ["750", "0", "750"]);
    let decided = json!({"copy": 2, "sequence": 1, "reason": "Ben has two already"});
    let decided = sale.owner.post(&outcome, decided).await.expect(200);
    assert_eq!(sold(&decided), ["ada 200", "ada 300", "ben 50"], "at the bid that it names");
    assert_eq!(opened.funds(&ben).await, ["950", "0", "950"]);
    assert_eq!(opened.funds(&ada).await, ["500", "0", "500"]);
    let marked = sale.owner.patch(&outcome, json!({"copy": 3, "collected": true})).await.expect(200);
    assert_eq!((&marked["copy"], marked["collectedAt"].is_null()), (&json!(3), false));
    let seen = sale.owner.get(&path).await.expect(200);
    let collected = |at: usize| !seen["outcomes"][at]["collectedAt"].is_null();
    assert_eq!([0, 1, 2].map(collected), [false, false, true]);
    sale.owner.patch(&outcome, json!({"copy": 4, "paid": true})).await.expect(422);
    let listed = sale.owner.get(&format!("/api/auctions/{}/outcomes", sale.auction)).await.expect(200);
    let of_item =
        listed["outcomes"].as_array().unwrap().iter().map(|one| (one["copy"].clone(), one["number"].clone()));
    let expected = [(1, 1), (2, 1), (3, 1), (3, 2), (2, 2)];
    assert!(of_item.eq(expected.map(|(copy, number)| (json!(copy), json!(number)))), "{listed}");
    let entries = sale.owner.get(&format!("/api/books/{}/entries", opened.book)).await.expect(200);
    let copies: Vec<_> = entries["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["kind"] != "GRANT")
        .map(|one| (text(&one["kind"]), one["copy"].clone(), one["outcome"].clone()))
        .collect();
    assert_eq!(
        copies,
        [
            ("CHARGE".to_owned(), json!(2), json!(2)),
            ("REVERSAL".to_owned(), json!(2), json!(1)),
            ("CHARGE".to_owned(), json!(3), json!(2)),
            ("CHARGE".to_owned(), json!(2), json!(1)),
            ("CHARGE".to_owned(), json!(1), json!(1)),
        ]
    );
}

#[tokio::test]
async fn the_clock_the_auction_and_the_hammer_settle() {
    let opened = BookSale::open("1000").await;
    let sale = &opened.sale;
    let end = sale.app.state.context.clock.now().plus_seconds(60).to_string();
    let terms = |end: Option<&str>| json!({"format": "SEALED", "price": "NEXT", "endDate": end});
    let (clock, auction, hammer, passed, none) = (
        sale.add_item(terms(Some(&end))).await,
        sale.add_item(terms(None)).await,
        sale.add_item(terms(None)).await,
        sale.add_item(terms(None)).await,
        sale.add_item(terms(None)).await,
    );
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    for item in [&clock, &auction, &hammer, &passed] {
        opened.bid_on(item, &ada, 50).await.expect(201);
        opened.bid_on(item, &ben, 40).await.expect(201);
    }
    assert_eq!(opened.funds(&ada).await, ["1000", "200", "800"]);
    sale.app.clock.advance_seconds(61);
    let path = |item: &str| format!("/api/auctions/{}/items/{item}", sale.auction);
    let seen = async |item: &str| sold(&sale.owner.get(&path(item)).await.expect(200));
    let before = sale.owner.get(&path(&clock)).await.expect(200);
    assert_eq!(
        (&before["status"], &before["highestBid"], &before["outcomes"]),
        (&json!("CLOSED"), &json!(null), &json!([]))
    );
    sale.app.reconcile().await;
    sale.app.reconcile().await;
    assert_eq!(seen(&clock).await, ["ada 40"]);
    let call = async |item: &str, body: Value| {
        let request = sale.owner.request("POST", &format!("{}/hammer", path(item)));
        let request = request.header("idempotency-key", item).header("content-type", "application/json");
        crate::harness::Answer::of(request.body(body.to_string())).await
    };
    let ada_id = crate::routes::auctions::user_id(&ada).await;
    let named = json!({"result": "SOLD", "for": {"userId": ada_id}, "amount": "60"});
    assert_eq!(super::super::super::super::wrong_fields(&call(&hammer, named).await), ["for"]);
    call(&none, json!({"result": "SOLD"})).await.expect_problem(409, "NO_STANDING_BID");
    call(&hammer, json!({"result": "SOLD"})).await.expect(200);
    call(&passed, json!({"result": "PASSED"})).await.expect(200);
    assert_eq!(seen(&hammer).await, ["ada 40"]);
    assert_eq!(seen(&passed).await, ["UNSOLD"]);
    // The queue knows nothing of the auction any more, as after a restart.
    sale.app.write("UPDATE auctions SET revision = revision + 1").await;
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    assert_eq!(seen(&auction).await, ["ada 40"]);
    assert_eq!(seen(&none).await, ["UNSOLD"]);
    assert_eq!(opened.funds(&ada).await, ["880", "0", "880"]);
    assert_eq!(opened.funds(&ben).await, ["1000", "0", "1000"]);
}

#[tokio::test]
async fn a_cancelled_item_keeps_its_bids_sealed() {
    let sale = open(json!({"copies": 2})).await;
    let ada = sale.bidder("ada").await;
    bid(&sale, &ada, 50).await;
    let cancelled =
        sale.owner.post(&format!("{}/cancel", sale.item_path()), json!({"reason": "Broken"})).await;
    assert_eq!(sold(&cancelled.expect(200)), ["CANCELLED", "CANCELLED"]);
    assert_eq!(sale.owner.get(&sale.bids_path()).await.expect(200)["bids"], json!([]));
}

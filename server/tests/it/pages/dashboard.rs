//! `/dashboard…`

use serde_json::json;

use super::words::words;
use crate::harness::Client;
use crate::routes::auctions::items::bids::books::BookSale;
use crate::routes::auctions::items::bids::{Sale, points, wizards};
use crate::routes::auctions::user_id;

/// The part of the dashboard below the heading with this id.
async fn section(client: &Client, id: &str) -> String {
    let page = client.get("/dashboard").await;
    assert_eq!(page.status, 200, "{}", page.text);
    let begin = page.text.find(&format!("<h2 id=\"{id}\"")).unwrap_or_else(|| panic!("no section {id}"));
    page.text[begin..].split("</section>").next().unwrap().to_owned()
}

async fn place(sale: &Sale, bidder: &Client, amount: i64) {
    sale.bid(bidder, json!({"amount": amount})).await.expect(201);
}

#[tokio::test]
async fn a_user_sees_own_bids_by_their_positions() {
    let mut sale = Sale::legacy(json!({"name": "A vase", "endDate": "2026-05-03T18:00:00Z"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    assert!(section(&ada, "auctions").await.contains(&sale.auction.replace("/api", "")));
    let outside = sale.app.user("cy").await;
    assert!(outside.get("/dashboard").await.text.contains("Nothing here yet"));
    place(&sale, &ada, 5).await;
    place(&sale, &bob, 6).await;
    let vase = sale.item.clone();
    sale.item = sale
        .add_item(json!({"name": "A lamp", "currencyCode": "EUR", "endDate": "2026-05-02T10:00:00Z"}))
        .await;
    place(&sale, &ada, 7).await;
    let outbid = section(&ada, "outbid").await;
    assert!(
        outbid.contains("A vase") && outbid.contains("You were outbid") && outbid.contains("Your bid: €5.00")
    );
    assert!(!outbid.contains("A lamp"));
    // Any higher bid leads, so that the least one is a cent more.
    let form = format!("/auctions/{}/items/{vase}?amount=6.01", sale.auction);
    assert!(outbid.contains(&format!("href=\"{form}\"")), "{outbid}");
    assert!(ada.get(&form).await.text.contains("value=\"6.01\""), "the form is filled in");
    let leading = section(&ada, "leading").await;
    assert!(leading.contains("A lamp") && leading.contains("You lead") && !leading.contains("A vase"));
    let soon = section(&ada, "ends-soon").await;
    assert!(soon.contains("A lamp") && !soon.contains("A vase"), "only what ends within a day");
    let selling = section(&sale.owner, "selling").await;
    assert!(selling.find("A lamp").unwrap() < selling.find("A vase").unwrap(), "the next to end first");
}

#[tokio::test]
async fn lists_write_a_price_in_the_currency_of_its_bid() {
    let sale = Sale::open(
        json!({"baseUnit": {"name": "Knut", "plural": "Knuts"}}),
        &[wizards(), points("PTS", "10")],
        json!({}),
    )
    .await;
    let ada = sale.bidder("ada").await;
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let points = &currencies["currencies"][1]["id"];
    sale.bid(&ada, json!({"currencyProfileId": points, "amount": 3})).await.expect(201);
    let auction = format!("/auctions/{}", sale.auction);
    for path in ["/dashboard", auction.as_str()] {
        let shown = words(&ada, path).await;
        assert!(shown.contains("3 PTS 30 Knuts"), "{path}: {shown}");
        assert!(!shown.contains("1 Sickle · 1 Knut 30 Knuts"), "{path}: {shown}");
    }
    sale.owner.post(&format!("/api{auction}/close"), json!({})).await.expect(200);
    for path in [format!("{auction}/results"), auction] {
        let shown = words(&ada, &path).await;
        assert!(shown.contains("3 PTS 30 Knuts"), "{path}: {shown}");
    }
}

#[tokio::test]
async fn what_is_won_says_what_is_to_be_paid_and_collected() {
    let mut sale = Sale::legacy(json!({"name": "A vase"})).await;
    let ada = sale.bidder("ada").await;
    place(&sale, &ada, 5).await;
    let outcome = format!("{}/outcome", sale.item_path());
    sale.item = sale.add_item(json!({"name": "A lamp", "currencyCode": "EUR"})).await;
    place(&sale, &ada, 7).await;
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let lamp = section(&ada, "won").await;
    assert!(lamp.contains("To pay") && lamp.contains("To collect"), "{lamp}");
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    sale.owner.patch(&outcome, json!({"paid": true, "collected": true})).await.expect(200);
    let won = section(&ada, "won").await;
    assert!(won.contains("Paid") && won.contains("Collected"), "{won}");
    assert!(won.find("A lamp").unwrap() < won.find("A vase").unwrap(), "what is to be paid comes first");
}

#[tokio::test]
async fn the_least_bid_is_in_the_currency_of_the_last_one() {
    let sale = Sale::open(
        json!({"baseUnit": {"name": "Knut", "symbol": "k"}}),
        &[points("POINTS", "1"), wizards()],
        json!({"minIncrementNormalized": 5}),
    )
    .await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let currencies = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let id = |at: usize| currencies["currencies"][at]["id"].as_str().unwrap().to_owned();
    let counts = json!([{"denomination": "GALLEON", "count": 1}]);
    let bid = json!({"currencyProfileId": id(1), "enteredRepresentation": counts});
    sale.bid(&ada, bid).await.expect(201);
    sale.bid(&bob, json!({"currencyProfileId": id(0), "amount": 500})).await.expect(201);
    let outbid = section(&ada, "outbid").await;
    let address = outbid.split("href=\"").find(|part| part.contains("currencyProfileId")).unwrap();
    let address = address.split('"').next().unwrap().replace("&amp;", "&");
    assert!(address.contains(&format!("currency={}", id(1))), "{address}");
    let page = ada.get(&address).await.text;
    let field = page.split("name=\"count.GALLEON\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(field.contains("value=\"1\""), "{field}");
    let accepted = json!({"currencyProfileId": id(1), "enteredRepresentation": [
        {"denomination": "GALLEON", "count": 1}, {"denomination": "KNUT", "count": 12}]});
    let verdict = ada.post(&format!("{}/validate", sale.bids_path()), accepted).await.expect(200);
    assert_eq!((&verdict["normalizedAmount"], &verdict["accepted"]), (&json!("505"), &json!(true)));
}

#[tokio::test]
async fn a_user_who_left_gets_no_link_to_bid() {
    let sale = Sale::legacy(json!({"name": "A vase"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    place(&sale, &ada, 5).await;
    place(&sale, &bob, 6).await;
    let leave = format!("/api/auctions/{}/members/{}", sale.auction, user_id(&ada).await);
    ada.delete(&leave).await.expect(204);
    let outbid = section(&ada, "outbid").await;
    assert!(outbid.contains("A vase") && !outbid.contains("amount="), "{outbid}");
}

#[tokio::test]
async fn a_long_list_leads_to_its_pages() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for at in 0..21 {
        if at > 0 {
            sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
        }
        place(&sale, &ada, 5).await;
    }
    let leading = section(&ada, "leading").await;
    assert_eq!(leading.matches("own-row").count(), 20);
    assert!(leading.contains("Show all 21") && leading.contains("/dashboard/bids?status=leading"));
    let all = ada.get("/dashboard/bids?status=leading").await.text;
    assert_eq!(all.matches("own-row").count(), 21);
    assert!(ada.get("/dashboard/bids?status=won").await.text.contains("No item here"));
    assert_eq!(sale.owner.get("/dashboard/items").await.text.matches("own-row").count(), 21);
    sale.bidder("bob").await.send("PUT", &format!("{}/watch", sale.item_path()), json!({})).await.expect(204);
    assert!(ada.get("/dashboard/watched").await.text.contains("You watch nothing yet"));
}

#[tokio::test]
async fn balances_are_shown_and_the_least_bid_is_offered_if_it_can_be_paid() {
    let opened = BookSale::open("100").await;
    let sale = &opened.sale;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    let lamp = sale.add_item(json!({"name": "A lamp"})).await;
    opened.bid_on(&sale.item, &ada, 50).await.expect(201);
    opened.bid_on(&sale.item, &ben, 60).await.expect(201);
    let outbid = section(&ada, "outbid").await;
    assert!(outbid.contains("amount=61\"") && !outbid.contains("available"), "{outbid}");
    opened.bid_on(&lamp, &ada, 70).await.expect(201);
    let outbid = section(&ada, "outbid").await.replace('\u{a0}', " ");
    assert!(
        outbid.contains("You have 30 PTS (30 Points) available") && !outbid.contains("amount="),
        "{outbid}"
    );
    let balances = section(&ada, "balances").await;
    assert!(balances.contains(&format!("/books/{}", opened.book)), "{balances}");
    for amount in ["100", "70", "30"] {
        assert!(balances.contains(&format!(">{amount}\u{a0}PTS<")), "{amount}: {balances}");
    }
}

#[tokio::test]
async fn a_watched_item_shows_the_bid_that_lost() {
    let sale = Sale::legacy(json!({"name": "A vase"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    place(&sale, &ada, 5).await;
    place(&sale, &bob, 6).await;
    ada.send("PUT", &format!("{}/watch", sale.item_path()), json!({})).await.expect(204);
    assert!(section(&ada, "watched").await.contains("You were outbid"));
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let watched = section(&ada, "watched").await;
    assert!(watched.contains("A vase") && watched.contains("Your bid: €5.00"), "{watched}");
    for (status, items) in [("leading", 0), ("outbid", 0), ("won", 0), ("lost", 1)] {
        let page = ada.get(&format!("/dashboard/bids?status={status}")).await.text;
        assert_eq!(page.matches("own-row").count(), items, "{status}");
    }
}

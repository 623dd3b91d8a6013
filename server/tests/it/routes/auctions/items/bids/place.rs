use serde_json::{Value, json};

use super::{Sale, points, wizards};

#[tokio::test]
async fn an_amount_is_placed_in_a_legacy_auction() {
    let sale = Sale::legacy(json!({"startingBid": "10", "minBidIncrement": "0.5"})).await;
    let ada = sale.bidder("ada").await;
    let answer = ada.send_text("POST", &sale.bids_path(), r#"{"amount": 12.50}"#).await;
    let bid = answer.expect(201);
    assert!(answer.text.contains(r#""amount":12.5,"#), "an exact number: {}", answer.text);
    assert_eq!(bid["normalizedAmount"], "12.5");
    assert_eq!(bid["sequence"], 1);
    assert_eq!(bid["bidder"]["name"], "ada");
    assert_eq!(bid["auctionId"], sale.auction);
    assert_eq!(bid["itemId"], sale.item);
    assert_eq!(bid["isAnonymous"], false);
    assert_eq!(bid["createdAt"], "2026-05-01T18:00:00.000Z");
    for nothing in ["enteredRepresentation", "currencyProfileId", "itemEndDate"] {
        assert_eq!(bid.get(nothing), Some(&Value::Null), "{nothing}");
    }
    let found = ada.get(answer.header("location")).await.expect(200);
    assert_eq!(found["bids"], json!([bid]), "`Location` leads to the bid");

    let item = ada.get(&sale.item_path()).await;
    assert!(item.text.contains(r#""amount":12.5,"#), "{}", item.text);
    let item = item.expect(200);
    assert_eq!(item["bidCount"], 1);
    assert_eq!(item["highestBid"]["normalizedAmount"], "12.5");
}

#[tokio::test]
async fn an_amount_keeps_every_digit() {
    let mut fine = points("FINE", "0.000001");
    fine["precision"] = json!(4);
    let sale = Sale::open(json!({}), &[fine], json!({})).await;
    let ada = sale.bidder("ada").await;
    let answer = ada.send_text("POST", &sale.bids_path(), r#"{"amount": 999999999999.0001}"#).await;
    assert_eq!(answer.expect(201)["normalizedAmount"], "999999.9999990001");
    assert!(answer.text.contains(r#""amount":999999999999.0001,"#), "{}", answer.text);
    let listed = ada.get(&sale.bids_path()).await;
    assert!(listed.text.contains(r#""amount":999999999999.0001,"#), "{}", listed.text);
}

#[tokio::test]
async fn counts_of_denominations_are_placed() {
    let sale = Sale::open(json!({}), &[wizards()], json!({})).await;
    let ada = sale.bidder("ada").await;
    let counts = json!([
        {"denomination": "KNUT", "count": "7"},
        {"denomination": "SICKLE", "count": 0},
        {"denomination": "GALLEON", "count": 3.0},
    ]);
    let answer = sale.bid(&ada, json!({"enteredRepresentation": counts})).await;
    let bid = answer.expect(201);
    assert_eq!(bid["amount"], Value::Null);
    assert_eq!(bid["normalizedAmount"], "1486");
    let entered = json!([{"denomination": "GALLEON", "count": "3"}, {"denomination": "KNUT", "count": "7"}]);
    assert_eq!(bid["enteredRepresentation"], entered, "in the profile's order, without zeros");
    assert!(bid["currencyProfileId"].is_string());
    assert_eq!(sale.bids().await, [bid]);
}

#[tokio::test]
async fn currencies_are_compared_in_the_base_unit() {
    let sale = Sale::open(json!({}), &[wizards(), points("PT", "2.5")], json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let listed = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let points = listed["currencies"].as_array().unwrap().iter().find(|c| c["code"] == "PT").unwrap();
    // The first profile is the default: a bid without a profile uses it.
    let galleon = json!([{"denomination": "GALLEON", "count": 1}]);
    sale.bid(&ada, json!({"enteredRepresentation": galleon})).await.expect(201);
    let bid = json!({"amount": 198, "currencyProfileId": points["id"], "enteredRepresentation": null});
    let bid = sale.bid(&bob, bid).await.expect(201);
    assert_eq!((&bid["normalizedAmount"], &bid["sequence"]), (&json!("495"), &json!(2)));
}

#[tokio::test]
async fn a_leader_may_bid_again() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for (amount, sequence) in [("1", 1), ("1.01", 2), ("3", 3)] {
        assert_eq!(sale.bid(&ada, json!({"amount": amount})).await.expect(201)["sequence"], sequence);
    }
}

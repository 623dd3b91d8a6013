use serde_json::{Value, json};

use super::{Sale, mistyped, other};
use crate::harness::Client;

/// A sale of an item of the CREATOR `seller`, with `bids` bids of two bidders in turn.
async fn sold_by_another(item: Value, bids: i64) -> (Sale, Client, Client) {
    let mut sale = Sale::legacy(json!({})).await;
    let seller = sale.member("seller", "CREATOR").await;
    let mut terms = json!({"name": "A vase", "isPublished": true, "currencyCode": "EUR"});
    terms.as_object_mut().unwrap().extend(item.as_object().unwrap().clone());
    let path = format!("/api/auctions/{}/items", sale.auction);
    sale.item = super::super::text(&seller.post(&path, terms).await.expect(201)["id"]);
    let bidders = [sale.bidder("ada").await, sale.bidder("bob").await];
    for (amount, bidder) in (1..=bids).zip(bidders.iter().cycle()) {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    let [ada, _] = bidders;
    (sale, ada, seller)
}

#[tokio::test]
async fn a_manager_withdraws_any_standing_bid_at_any_time() {
    let (sale, _, _) = sold_by_another(json!({}), 4).await;
    sale.app.clock.advance_seconds(3600);
    let highest =
        async || sale.owner.get(&sale.item_path()).await.expect(200)["highestBid"]["amount"].clone();
    let body = json!({"reason": "BIDDER_REMOVED", "note": "No reply."});
    let withdrawn = sale.withdraw(&sale.owner, 2, body).await.expect(200);
    assert_eq!(
        (&withdrawn["withdrawn"]["by"], &withdrawn["bidder"]["name"]),
        (&json!("MANAGER"), &json!("bob"))
    );
    assert_eq!(highest().await, 4, "a bid that did not lead changes no leader");
    sale.withdraw(&sale.owner, 4, other()).await.expect(200);
    assert_eq!(highest().await, 3);
    sale.withdraw(&sale.owner, 3, json!({"reason": "ITEM_CHANGED"})).await.expect(200);
    assert_eq!(highest().await, 1, "the next bid below stands, although it is not the next one in the list");
    sale.withdraw(&sale.owner, 1, mistyped()).await.expect(200);
    assert_eq!(highest().await, Value::Null);
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!((&item["bidCount"], sale.bids().await.len()), (&json!(0), 4));
    let repeated = sale.withdraw(&sale.owner, 2, other()).await.expect(200);
    assert_eq!(repeated["withdrawn"], withdrawn["withdrawn"]);
}

#[tokio::test]
async fn a_manager_is_bound_by_no_limit_of_the_bidder() {
    let item = json!({"endDate": "2026-05-01T18:10:00Z", "antiSnipeEnabled": true, "antiSnipeThresholdSeconds": 60,
                      "antiSnipeExtensionSeconds": 90});
    let (sale, _, _) = sold_by_another(item, 5).await;
    sale.app.clock.advance_seconds(599);
    for sequence in 1..=5 {
        sale.withdraw(&sale.owner, sequence, other()).await.expect(200);
    }
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!(item["endDate"], "2026-05-01T18:11:29.000Z", "a late withdrawal moves the end as a bid does");
    assert_eq!(sale.bids().await[0]["itemEndDate"], "2026-05-01T18:10:00.000Z");
}

#[tokio::test]
async fn a_closed_item_keeps_its_bids() {
    let (sale, ada, _) = sold_by_another(json!({"endDate": "2026-05-01T18:10:00Z"}), 1).await;
    sale.app.clock.advance_seconds(600);
    sale.withdraw(&sale.owner, 1, other()).await.expect_problem(409, "CLOSED");
    sale.withdraw(&ada, 1, mistyped()).await.expect_problem(409, "TOO_LATE");
}

#[tokio::test]
async fn a_manager_asks_another_one_to_withdraw_a_bid_on_an_own_item() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, admin) = (sale.bidder("ada").await, sale.admin("admin").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let refused = sale.withdraw(&sale.owner, 1, other()).await.expect_problem(403, "ASK_ANOTHER_MANAGER");
    assert_eq!(refused["detail"], "You sell this item: ask admin to withdraw the bid.");
    let page = format!("/auctions/{}/items/{}/bids/1/withdraw", sale.auction, sale.item);
    let shown = sale.owner.get(&page).await;
    assert!(shown.status == 200 && shown.text.contains("ask admin to withdraw"), "{}", shown.text);
    sale.withdraw(&admin, 1, other()).await.expect(200);
}

/// The only adult in the room takes back what a pupil has mistyped, for all to see.
#[tokio::test]
async fn the_only_manager_takes_back_a_bid_on_an_own_item_with_a_note() {
    let sale = Sale::legacy(json!({})).await;
    let hidden = json!({"bidderVisibility": "ANONYMOUS", "readableBy": "ANYONE"});
    sale.owner.patch(&format!("/api/auctions/{}", sale.auction), hidden).await.expect(200);
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 580})).await.expect(201);
    let refused = sale.withdraw(&sale.owner, 1, other()).await.expect_problem(422, "INVALID_BODY");
    assert_eq!(refused["details"]["fields"][0]["path"], "note");
    let note = json!({"reason": "MISTYPED", "note": "58 was meant"});
    let withdrawn = sale.withdraw(&sale.owner, 1, note).await.expect(200)["withdrawn"].clone();
    assert_eq!((&withdrawn["by"], &withdrawn["note"]), (&json!("SELLER"), &json!("58 was meant")));
    let seen = async |client: &Client| {
        let bids = client.get(&sale.bids_path()).await.expect(200);
        bids["bids"][0]["withdrawn"]["note"].clone()
    };
    assert_eq!(seen(&bob).await, "58 was meant", "members read it");
    assert_eq!(seen(&sale.app.anonymous()).await, Value::Null, "outsiders do not");
    let page = bob.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await.text;
    assert!(page.contains("Taken back by the seller") && page.contains("58 was meant"), "{page}");
    let told = ada.get("/api/user/notifications").await.expect(200);
    assert_eq!(told["notifications"][0]["text"], "The seller has withdrawn your bid: 58 was meant");
}

#[tokio::test]
async fn a_seller_who_manages_nothing_withdraws_no_bid() {
    let (sale, _, seller) = sold_by_another(json!({}), 1).await;
    sale.withdraw(&seller, 1, other()).await.expect_problem(403, "FORBIDDEN");
}

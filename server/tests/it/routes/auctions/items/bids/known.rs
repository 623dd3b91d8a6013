//! The caches of the queue and of the pages are never older than the database.

use serde_json::json;

use super::{Sale, codes, points};
use crate::harness::Client;
use crate::harness::database::write_elsewhere;
use crate::routes::auctions::remove;

#[tokio::test]
async fn a_rule_applies_from_the_next_bid_on() {
    let sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    sale.bid(&ada, json!({"amount": 11})).await.expect(201);
    let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 5}});
    let rules = format!("/api/auctions/{}/currency-rules", sale.auction);
    let rule = sale.owner.post(&rules, rule).await.expect(201);
    let refused = sale.bid(&ada, json!({"amount": 12})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT"]);
    sale.owner.delete(&format!("{rules}/{}", rule["id"].as_str().unwrap())).await.expect(204);
    sale.bid(&ada, json!({"amount": 12})).await.expect(201);
}

#[tokio::test]
async fn a_change_of_members_applies_at_once() {
    let sale = Sale::legacy(json!({})).await;
    let eve = sale.app.user("eve").await;
    let path = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&path, json!({"joinMode": "LINK"})).await.expect(200);
    for amount in [1, 2] {
        sale.bid(&eve, json!({"amount": amount})).await.expect_problem(404, "NOT_FOUND");
    }
    let token = sale.owner.get(&path).await.expect(200)["inviteToken"].clone();
    eve.post(&format!("{path}/join"), json!({"inviteToken": token})).await.expect(200);
    sale.bid(&eve, json!({"amount": 1})).await.expect(201);
    remove(&sale.owner, &path, &eve).await;
    sale.bid(&eve, json!({"amount": 2})).await.expect_problem(404, "NOT_FOUND");
}

/// Another process that shares only the database.
#[tokio::test]
async fn a_write_of_another_connection_applies_at_once() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid(&ada, json!({"amount": 2})).await.expect(201);
    let database = &sale.app.state.installation.settings.database_url;
    write_elsewhere(database, "UPDATE items SET closed_at = 1").await;
    sale.bid(&ada, json!({"amount": 3})).await.expect_problem(409, "ITEM_NOT_OPEN");
    write_elsewhere(database, "UPDATE items SET closed_at = NULL").await;
    sale.bid(&ada, json!({"amount": 3})).await.expect(201);
}

/// An item with one bid of Ada, whose page is cached. The clock stands still, so that no cache entry expires.
async fn with_cached_page() -> (Sale, Client) {
    let sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    let page = page(&sale, &sale.owner).await;
    assert!(page.contains(">10\u{a0}PTS<") && page.contains(">ada</bdi>"), "{page}");
    (sale, ada)
}

async fn page(sale: &Sale, viewer: &Client) -> String {
    viewer.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await.text
}

#[tokio::test]
async fn a_page_shows_a_bid_at_once() {
    let (sale, ada) = with_cached_page().await;
    sale.bid(&ada, json!({"amount": 11})).await.expect(201);
    assert!(page(&sale, &sale.owner).await.contains(">11\u{a0}PTS<"));
}

#[tokio::test]
async fn a_page_shows_a_new_name_at_once() {
    let (sale, ada) = with_cached_page().await;
    ada.patch("/api/user", json!({"name": "Ada Lovelace"})).await.expect(200);
    let page = page(&sale, &sale.owner).await;
    assert!(page.contains(">Ada Lovelace</bdi>") && !page.contains(">ada</bdi>"), "{page}");
}

#[tokio::test]
async fn a_page_shows_the_current_rules() {
    let (sale, ada) = with_cached_page().await;
    assert!(!page(&sale, &ada).await.contains("MIN_INCREMENT"));
    let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 5}});
    sale.owner.post(&format!("/api/auctions/{}/currency-rules", sale.auction), rule).await.expect(201);
    assert!(page(&sale, &ada).await.contains("MIN_INCREMENT"));
}

#[tokio::test]
async fn a_page_shows_an_edit_at_once() {
    let (sale, ada) = with_cached_page().await;
    sale.owner.patch(&sale.item_path(), json!({"name": "A teapot"})).await.expect(200);
    assert!(page(&sale, &ada).await.contains("A teapot"));
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"name": "Autumn sale"})).await.expect(200);
    assert!(page(&sale, &ada).await.contains("Autumn sale"));
    sale.owner.post(&format!("{auction}/close"), json!({})).await.expect(200);
    assert!(page(&sale, &ada).await.contains("Bidding has ended."));
}

/// A cached page is not shown to users who may not see it, and offers each viewer what they may do.
#[tokio::test]
async fn each_viewer_of_a_page_is_authorized() {
    let (sale, _) = with_cached_page().await;
    let eve = sale.app.user("eve").await;
    let path = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let offers_to_join = async |viewer: &Client| {
        let join = format!("action=\"/auctions/{}/join\"", sale.auction);
        viewer.get(&format!("/auctions/{}", sale.auction)).await.text.contains(&join)
    };
    let offers_to_bid = async |viewer: &Client| {
        let shown = viewer.get(&path).await;
        assert_eq!(shown.status, 200);
        shown.text.contains("class=\"bid-form\"")
    };
    assert!(offers_to_bid(&eve).await, "the first bid joins");
    assert!(offers_to_join(&eve).await);
    assert!(!offers_to_bid(&sale.owner).await && !offers_to_join(&sale.owner).await, "the seller");
    eve.post(&format!("/api/auctions/{}/join", sale.auction), json!({})).await.expect(200);
    assert!(offers_to_bid(&eve).await && !offers_to_join(&eve).await);
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    assert_eq!(sale.owner.get(&path).await.status, 200);
    assert_eq!(sale.app.user("mallory").await.get(&path).await.status, 404);
    assert!(offers_to_bid(&eve).await);
}

/// Without profiles the amounts of rules are in the item's currency.
#[tokio::test]
async fn rules_are_in_force_in_a_legacy_auction() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 10})).await.expect(201);
    let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 5}});
    let rules = format!("/api/auctions/{}/currency-rules", sale.auction);
    sale.owner.post(&rules, rule).await.expect(201);
    let refused = sale.bid(&ada, json!({"amount": 12})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT"]);
    assert_eq!(refused["details"]["violations"][0]["required"], "15");
    sale.bid(&ada, json!({"amount": 15})).await.expect(201);
}

//! `/api/auctions/{auction_id}/items/{item_id}/watch`

use serde_json::json;

use super::bids::Sale;
use crate::harness::Events;
use crate::routes::auctions::remove;

#[tokio::test]
async fn a_member_watches_an_item_and_sees_it_in_the_list() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.add_item(json!({"currencyCode": "EUR"})).await;
    let (item, watch) = (sale.item_path(), format!("{}/watch", sale.item_path()));
    let watched = format!("/api/auctions/{}/items?watched=true", sale.auction);
    assert_eq!(ada.get(&item).await.expect(200)["watched"], false);
    for _ in 0..2 {
        ada.send("PUT", &watch, json!({})).await.expect(204);
    }
    let seen = ada.get(&item).await;
    assert_eq!((seen.expect(200)["watched"].clone(), seen.header("etag")), (json!(true), "\"1\""));
    let listed = ada.get(&watched).await.expect(200);
    assert_eq!(listed["items"].as_array().unwrap(), &[seen.json()]);
    assert_eq!(bob.get(&item).await.expect(200)["watched"], false, "another member");
    assert_eq!(bob.get(&watched).await.expect(200)["items"], json!([]));
    for _ in 0..2 {
        ada.delete(&watch).await.expect(204);
    }
    assert_eq!(ada.get(&item).await.expect(200)["watched"], false);
    assert_eq!(ada.get(&watched).await.expect(200)["items"], json!([]));
}

#[tokio::test]
async fn only_members_watch() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, eve) = (sale.bidder("ada").await, sale.app.user("eve").await);
    let watch = format!("{}/watch", sale.item_path());
    for method in ["PUT", "DELETE"] {
        eve.send(method, &watch, json!({})).await.expect_problem(403, "FORBIDDEN");
    }
    ada.send("PUT", &watch, json!({})).await.expect(204);
    remove(&ada, &format!("/api/auctions/{}", sale.auction), &ada).await;
    assert_eq!(ada.get(&sale.item_path()).await.expect(200)["watched"], false, "left");
    sale.owner.patch(&sale.item_path(), json!({"isPublished": false})).await.expect(200);
    eve.send("PUT", &watch, json!({})).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_watched_item_is_deleted_with_its_watches() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    ada.send("PUT", &format!("{}/watch", sale.item_path()), json!({})).await.expect(204);
    sale.owner.delete(&sale.item_path()).await.expect(204);
    let watched = format!("/api/auctions/{}/items?watched=true", sale.auction);
    assert_eq!(ada.get(&watched).await.expect(200)["items"], json!([]));
}

#[tokio::test]
async fn a_stream_says_to_each_viewer_whether_they_watch() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    ada.send("PUT", &format!("{}/watch", sale.item_path()), json!({})).await.expect(204);
    let events = format!("{}/events", sale.item_path());
    let mut streams = [(Events::open(&ada, &events).await, true), (Events::open(&bob, &events).await, false)];
    for (stream, watches) in &mut streams {
        assert_eq!(stream.item().await["watched"], *watches, "at the beginning");
    }
    sale.owner.patch(&sale.item_path(), json!({"name": "An urn"})).await.expect(200);
    for (stream, watches) in &mut streams {
        let item = stream.item().await;
        assert_eq!((&item["name"], &item["watched"]), (&json!("An urn"), &json!(*watches)));
    }
}

/// The page keeps items in a cache that all viewers share.
#[tokio::test]
async fn the_button_of_a_page_shows_its_own_viewer() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let page = format!("/auctions/{}/items/{}", sale.auction, sale.item);
    let catalogue = format!("/auctions/{}?sort=end", sale.auction);
    let form = format!("{page}/watch");
    let answer = ada.post_form(&form, &[("watched", "true"), ("back", &catalogue)]).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, catalogue.as_str()));
    for page in [&page, &catalogue] {
        assert!(ada.get(page).await.text.contains("aria-pressed=\"true\""), "{page}");
        assert!(bob.get(page).await.text.contains("aria-pressed=\"false\""), "{page}");
    }
    let elsewhere = ada.post_form(&form, &[("watched", "false"), ("back", "//example.org")]).await;
    assert_eq!(elsewhere.header("location"), page);
    assert!(ada.get(&page).await.text.contains("aria-pressed=\"false\""));
    let eve = sale.app.user("eve").await;
    assert!(!eve.get(&page).await.text.contains("aria-pressed"), "not a member");
}

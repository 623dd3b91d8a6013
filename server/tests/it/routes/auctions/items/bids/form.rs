//! The form on the item's page, as a browser without JavaScript sends it.

use serde_json::{Value, json};

use super::{Sale, points, text, wizards};

fn page(sale: &Sale) -> String {
    format!("/auctions/{}/items/{}", sale.auction, sale.item)
}

#[tokio::test]
async fn an_accepted_bid_redirects_to_the_item() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let form = [("idempotencyKey", "k1"), ("currencyProfileId", ""), ("amount", " 12.50 ")];
    for _ in 0..2 {
        let answer = ada.post_form(&page(&sale), &form).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        assert_eq!(answer.header("location"), page(&sale));
    }
    let bids = sale.bids().await;
    assert_eq!(bids.len(), 1, "sent twice, placed once");
    assert_eq!((&bids[0]["normalizedAmount"], &bids[0]["isAnonymous"]), (&json!("12.5"), &json!(false)));
    assert!(ada.get(&page(&sale)).await.text.contains("12.5"));
}

#[tokio::test]
async fn an_empty_field_is_absent() {
    let mut other = points("PT", "1");
    other["isDefault"] = json!(true);
    let sale = Sale::open(json!({"bidderVisibility": "PER_BID"}), &[wizards(), other], json!({})).await;
    let ada = sale.bidder("ada").await;
    let currencies = ada.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let wizarding = text(&currencies["currencies"][0]["id"]);
    let form = [
        ("currencyProfileId", wizarding.as_str()),
        ("currency", wizarding.as_str()),
        ("count.GALLEON", ""),
        ("count.SICKLE", "2"),
        ("count.KNUT", ""),
        ("isAnonymous", "true"),
    ];
    assert_eq!(ada.post_form(&page(&sale), &form).await.status, 303);
    let bid = &sale.bids().await[0];
    assert_eq!(bid["enteredRepresentation"], json!([{"denomination": "SICKLE", "count": "2"}]));
    assert_eq!(bid["isAnonymous"], true);
}

#[tokio::test]
async fn a_refused_bid_keeps_its_values() {
    let sale = Sale::legacy(json!({"startingBid": "10"})).await;
    let ada = sale.bidder("ada").await;
    let answer = ada.post_form(&page(&sale), &[("amount", "9.87")]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.header("content-type"));
    assert!(answer.text.contains(r#"value="9.87""#), "the field keeps the typed value");
    assert_eq!(sale.bids().await, Vec::<Value>::new());

    let key = [("amount", "12"), ("idempotencyKey", "two words")];
    assert_eq!(ada.post_form(&page(&sale), &key).await.status, 422);
    assert_eq!(sale.owner.post_form(&page(&sale), &[("amount", "12")]).await.status, 403);
    assert_eq!(sale.app.anonymous().post_form(&page(&sale), &[("amount", "12")]).await.status, 401);
    assert_eq!(sale.bids().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_form_of_another_site_places_nothing() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let form = ada.request("POST", &page(&sale)).header("origin", "https://evil.example");
    let form = form.header("content-type", "application/x-www-form-urlencoded").body("amount=12");
    assert_eq!(crate::harness::Answer::of(form).await.status, 403);
    assert_eq!(sale.bids().await, Vec::<Value>::new());
}

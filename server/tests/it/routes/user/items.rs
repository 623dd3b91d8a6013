//! `/api/user/items` and `/api/user/watched`

use serde_json::{Value, json};

use crate::harness::Client;
use crate::routes::auctions::items::bids::{Sale, text};
use crate::routes::auctions::{remove, user_id, wrong_fields};

async fn ids(client: &Client, path: &str) -> Vec<String> {
    let answer = client.get(path).await.expect(200);
    answer["items"].as_array().unwrap().iter().map(|item| text(&item["id"])).collect()
}

#[tokio::test]
async fn a_seller_finds_the_items_of_all_auctions() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let for_ada = json!({"currencyCode": "EUR", "sellerId": user_id(&ada).await});
    let typed_in = sale.add_item(for_ada.clone()).await;
    let mut draft = for_ada;
    draft["isPublished"] = json!(false);
    sale.add_item(draft).await;
    let own = ada.post("/api/auctions", json!({"name": "Attic"})).await.expect(201);
    let path = format!("/api/auctions/{}/items", text(&own["id"]));
    let mine =
        text(&ada.post(&path, json!({"name": "A chair", "currencyCode": "EUR"})).await.expect(201)["id"]);
    assert_eq!(
        ids(&ada, "/api/user/items").await,
        [mine.clone(), typed_in.clone()],
        "without the draft of another"
    );
    assert_eq!(ids(&sale.owner, "/api/user/items").await, std::slice::from_ref(&sale.item));
    let first = ada.get("/api/user/items?limit=1").await.expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    assert_eq!(ids(&ada, &format!("/api/user/items?limit=2&cursor={cursor}")).await, [typed_in]);
    let item = ada.get(&format!("{path}/{mine}")).await.expect(200);
    assert_eq!(first["items"], json!([item]));
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    remove(&sale.owner, &auction, &ada).await;
    assert_eq!(ids(&ada, "/api/user/items").await, [mine], "removed from the auction");
    assert_eq!(wrong_fields(&ada.get("/api/user/items?limit=101&cursor=x").await), ["limit", "cursor"]);
}

#[tokio::test]
async fn a_user_finds_the_watched_items_of_all_auctions() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    assert_eq!(ids(&ada, "/api/user/watched").await, [""; 0]);
    let second = sale.add_item(json!({"currencyCode": "EUR"})).await;
    sale.add_item(json!({"currencyCode": "EUR"})).await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    for item in [&sale.item, &second] {
        ada.send("PUT", &format!("{items}/{item}/watch"), json!({})).await.expect(204);
    }
    let found = ada.get("/api/user/watched").await.expect(200);
    assert_eq!(ids(&ada, "/api/user/watched").await, [second.clone(), sale.item.clone()]);
    assert_eq!((&found["items"][0]["watched"], &found["nextCursor"]), (&json!(true), &Value::Null));
    assert_eq!(ids(&sale.owner, "/api/user/watched").await, [""; 0]);
    sale.owner.patch(&sale.item_path(), json!({"isPublished": false})).await.expect(200);
    assert_eq!(ids(&ada, "/api/user/watched").await, [second], "a draft again");
    remove(&ada, &format!("/api/auctions/{}", sale.auction), &ada).await;
    assert_eq!(ids(&ada, "/api/user/watched").await, [""; 0], "left");
}

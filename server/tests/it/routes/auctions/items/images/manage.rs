use serde_json::json;

use super::{add_picture, coloured_png, images, item};
use crate::harness::{Answer, Client, Events, TestApp};
use crate::routes::auctions::wrong_fields;

/// Adds so many pictures and returns their ids.
async fn add(seller: &Client, item: &str, count: u8) -> Vec<String> {
    let mut ids = Vec::new();
    for gray in 0..count {
        let added = add_picture(seller, item, &coloured_png(4, 4, gray)).await.expect(201);
        ids.push(added["id"].as_str().unwrap().to_owned());
    }
    ids
}

#[tokio::test]
async fn pictures_are_ordered_and_described_and_removed() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let ids = add(&seller, &item, 3).await;
    let order = json!({"order": [ids[2], ids[0], ids[1]]});
    let ordered = seller.patch(&format!("{item}/images"), order).await.expect(200);
    assert_eq!(ordered["images"], json!(images(&seller, &item).await));
    let listed: Vec<_> = images(&seller, &item).await.iter().map(|it| it["id"].clone()).collect();
    assert_eq!(listed, [ids[2].as_str(), &ids[0], &ids[1]]);
    for wrong in [json!([]), json!([ids[0]]), json!([ids[0], ids[0], ids[1]]), json!([ids[0], ids[1], "x"])] {
        let answer = seller.patch(&format!("{item}/images"), json!({"order": wrong})).await;
        assert!(wrong_fields(&answer)[0].starts_with("order"), "{wrong}");
    }

    let path = format!("{item}/images/{}", ids[0]);
    let outdated = seller.request("DELETE", &path).header("if-match", "\"1\"");
    Answer::of(outdated).await.expect_problem(412, "PRECONDITION_FAILED");
    let described = seller.patch(&path, json!({"alt": "From the side"})).await.expect(200);
    assert_eq!(described["alt"], "From the side");
    assert_eq!(
        seller.patch(&path, json!({})).await.expect(200)["alt"],
        "From the side",
        "nothing was changed"
    );
    for wrong in [json!({"alt": "x".repeat(201)}), json!({"alt": "a\nb"}), json!({"width": 3})] {
        seller.patch(&path, wrong).await.expect_problem(422, "INVALID_BODY");
    }
    seller.delete(&path).await.expect(204);
    seller.delete(&path).await.expect_problem(404, "NOT_FOUND");
    seller.patch(&path, json!({"alt": ""})).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(images(&seller, &item).await.len(), 2);
}

#[tokio::test]
async fn each_change_has_an_event_and_a_version() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let mut events = Events::open(&seller, &format!("{item}/events")).await;
    assert_eq!(events.next().await.unwrap().kind, "item");
    let version = async || seller.get(&item).await.header("etag").to_owned();
    let before = version().await;
    let ids = add(&seller, &item, 1).await;
    let event = events.next().await.unwrap();
    assert_eq!((event.kind.as_str(), &event.data["images"][0]["id"]), ("item", &json!(ids[0])));
    let after = version().await;
    assert_ne!(before, after);
    let path = format!("{item}/images/{}", ids[0]);
    seller.patch(&path, json!({"alt": "A vase"})).await.expect(200);
    assert_eq!(events.next().await.unwrap().data["images"][0]["alt"], "A vase");
    seller.patch(&path, json!({"alt": "A vase"})).await.expect(200);
    let described = version().await;
    seller.delete(&path).await.expect(204);
    assert_eq!(events.next().await.unwrap().data["images"], json!([]));
    assert_ne!(described, version().await);
}

#[tokio::test]
async fn pictures_of_a_closed_item_stay() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let ids = add(&seller, &item, 1).await;
    seller.post(&format!("{item}/close"), json!({})).await.expect(200);
    let path = format!("{item}/images/{}", ids[0]);
    add_picture(&seller, &item, &coloured_png(4, 4, 9)).await.expect_problem(409, "CLOSED");
    seller.patch(&path, json!({"alt": "x"})).await.expect_problem(409, "CLOSED");
    seller.patch(&format!("{item}/images"), json!({"order": ids})).await.expect_problem(409, "CLOSED");
    seller.delete(&path).await.expect_problem(409, "CLOSED");
    assert_eq!(images(&seller, &item).await.len(), 1);
}

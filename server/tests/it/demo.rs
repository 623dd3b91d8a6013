//! The demo fills an empty database and leaves any other unchanged.

use serde_json::json;
use server::demo::{self, Demo};

use crate::harness::TestApp;

#[tokio::test]
async fn an_empty_database_is_filled_once_and_its_users_can_bid() {
    let app = TestApp::start().await;
    let Demo::Present(sign_ins) = demo::fill(&app.state).await.unwrap() else { panic!("not added") };
    let again = demo::fill(&app.state).await.unwrap();
    assert_eq!(again, Demo::Present(sign_ins.clone()));

    let visitor = app.anonymous();
    let email = sign_ins.emails.last().unwrap();
    visitor
        .post("/api/auth/login", json!({ "email": email, "password": sign_ins.password }))
        .await
        .expect(200);
    let auctions = visitor.get("/api/auctions").await.expect(200);
    assert_eq!(auctions["auctions"].as_array().unwrap().len(), 3);
    let lantern = &auctions["auctions"][0];
    let items = format!("/api/auctions/{}/items", lantern["id"].as_str().unwrap());
    let items = visitor.get(&items).await.expect(200);
    let statuses: Vec<&str> =
        items["items"].as_array().unwrap().iter().map(|item| item["status"].as_str().unwrap()).collect();
    for status in ["OPEN", "SCHEDULED", "CLOSED"] {
        assert!(statuses.contains(&status), "{status} in {statuses:?}");
    }
    assert_eq!(items["items"][0]["bidCount"], 7);
    assert_eq!(items["items"][0]["highestBid"]["normalizedAmount"], "15406");

    // What the members of the raffle have: 300 tickets, less what they lead with and what was charged.
    app.reconcile().await;
    let books = visitor.get("/api/books").await.expect(200)["books"].clone();
    let path = format!("/api/books/{}/holders", books[0]["id"].as_str().unwrap());
    let holders = visitor.get(&path).await.expect(200)["holders"].clone();
    let available = |name: &str| {
        let mut holders = holders.as_array().unwrap().iter();
        holders.find(|holder| holder["user"]["name"] == name).unwrap()["available"].clone()
    };
    assert_eq!(["Cleo", "Ada", "Ben", "Dov", "Esme"].map(available), ["0", "300", "225", "120", "278"]);
}

#[tokio::test]
async fn a_database_that_is_not_empty_stays_unchanged() {
    let app = TestApp::start().await;
    let owner = app.user("owner").await;
    assert_eq!(demo::fill(&app.state).await.unwrap(), Demo::NotAdded);
    assert_eq!(owner.get("/api/auctions").await.expect(200)["auctions"], json!([]));
}

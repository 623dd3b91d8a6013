//! `/api/auctions/{auction_id}/invite-token`

use serde_json::{Value, json};

use super::{auction, give_role, join};
use crate::harness::{Client, TestApp};

async fn token(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200)["inviteToken"].clone()
}

#[tokio::test]
async fn only_managers_see_the_token_and_only_of_a_link_auction() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    assert_eq!(token(&ada, &path).await, Value::Null);
    ada.patch(&path, json!({"joinMode": "LINK"})).await.expect(200);
    let owners = token(&ada, &path).await;
    assert_eq!(owners.as_str().unwrap().len(), 64);
    for (role, sees) in [("BIDDER", false), ("CREATOR", false), ("ADMIN", true)] {
        give_role(&ada, &path, &bob, role).await;
        assert_eq!(token(&bob, &path).await, if sees { owners.clone() } else { Value::Null }, "{role}");
        let listed = bob.get("/api/auctions").await.expect(200)["auctions"][0]["inviteToken"].clone();
        assert_eq!(listed, if sees { owners.clone() } else { Value::Null }, "{role}");
    }
    let other = auction(&ada, json!({"joinMode": "LINK"})).await;
    assert_ne!(token(&ada, &other).await, owners);
}

#[tokio::test]
async fn a_new_token_revokes_the_old_one() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "LINK"})).await;
    let before = ada.get(&path).await;
    let old = before.expect(200)["inviteToken"].clone();
    let renewed = ada.post(&format!("{path}/invite-token"), json!({})).await;
    let new = renewed.expect(200)["inviteToken"].clone();
    assert_ne!(old, new);
    assert_ne!(before.header("etag"), renewed.header("etag"), "another token is another version");
    assert_eq!(token(&ada, &path).await, new);
    let join = format!("{path}/join");
    bob.post(&join, json!({"inviteToken": old})).await.expect_problem(403, "FORBIDDEN");
    bob.post(&join, json!({"inviteToken": new})).await.expect(200);
    let page = format!("/join/{}", new.as_str().unwrap());
    assert_eq!(app.anonymous().get(&page).await.status, 200);
    ada.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    assert_eq!(app.anonymous().get(&page).await.status, 410, "nobody joins by the link");
    bob.post(&format!("{path}/invite-token"), json!({})).await.expect_problem(403, "FORBIDDEN");
    ada.post(&format!("{path}/close"), json!({})).await.expect(200);
    ada.post(&format!("{path}/invite-token"), json!({})).await.expect_problem(409, "CLOSED");
}

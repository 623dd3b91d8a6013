use serde_json::json;

use super::{NO_ID, auction, join, remove, wrong_fields};
use crate::harness::{Answer, TestApp};

#[tokio::test]
async fn every_user_may_join_a_free_auction() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    // A GET does not join.
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], json!(null));
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], json!(null));
    let join = format!("{path}/join");
    let joined = Answer::of(bob.request("POST", &join)).await.expect(200);
    assert_eq!(joined["myRole"], "BIDDER", "the body is optional");
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], "BIDDER");
    assert_eq!(
        bob.post(&join, json!({})).await.expect(200)["myRole"],
        "BIDDER",
        "joining again changes nothing"
    );
    assert_eq!(
        ada.post(&join, json!({})).await.expect(200)["myRole"],
        "OWNER",
        "joining keeps a higher role"
    );
}

#[tokio::test]
async fn other_auctions_cannot_be_joined_directly() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let hidden = auction(&ada, json!({"joinMode": "INVITE_ONLY"})).await;
    let link = auction(&ada, json!({"joinMode": "LINK"})).await;
    bob.post(&format!("{hidden}/join"), json!({})).await.expect_problem(404, "NOT_FOUND");
    bob.send_text("POST", &format!("{hidden}/join"), "{").await.expect_problem(404, "NOT_FOUND");
    bob.post(&format!("{link}/join"), json!({})).await.expect_problem(403, "FORBIDDEN");
    bob.post(&format!("{link}/join"), json!({"inviteToken": "guess"})).await.expect_problem(403, "FORBIDDEN");
    bob.get(&link).await.expect_problem(404, "NOT_FOUND");
    bob.post(&format!("/api/auctions/{NO_ID}/join"), json!({})).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn unknown_fields_are_refused() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let join = format!("{path}/join");
    assert_eq!(wrong_fields(&bob.post(&join, json!({"role": "ADMIN"})).await), ["role"]);
    assert_eq!(wrong_fields(&bob.post(&join, json!({"inviteToken": 1})).await), ["inviteToken"]);
    bob.send_text("POST", &join, "{").await.expect_problem(400, "MALFORMED_JSON");
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], json!(null));
}

#[tokio::test]
async fn a_link_auction_is_joined_with_its_token() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "LINK"})).await;
    let token = ada.get(&path).await.expect(200)["inviteToken"].as_str().unwrap().to_owned();
    let join = format!("{path}/join");
    assert_eq!(bob.post(&join, json!({"inviteToken": token})).await.expect(200)["myRole"], "BIDDER");
    assert_eq!(bob.post(&join, json!({})).await.expect(200)["myRole"], "BIDDER", "a member needs no token");

    // The token counts in a LINK auction only.
    let eve = app.user("eve").await;
    ada.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    eve.post(&join, json!({"inviteToken": token})).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_removed_user_cannot_join_again() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    for mode in ["FREE", "LINK"] {
        let path = auction(&ada, json!({"joinMode": mode})).await;
        let token = ada.get(&path).await.expect(200)["inviteToken"].clone();
        let body = if mode == "LINK" { json!({"inviteToken": token}) } else { json!({}) };
        bob.post(&format!("{path}/join"), body.clone()).await.expect(200);
        remove(&ada, &path, &bob).await;
        let refused = bob.post(&format!("{path}/join"), body).await.expect_problem(403, "FORBIDDEN");
        assert!(refused["detail"].as_str().unwrap().contains("were removed"), "{refused}");
        ada.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
        bob.post(&format!("{path}/join"), json!({})).await.expect_problem(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_member_who_left_may_join_again() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    remove(&bob, &path, &bob).await;
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], json!(null));
    join(&bob, &path).await;
}

#[tokio::test]
async fn a_closed_auction_takes_no_members() {
    let app = TestApp::start().await;
    let (ada, bob, eve) = (app.user("ada").await, app.user("bob").await, app.user("eve").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&eve, &path).await;
    ada.post(&format!("{path}/close"), json!({})).await.expect(200);
    bob.post(&format!("{path}/join"), json!({})).await.expect_problem(409, "CLOSED");
    join(&eve, &path).await;
}

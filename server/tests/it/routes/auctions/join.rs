use serde_json::json;

use super::{NO_ID, auction, wrong_fields};
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

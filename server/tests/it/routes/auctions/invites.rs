//! `/api/auctions/{auction_id}/invites` and `/api/invites/{token}`

use serde_json::{Value, json};

use super::{NO_ID, accept, auction, give_role, invite, join, user_id, wrong_fields};
use crate::harness::{Answer, TestApp};

const DAY_SECONDS: i64 = 24 * 3600;

#[tokio::test]
async fn an_invite_says_what_it_leads_to_and_is_accepted_once() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"description": "Old brass"})).await;
    let sent = invite(&ada, &path, "Bob@Example.org", "CREATOR").await;
    let token = sent["token"].as_str().unwrap();
    assert_eq!(
        sent,
        json!({
            "id": sent["id"], "email": "Bob@Example.org", "role": "CREATOR", "token": token,
            "expiresAt": "2026-05-08T18:00:00.000Z", "url": format!("http://{}/invites/{token}", app.address),
        })
    );
    assert_eq!(ada.get(&format!("{path}/invites")).await.expect(200), json!({"invites": [sent]}));

    let target = format!("/api/invites/{token}");
    let shown = app.anonymous().get(&target).await.expect(200);
    assert_eq!(
        shown,
        json!({
            "id": sent["id"], "email": "Bob@Example.org", "role": "CREATOR", "expiresAt": sent["expiresAt"],
            "auction": {"id": path.rsplit('/').next().unwrap(), "name": "Spring sale", "description": "Old brass"},
            "sender": {"id": user_id(&ada).await, "name": "ada"},
        })
    );
    accept(&app.anonymous(), &sent).await.expect_problem(401, "UNAUTHENTICATED");
    let refused = accept(&ada, &sent).await.expect_problem(403, "FORBIDDEN");
    assert!(refused["detail"].as_str().unwrap().contains("another e-mail"), "{refused}");
    bob.get(&path).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(accept(&bob, &sent).await.expect(200)["myRole"], "CREATOR");
    bob.get(&path).await.expect(200);
    accept(&bob, &sent).await.expect_problem(404, "NOT_FOUND");
    app.anonymous().get(&target).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(ada.get(&format!("{path}/invites")).await.expect(200), json!({"invites": []}));
    app.anonymous().get("/api/invites/guess").await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_invite_works_for_seven_days_and_does_not_block_the_next() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({})).await;
    let first = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    app.clock.advance_seconds(7 * DAY_SECONDS - 1);
    app.anonymous().get(&format!("/api/invites/{}", first["token"].as_str().unwrap())).await.expect(200);
    app.clock.advance_seconds(1);
    accept(&bob, &first).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(ada.get(&format!("{path}/invites")).await.expect(200), json!({"invites": []}));
    let second = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    accept(&bob, &second).await.expect(200);
}

#[tokio::test]
async fn a_new_invite_to_an_e_mail_replaces_the_old_one() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({})).await;
    let first = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    let second = invite(&ada, &path, "BOB@example.org", "ADMIN").await;
    let elsewhere = auction(&ada, json!({})).await;
    invite(&ada, &elsewhere, "bob@example.org", "BIDDER").await;
    assert_eq!(ada.get(&format!("{path}/invites")).await.expect(200)["invites"], json!([second]));
    accept(&bob, &first).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(accept(&bob, &second).await.expect(200)["myRole"], "ADMIN");
}

#[tokio::test]
async fn a_member_keeps_a_higher_role() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    for (invited, role) in [("CREATOR", "CREATOR"), ("BIDDER", "CREATOR"), ("ADMIN", "ADMIN")] {
        let sent = invite(&ada, &path, "bob@example.org", invited).await;
        assert_eq!(accept(&bob, &sent).await.expect(200)["myRole"], role);
    }
    let sent = invite(&bob, &path, "ada@example.org", "BIDDER").await;
    assert_eq!(accept(&ada, &sent).await.expect(200)["myRole"], "OWNER");
}

#[tokio::test]
async fn members_invite_bidders_if_the_auction_allows_it() {
    let app = TestApp::start().await;
    let (ada, bob, eve) = (app.user("ada").await, app.user("bob").await, app.user("eve").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let invites = format!("{path}/invites");
    join(&bob, &path).await;
    let to_cleo = json!({"email": "cleo@example.org"});
    bob.post(&invites, to_cleo.clone()).await.expect_problem(403, "FORBIDDEN");
    bob.send_text("POST", &invites, "{").await.expect_problem(403, "FORBIDDEN");
    ada.patch(&path, json!({"memberCanInvite": true})).await.expect(200);
    let sent = bob.post(&invites, to_cleo.clone()).await.expect(201);
    assert_eq!((&sent["role"], sent["token"].is_string()), (&json!("BIDDER"), true));
    for role in ["CREATOR", "ADMIN"] {
        let body = json!({"email": "cleo@example.org", "role": role});
        bob.post(&invites, body).await.expect_problem(403, "FORBIDDEN");
    }
    bob.get(&invites).await.expect_problem(403, "FORBIDDEN");
    eve.post(&invites, to_cleo.clone()).await.expect_problem(403, "FORBIDDEN");
    eve.get(&invites).await.expect_problem(403, "FORBIDDEN");

    // Its sender, OWNER and ADMIN delete an invite.
    join(&eve, &path).await;
    let one = |sent: &Value| format!("{invites}/{}", sent["id"].as_str().unwrap());
    eve.delete(&one(&sent)).await.expect_problem(403, "FORBIDDEN");
    bob.delete(&one(&sent)).await.expect(204);
    bob.delete(&one(&sent)).await.expect_problem(404, "NOT_FOUND");
    give_role(&ada, &path, &eve, "ADMIN").await;
    let sent = bob.post(&invites, to_cleo).await.expect(201);
    eve.delete(&one(&sent)).await.expect(204);
    ada.delete(&format!("{invites}/{NO_ID}")).await.expect_problem(404, "NOT_FOUND");
    let elsewhere = auction(&ada, json!({})).await;
    let other = invite(&ada, &elsewhere, "cleo@example.org", "BIDDER").await;
    ada.delete(&one(&other)).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn every_invalid_field_of_an_invite_is_named() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let invites = format!("{}/invites", auction(&ada, json!({})).await);
    for (body, fields) in [
        (json!({}), vec!["email"]),
        (json!({"email": "bob", "role": "OWNER"}), vec!["email", "role"]),
        (json!({"email": "bob@example.org", "role": "bidder"}), vec!["role"]),
        (json!({"email": "bob@example.org", "name": "Bob"}), vec!["name"]),
        (json!({"email": 7}), vec!["email"]),
    ] {
        assert_eq!(wrong_fields(&ada.post(&invites, body).await), fields);
    }
    ada.post(&invites, json!({"email": "bob@example.org", "role": null})).await.expect(201);
}

#[tokio::test]
async fn a_closed_auction_takes_no_invites() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({})).await;
    let sent = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    ada.post(&format!("{path}/close"), json!({})).await.expect(200);
    let body = json!({"email": "cleo@example.org"});
    ada.post(&format!("{path}/invites"), body).await.expect_problem(409, "CLOSED");
    accept(&bob, &sent).await.expect_problem(409, "CLOSED");
    let one = format!("{path}/invites/{}", sent["id"].as_str().unwrap());
    ada.delete(&one).await.expect(204);
}

#[tokio::test]
async fn a_repeated_invite_with_its_key_is_one_invite() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = format!("{}/invites", auction(&ada, json!({})).await);
    let send = async |email: &str| {
        let request = ada.request("POST", &path).header("idempotency-key", "one");
        let body = json!({ "email": email }).to_string();
        Answer::of(request.header("content-type", "application/json").body(body)).await
    };
    let first = send("bob@example.org").await.expect(201);
    let again = send("bob@example.org").await;
    assert_eq!((again.expect(201), again.header("idempotent-replayed")), (first, "true"));
    send("cleo@example.org").await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn the_invites_of_an_auction_are_limited() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    invite(&ada, &path, "bob@example.org", "BIDDER").await;
    macro_rules! many_invites {
        ($new_id:literal) => {
            concat!(
                "INSERT INTO invites (id, auction_id, email, email_folded, role, token, sender_id, created_at, expires_at)
                 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
                 SELECT ",
                $new_id,
                ", auction_id, i || '@example.org', i || '@example.org', role, CAST(i AS TEXT), sender_id, created_at, expires_at
                 FROM invites, n WHERE i < 400"
            )
        };
    }
    let sql = platform::db::Sql {
        sqlite: many_invites!("randomblob(16)"),
        postgres: many_invites!("gen_random_uuid()"),
    };
    app.write(sql).await;
    let listed = ada.get(&format!("{path}/invites")).await;
    assert!(listed.text.len() < 256 * 1024);
    assert_eq!(listed.expect(200)["invites"].as_array().unwrap().len(), 400);
    let post = async |email: &str| ada.post(&format!("{path}/invites"), json!({ "email": email })).await;
    post("cleo@example.org").await.expect_problem(409, "LIMIT_REACHED");
    post("bob@example.org").await.expect(201);
    // Expired ones do not count.
    app.clock.advance_seconds(7 * DAY_SECONDS);
    post("cleo@example.org").await.expect(201);
}

#[tokio::test]
async fn the_invites_of_a_deleted_account_are_deleted() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE", "memberCanInvite": true})).await;
    join(&bob, &path).await;
    invite(&ada, &path, "BOB@example.org", "BIDDER").await;
    invite(&bob, &path, "cleo@example.org", "BIDDER").await;
    invite(&ada, &path, "dan@example.org", "BIDDER").await;
    bob.send("DELETE", "/api/user", json!({"password": crate::harness::PASSWORD})).await.expect(204);
    let left = ada.get(&format!("{path}/invites")).await.expect(200);
    let emails: Vec<_> = left["invites"].as_array().unwrap().iter().map(|invite| &invite["email"]).collect();
    assert_eq!(emails, ["dan@example.org"]);
}

mod bids;
mod events;
mod items;
mod leads;
mod notifications;
mod preferences;
pub mod second_factor;
mod sessions;

use installation::config::Switch;
use serde_json::{Value, json};

use super::auctions::items::bids::Sale;
use crate::harness::{Answer, Client, PASSWORD, TestApp};

#[tokio::test]
async fn a_client_without_session_is_unauthenticated() {
    let app = TestApp::start().await;
    app.anonymous().get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_patch_changes_only_the_named_fields() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let user = ada.patch("/api/user", json!({ "name": "Ada L.", "locale": "en-GB" })).await.expect(200);
    assert_eq!(user["user"]["name"], "Ada L.");
    assert_eq!(user["user"]["locale"], "en-GB");
    let user =
        ada.patch("/api/user", json!({ "locale": null, "email": "Ada@Example.org" })).await.expect(200);
    assert_eq!(user["user"]["locale"], json!(null));
    assert_eq!(user["user"]["email"], "Ada@Example.org");
    assert_eq!(user["user"]["name"], "Ada L.");
    assert_eq!(ada.patch("/api/user", json!({})).await.expect(200), user);
    assert_eq!(ada.get("/api/user").await.expect(200), user);
}

#[tokio::test]
async fn an_invalid_patch_changes_nothing() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    app.user("bob").await;
    let before = ada.get("/api/user").await.expect(200);
    for body in [
        json!({ "name": null }),
        json!({ "email": null }),
        json!({ "name": "x".repeat(101) }),
        json!({ "email": "x" }),
        json!({ "email": "x@example.org" }),
        json!({ "email": "x@example.org", "currentPassword": null }),
        json!({ "email": "x@example.org", "currentPassword": 7 }),
        json!({ "name": "Deleted user" }),
        json!({ "locale": "en_GB" }),
        json!({ "locale": "" }),
        json!({ "id": "x" }),
        json!([]),
    ] {
        ada.patch("/api/user", body).await.expect_problem(422, "INVALID_BODY");
    }
    ada.patch("/api/user", json!({ "name": "x", "email": "BOB@example.org", "currentPassword": PASSWORD }))
        .await
        .expect_problem(409, "EMAIL_TAKEN");
    assert_eq!(ada.get("/api/user").await.expect(200), before);
}

/// A client in which the user is signed in, too.
async fn another_session(app: &TestApp, name: &str) -> Client {
    let client = app.anonymous();
    let login = json!({ "email": format!("{name}@example.org"), "password": PASSWORD });
    client.post("/api/auth/login", login).await.expect(200);
    client
}

#[tokio::test]
async fn a_new_email_needs_the_password_and_ends_every_other_session() {
    let app = TestApp::start().await;
    let here = app.user("ada").await;
    let there = another_session(&app, "ada").await;
    let email = |password: Value| json!({ "email": "Ada.L@example.org", "currentPassword": password });
    let missing = here.patch("/api/user", email(Value::Null)).await;
    let path = &missing.expect_problem(422, "INVALID_BODY")["details"]["fields"][0]["path"];
    assert_eq!(path, "currentPassword");
    here.patch("/api/user", email(json!("wrong horse"))).await.expect_problem(403, "WRONG_PASSWORD");
    there.get("/api/user").await.expect(200);

    let user = here.patch("/api/user", email(json!(PASSWORD))).await.expect(200);
    assert_eq!(user["user"]["email"], "Ada.L@example.org");
    assert_eq!(here.get("/api/user").await.expect(200), user);
    there.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn an_unchanged_email_needs_no_password_and_ends_no_session() {
    let app = TestApp::start().await;
    let here = app.user("ada").await;
    let there = another_session(&app, "ada").await;
    for email in ["ada@example.org", " ADA@example.org "] {
        let body = json!({ "name": "Ada L.", "email": email, "currentPassword": "wrong horse" });
        let user = here.patch("/api/user", body).await.expect(200);
        assert_eq!(user["user"]["email"], email.trim());
    }
    there.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn an_invalid_body_is_refused_before_a_wrong_password_and_that_before_a_taken_email() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    app.user("bob").await;
    let body = |name: &str, password: &str| json!({ "name": name, "email": "bob@example.org", "currentPassword": password });
    ada.patch("/api/user", body("", "wrong horse")).await.expect_problem(422, "INVALID_BODY");
    ada.patch("/api/user", body("Ada", "wrong horse")).await.expect_problem(403, "WRONG_PASSWORD");
    ada.patch("/api/user", body("Ada", PASSWORD)).await.expect_problem(409, "EMAIL_TAKEN");
    ada.patch("/api/user", json!({ "name": "Ada" })).await.expect(200);
}

#[tokio::test]
async fn too_many_wrong_passwords_are_refused_and_a_new_name_is_none() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    let wrong = json!({ "email": "x@example.org", "currentPassword": "wrong horse" });
    for _ in 0..10 {
        // What is no guess is not counted.
        ada.patch("/api/user", json!({ "name": "" })).await.expect_problem(422, "INVALID_BODY");
        ada.patch("/api/user", wrong.clone()).await.expect_problem(403, "WRONG_PASSWORD");
    }
    let mut refused = vec![ada.patch("/api/user", wrong).await];
    for (method, path) in [("POST", "/api/user/password"), ("DELETE", "/api/user")] {
        // Before the body is read.
        refused.push(ada.send_text(method, path, "{").await);
    }
    for refused in refused {
        refused.expect_problem(429, "TOO_MANY_REQUESTS");
        assert_eq!(refused.header("retry-after"), "12");
    }
    ada.patch("/api/user", json!({ "name": "Ada L." })).await.expect(200);
    app.clock.advance_seconds(12);
    ada.send_text("POST", "/api/user/password", "{").await.expect_problem(400, "MALFORMED_JSON");
}

#[tokio::test]
async fn nobody_registers_with_the_name_of_deleted_accounts() {
    let app = TestApp::start().await;
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Deleted  User" });
    app.anonymous().post("/api/auth/register", body).await.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn a_new_password_ends_every_other_session() {
    let app = TestApp::start().await;
    let (here, there) = (app.user("ada").await, app.anonymous());
    let login = |password: &str| json!({ "email": "ada@example.org", "password": password });
    there.post("/api/auth/login", login(PASSWORD)).await.expect(200);
    let change = |current: &str, new: &str| json!({ "currentPassword": current, "newPassword": new });
    let path = "/api/user/password";
    here.post(path, change("wrong horse", "another horse")).await.expect_problem(403, "WRONG_PASSWORD");
    here.post(path, change(PASSWORD, "short")).await.expect_problem(422, "INVALID_BODY");
    there.get("/api/user").await.expect(200);

    here.post(path, change(PASSWORD, "another horse")).await.expect(204);
    here.get("/api/user").await.expect(200);
    there.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    there.post("/api/auth/login", login(PASSWORD)).await.expect_problem(401, "INVALID_CREDENTIALS");
    there.post("/api/auth/login", login("another horse")).await.expect(200);
}

/// A server that nobody tells of a change sees it after a minute.
#[tokio::test]
async fn a_session_is_cached_for_a_minute() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    ada.get("/api/user").await.expect(200);
    app.write("DELETE FROM sessions").await;
    app.clock.advance_seconds(60);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn signing_in_again_ends_the_previous_session() {
    let app = TestApp::start().await;
    let ada = app.anonymous();
    let login = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Ada" });
    let answer = ada.post("/api/auth/register", login).await;
    let old = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    ada.get("/api/user").await.expect(200);
    ada.post("/api/auth/login", json!({ "email": "ada@example.org", "password": PASSWORD }))
        .await
        .expect(200);
    ada.get("/api/user").await.expect(200);
    let copy = Answer::of(app.anonymous().request("GET", "/api/user").header("cookie", old)).await;
    copy.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_deleted_account_cannot_sign_in_and_its_email_is_free() {
    let app = TestApp::start().await;
    let (ada, elsewhere) = (app.user("ada").await, app.anonymous());
    let login = json!({ "email": "ada@example.org", "password": PASSWORD });
    elsewhere.post("/api/auth/login", login.clone()).await.expect(200);
    let delete = |password: &str| ada.send("DELETE", "/api/user", json!({ "password": password }));
    delete("wrong horse").await.expect_problem(403, "WRONG_PASSWORD");
    delete(PASSWORD).await.expect(204);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    elsewhere.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    elsewhere.post("/api/auth/login", login).await.expect_problem(401, "INVALID_CREDENTIALS");
    app.user("ada").await;
}

#[tokio::test]
async fn an_account_that_others_depend_on_cannot_be_deleted() {
    let sale = Sale::legacy(json!({ "startingBid": "1", "minBidIncrement": "1" })).await;
    let (bob, eve) = (sale.bidder("bob").await, sale.bidder("eve").await);
    sale.bid(&bob, json!({ "amount": "5" })).await.expect(201);
    let delete =
        async |client: &Client| client.send("DELETE", "/api/user", json!({ "password": PASSWORD })).await;
    delete(&sale.owner).await.expect_problem(409, "OWNS_AUCTIONS");
    delete(&bob).await.expect_problem(409, "LEADS_OPEN_ITEMS");
    sale.owner.get("/api/user").await.expect(200);
    bob.get("/api/user").await.expect(200);

    sale.bid(&eve, json!({ "amount": "6" })).await.expect(201);
    let id = bob.get("/api/user").await.expect(200)["user"]["id"].clone();
    delete(&bob).await.expect(204);
    let bids = sale.bids().await;
    assert_eq!(bids[1]["bidder"], json!({ "id": id, "name": "deleted user" }));
    assert_eq!(bids[0]["bidder"]["name"], "eve");
}

#[tokio::test]
async fn winning_a_closed_item_does_not_prevent_deletion() {
    let sale = Sale::legacy(json!({ "endDate": "2026-05-01T19:00:00Z" })).await;
    let bob = sale.bidder("bob").await;
    sale.bid(&bob, json!({ "amount": "5" })).await.expect(201);
    let delete = async || bob.send("DELETE", "/api/user", json!({ "password": PASSWORD })).await;
    delete().await.expect_problem(409, "LEADS_OPEN_ITEMS");
    sale.app.clock.advance_seconds(3600);
    // The outcome keeps the name of the winner, so it is written first.
    delete().await.expect_problem(409, "LEADS_OPEN_ITEMS");
    sale.app.reconcile().await;
    delete().await.expect(204);
}

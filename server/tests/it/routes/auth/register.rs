use installation::config::RegistrationPolicy;
use serde_json::json;

use crate::harness::{Answer, PASSWORD, TestApp};
use crate::routes::auctions::{auction, invite};

#[tokio::test]
async fn registering_creates_an_account_and_signs_in() {
    let app = TestApp::start().await;
    let ada = app.anonymous();
    let body = json!({ "email": "  Ada@Example.org ", "password": PASSWORD, "name": " Ada " });
    let answer = ada.post("/api/auth/register", body).await;
    let user = &answer.expect(201)["user"];
    assert_eq!(user["email"], "Ada@Example.org");
    assert_eq!(user["name"], "Ada");
    assert_eq!(user["locale"], json!(null));
    assert_eq!(user["secondFactor"], false);
    assert_eq!(user["createdAt"], "2026-05-01T18:00:00.000Z");
    assert_eq!(user.as_object().unwrap().len(), 8);
    assert_eq!(ada.get("/api/user").await.expect(200)["user"], *user);
}

#[tokio::test]
async fn scripts_and_other_sites_cannot_use_the_cookie() {
    let app = TestApp::start().await;
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Ada" });
    let answer = app.anonymous().post("/api/auth/register", body.clone()).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("farthing_session="), "{cookie}");
    for attribute in ["; Path=/;", "; HttpOnly;", "; SameSite=Lax;"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");

    let app = TestApp::start_with(|settings| settings.public_url = "https://bids.example".parse().ok()).await;
    let answer = app.anonymous().post("/api/auth/register", body).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-farthing_session=") && cookie.contains("; Secure;"), "{cookie}");
}

#[tokio::test]
async fn an_email_is_unique_in_any_case() {
    let app = TestApp::start().await;
    app.user("ada").await;
    let body = json!({ "email": "ADA@example.ORG", "password": PASSWORD, "name": "Ada" });
    app.anonymous().post("/api/auth/register", body).await.expect_problem(409, "EMAIL_TAKEN");
}

#[tokio::test]
async fn one_of_several_concurrent_registrations_gets_the_email() {
    let app = TestApp::start().await;
    let clients: Vec<_> = (0..5).map(|_| app.anonymous()).collect();
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Ada" });
    let tries = clients.iter().map(|client| client.post("/api/auth/register", body.clone()));
    let answers = futures::future::join_all(tries).await;
    let count = |status: u16| answers.iter().filter(|answer| answer.status.as_u16() == status).count();
    assert_eq!((count(201), count(409)), (1, 4));
}

#[tokio::test]
async fn every_invalid_field_is_named() {
    let app = TestApp::start().await;
    let body = json!({ "email": "ada", "password": "short", "name": " " });
    let problem = app.anonymous().post("/api/auth/register", body).await.expect_problem(422, "INVALID_BODY");
    let fields = problem["details"]["fields"].as_array().unwrap();
    let paths: Vec<_> = fields.iter().map(|field| field["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["name", "email", "password"]);
}

#[tokio::test]
async fn null_is_absent_and_unknown_members_are_named() {
    let app = TestApp::start().await;
    let path = |body| async {
        let answer = app.anonymous().post("/api/auth/register", body).await;
        let problem = answer.expect_problem(422, "INVALID_BODY");
        problem["details"]["fields"][0]["path"].as_str().unwrap().to_owned()
    };
    let whole = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Ada" });
    for member in ["email", "password", "name"] {
        let mut body = whole.clone();
        body[member] = json!(null);
        assert_eq!(path(body.clone()).await, member);
        body[member] = json!(7);
        assert_eq!(path(body.clone()).await, member);
        body.as_object_mut().unwrap().remove(member);
        assert_eq!(path(body).await, member);
    }
    let mut body = whole;
    body["isAdmin"] = json!(true);
    assert_eq!(path(body).await, "isAdmin");
}

async fn try_register(app: &TestApp, name: &str, invite_token: Option<&str>) -> Answer {
    let email = format!("{name}@example.org");
    let mut body = json!({"email": email, "password": PASSWORD, "name": name});
    if let Some(token) = invite_token {
        body["inviteToken"] = json!(token);
    }
    app.anonymous().post("/api/auth/register", body).await
}

#[tokio::test]
async fn without_open_registration_an_invite_or_a_link_admits() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "LINK"})).await;
    let token = ada.get(&path).await.expect(200)["inviteToken"].as_str().unwrap().to_owned();
    let to_bob = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    let to_cleo = invite(&ada, &path, "cleo@example.org", "BIDDER").await;
    let cleos = to_cleo["token"].as_str().unwrap();

    let app = app.restart_with(|settings| settings.registration = RegistrationPolicy::Invited).await;
    let ada = ada.at(app.address);
    for guess in [None, Some("guess"), Some("")] {
        try_register(&app, "eve", guess).await.expect_problem(403, "REGISTRATION_CLOSED");
    }
    // The e-mail of an invite admits nobody by itself: anyone can type it.
    try_register(&app, "bob", None).await.expect_problem(403, "REGISTRATION_CLOSED");
    try_register(&app, "bob", to_bob["token"].as_str()).await.expect(201);
    try_register(&app, "dan", Some(cleos)).await.expect(201);
    try_register(&app, "eve", Some(&token)).await.expect(201);
    ada.post(&format!("{path}/invite-token"), json!({})).await.expect(200);
    try_register(&app, "finn", Some(&token)).await.expect_problem(403, "REGISTRATION_CLOSED");
    app.clock.advance_seconds(7 * 24 * 3600);
    try_register(&app, "cleo", Some(cleos)).await.expect_problem(403, "REGISTRATION_CLOSED");
}

#[tokio::test]
async fn closed_registration_admits_nobody() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let sent = invite(&ada, &path, "bob@example.org", "BIDDER").await;
    let app = app.restart_with(|settings| settings.registration = RegistrationPolicy::Closed).await;
    let refused = try_register(&app, "bob", sent["token"].as_str()).await;
    refused.expect_problem(403, "REGISTRATION_CLOSED");
    try_register(&app, "ada", None).await.expect_problem(403, "REGISTRATION_CLOSED");
}

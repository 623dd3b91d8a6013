//! A guesser shuts out nobody else.

use installation::config::{Settings, Switch};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auth::reset_password::link_for;
use crate::routes::system::settings::claim;

const LOGIN: &str = "/api/auth/login";

/// A server with rate limits, behind a proxy that names its clients.
async fn start() -> TestApp {
    TestApp::start_with(limited).await
}

fn limited(settings: &mut Settings) {
    settings.rate_limits = Switch::On;
    settings.trusted_proxies = "127.0.0.1".parse().unwrap();
}

fn credentials(name: &str, password: &str) -> Value {
    json!({ "email": format!("{name}@example.org"), "password": password })
}

async fn send(client: &Client, address: &str, path: &str, body: Value) -> Answer {
    Answer::of(client.request("POST", path).header("x-forwarded-for", address).json(&body)).await
}

async fn sign_in(client: &Client, address: &str, name: &str, password: &str) -> Answer {
    send(client, address, LOGIN, credentials(name, password)).await
}

/// Guesses the password of an account until the limit is reached.
async fn guess(app: &TestApp, address: &str, name: &str) {
    let client = app.anonymous();
    for _ in 0..10 {
        sign_in(&client, address, name, "wrong horse").await.expect_problem(401, "INVALID_CREDENTIALS");
    }
    let refused = sign_in(&client, address, name, "wrong horse").await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), "12");
}

#[tokio::test]
async fn guesses_from_elsewhere_do_not_refuse_a_first_sign_in() {
    let app = start().await;
    app.user("ada").await;
    guess(&app, "203.0.113.1", "ada").await;
    sign_in(&app.anonymous(), "198.51.100.7", "ada", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn guesses_about_others_do_not_refuse_those_behind_the_same_address() {
    let app = start().await;
    let (hall, guesser, ada) = ("203.0.113.1", app.anonymous(), app.user("ada").await);
    for n in 0..40 {
        sign_in(&guesser, hall, &format!("nobody{n}"), PASSWORD)
            .await
            .expect_problem(401, "INVALID_CREDENTIALS");
    }
    sign_in(&app.anonymous(), hall, "ada", PASSWORD).await.expect(200);
    let mut body = credentials("bob", PASSWORD);
    body["name"] = json!("Bob");
    send(&app.anonymous(), hall, "/api/auth/register", body).await.expect(201);
    let rename = ada.request("PATCH", "/api/user").header("x-forwarded-for", hall);
    Answer::of(rename.json(&json!({ "name": "Ada L." }))).await.expect(200);
}

#[tokio::test]
async fn a_browser_that_has_signed_in_before_is_not_refused_for_guesses_of_others() {
    let app = start().await;
    let hall = "203.0.113.1";
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    for client in [&ada, &bob] {
        Answer::of(client.request("POST", "/api/auth/logout")).await.expect(204);
    }
    guess(&app, hall, "ada").await;
    sign_in(&ada, hall, "ada", PASSWORD).await.expect(200);
    let stranger = sign_in(&app.anonymous(), hall, "ada", PASSWORD).await;
    stranger.expect_problem(429, "TOO_MANY_REQUESTS");
    let other = sign_in(&bob, hall, "ada", PASSWORD).await;
    other.expect_problem(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn every_server_knows_a_browser_that_has_signed_in_before() {
    let here = TestApp::start_on_postgres_with(limited).await;
    let (there, hall, ada) = (here.another().await, "203.0.113.1", here.user("ada").await);
    guess(&there, hall, "ada").await;
    sign_in(&ada.at(there.address), hall, "ada", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_known_browser_has_a_limit_of_its_own() {
    let app = start().await;
    let ada = app.user("ada").await;
    for _ in 0..10 {
        sign_in(&ada, "203.0.113.1", "ada", "wrong horse").await.expect_problem(401, "INVALID_CREDENTIALS");
    }
    let refused = sign_in(&ada, "198.51.100.7", "ada", PASSWORD).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    sign_in(&app.anonymous(), "203.0.113.1", "ada", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn after_a_new_password_no_browser_is_known() {
    const NEW: &str = "another horse entirely";
    let app = start().await;
    let (ada, bob, hall) = (app.user("ada").await, app.user("bob").await, "203.0.113.1");
    claim(&ada, "ada@example.org").await;
    let change = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    ada.post("/api/user/password", change).await.expect(204);
    let reset = json!({ "token": link_for(&ada, &bob).await, "password": NEW });
    app.anonymous().post("/api/auth/reset-password", reset).await.expect(204);
    for (name, client) in [("ada", &ada), ("bob", &bob)] {
        guess(&app, hall, name).await;
        sign_in(client, hall, name, NEW).await.expect_problem(429, "TOO_MANY_REQUESTS");
    }
}

#[tokio::test]
async fn the_cookie_of_a_known_browser_is_private_and_stays_at_sign_out() {
    let app = TestApp::start_with(|settings| settings.public_url = "https://bids.example".parse().ok()).await;
    let mut body = credentials("ada", PASSWORD);
    body["name"] = json!("Ada");
    let registered = app.anonymous().post("/api/auth/register", body).await;
    let signed_in = app.anonymous().post(LOGIN, credentials("ada", PASSWORD)).await;
    for answer in [registered, signed_in] {
        let cookies: Vec<_> =
            answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
        let [_, device] = cookies[..] else { panic!("{cookies:?}") };
        assert!(device.starts_with("__Host-farthing_device="), "{device}");
        for attribute in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age=34560000"] {
            assert!(device.contains(attribute), "{device}");
        }
    }
    let signed_out = Answer::of(app.anonymous().request("POST", "/api/auth/logout")).await;
    assert!(!signed_out.header("set-cookie").contains("device"));
}

#[tokio::test]
async fn answers_that_an_email_is_taken_are_limited_and_free_ones_register() {
    let app = start().await;
    app.user("ada").await;
    let register = async |name: &str| {
        let mut body = credentials(name, PASSWORD);
        body["name"] = json!("Ada");
        send(&app.anonymous(), "203.0.113.1", "/api/auth/register", body).await
    };
    for _ in 0..100 {
        register("ada").await.expect_problem(409, "EMAIL_TAKEN");
    }
    register("ada").await.expect_problem(429, "TOO_MANY_REQUESTS");
    register("bob").await.expect(201);
}

#[tokio::test]
async fn right_passwords_are_limited_widely() {
    let app = start().await;
    app.user("ada").await;
    // A registration costs none.
    let client = app.anonymous();
    for _ in 0..60 {
        sign_in(&client, "203.0.113.1", "ada", PASSWORD).await.expect(200);
    }
    let refused = sign_in(&client, "203.0.113.1", "ada", PASSWORD).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    app.clock.advance_seconds(5);
    sign_in(&client, "203.0.113.1", "ada", PASSWORD).await.expect(200);
}

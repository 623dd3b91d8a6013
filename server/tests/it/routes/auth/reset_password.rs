use installation::config::Switch;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::system::settings::claim;

const PATH: &str = "/api/auth/reset-password";
const NEW: &str = "another horse entirely";

fn new_password(token: &str) -> Value {
    json!({ "token": token, "password": NEW })
}

/// The secret part of a new link for the user, made by the Deployment Admin.
pub async fn link_for(admin: &Client, user: &Client) -> String {
    let id = user.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/system/users/{id}/reset-link");
    let made = Answer::of(admin.request("POST", &path)).await.expect(200);
    made["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_link_sets_the_password_once_and_ends_every_session() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    claim(&ada, "ada@example.org").await;
    let (token, client) = (link_for(&ada, &bob).await, app.anonymous());
    client.post(PATH, new_password(&token)).await.expect(204);
    bob.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let login = |password: &str| json!({ "email": "bob@example.org", "password": password });
    client.post("/api/auth/login", login(PASSWORD)).await.expect_problem(401, "INVALID_CREDENTIALS");
    client.post("/api/auth/login", login(NEW)).await.expect(200);
    client.post(PATH, new_password(&token)).await.expect_problem(422, "TOKEN_INVALID");
    client.get("/api/user").await.expect(200);
    ada.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn a_refused_password_does_not_use_up_the_link() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    let token = link_for(&ada, &ada).await;
    for body in [
        json!({ "token": token, "password": "sh0rt!" }),
        json!({ "token": token, "password": "x".repeat(257) }),
        json!({ "token": token }),
        json!({ "password": NEW }),
        json!({ "token": token, "password": NEW, "email": "ada@example.org" }),
        json!({ "token": null, "password": NEW }),
    ] {
        app.anonymous().post(PATH, body).await.expect_problem(422, "INVALID_BODY");
    }
    app.anonymous().post(PATH, new_password(&token)).await.expect(204);
}

#[tokio::test]
async fn an_expired_link_and_another_text_are_refused_alike() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    let expired = link_for(&ada, &ada).await;
    app.clock.advance_seconds(3600);
    let mut details = Vec::new();
    for token in [expired.as_str(), "nonsense", "", "\u{0}"] {
        let answer = app.anonymous().post(PATH, new_password(token)).await;
        details.push(answer.expect_problem(422, "TOKEN_INVALID")["detail"].clone());
    }
    details.dedup();
    assert_eq!(details.len(), 1, "{details:?}");
    ada.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn links_that_do_not_work_are_limited_per_address_and_others_work() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let mut statuses = Vec::new();
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    let link = link_for(&ada, &ada).await;
    for n in 0..102 {
        statuses.push(app.anonymous().post(PATH, new_password(&n.to_string())).await.status.as_u16());
    }
    assert_eq!(statuses, [[422; 100].as_slice(), &[429; 2]].concat());
    app.anonymous().post(PATH, new_password(&link)).await.expect(204);
}

#[tokio::test]
async fn another_site_can_not_set_a_password() {
    let app = TestApp::start().await;
    let request = app.anonymous().request("POST", PATH).header("origin", "https://evil.example");
    Answer::of(request.json(&new_password("x"))).await.expect_problem(403, "CROSS_SITE");
}

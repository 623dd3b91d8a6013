use serde_json::{Value, json};

use super::settings::{administered, claim, log};
use crate::harness::{Answer, Client, Events, PASSWORD, TestApp};
use crate::routes::auctions::auction;

const PATH: &str = "/api/system/users";

async fn path_of(user: &Client) -> String {
    let id = user.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    format!("{PATH}/{id}")
}

async fn link(admin: &Client, user: &str) -> Answer {
    Answer::of(admin.request("POST", &format!("{user}/reset-link"))).await
}

fn disabled(is_disabled: bool) -> Value {
    json!({ "disabled": is_disabled })
}

fn names(listed: &Value) -> Vec<&str> {
    listed["users"].as_array().unwrap().iter().map(|user| user["name"].as_str().unwrap()).collect()
}

async fn sign_in(client: &Client, name: &str) -> Answer {
    let body = json!({ "email": format!("{name}@example.org"), "password": PASSWORD });
    client.post("/api/auth/login", body).await
}

#[tokio::test]
async fn the_admin_lists_and_finds_accounts() {
    let (app, ada, bob) = administered().await;
    app.clock.advance_seconds(60);
    sign_in(&bob, "bob").await.expect(200);
    let listed = ada.get(PATH).await.expect(200);
    assert_eq!(names(&listed), ["ada", "bob"]);
    let id = bob.get("/api/user").await.expect(200)["user"]["id"].clone();
    let expected = json!({
        "id": id,
        "email": "bob@example.org",
        "name": "bob",
        "createdAt": "2026-05-01T18:00:00.000Z",
        "lastSignInAt": "2026-05-01T18:01:00.000Z",
        "disabled": false,
    });
    assert_eq!(listed["users"][1], expected);
    assert_eq!(names(&ada.get(&format!("{PATH}?q=BO%62")).await.expect(200)), ["bob"]);
    assert_eq!(names(&ada.get(&format!("{PATH}?q=")).await.expect(200)), ["ada", "bob"]);
    assert_eq!(names(&ada.get(&format!("{PATH}?q=nobody")).await.expect(200)), [] as [&str; 0]);
    bob.get(PATH).await.expect_problem(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_disabled_user_is_signed_out_and_can_not_sign_in() {
    let (app, ada, bob) = administered().await;
    let path = path_of(&bob).await;
    let changed = ada.patch(&path, disabled(true)).await.expect(200);
    assert_eq!((&changed["user"]["name"], &changed["user"]["disabled"]), (&json!("bob"), &json!(true)));
    bob.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");

    // The answer is that to a wrong password.
    let wrong = json!({ "email": "bob@example.org", "password": "wrong horse" });
    let wrong = app.anonymous().post("/api/auth/login", wrong).await;
    let right = sign_in(&app.anonymous(), "bob").await;
    let detail = |answer: &Answer| answer.expect_problem(401, "INVALID_CREDENTIALS")["detail"].clone();
    assert_eq!(detail(&right), detail(&wrong));

    // Nor can the role be transferred to a disabled account.
    let transfer = json!({ "deploymentAdminEmail": "bob@example.org" });
    ada.patch("/api/system/settings", transfer).await.expect_problem(422, "USER_NOT_REGISTERED");
    assert_eq!(ada.patch(&path, json!({})).await.expect(200), changed);
    assert_eq!(ada.patch(&path, disabled(true)).await.expect(200), changed);
    ada.patch(&path, disabled(false)).await.expect(200);
    bob.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    sign_in(&bob, "bob").await.expect(200);
    assert_eq!(
        log(&app).await,
        ["ada ACCOUNT_ENABLED bob -", "ada ACCOUNT_DISABLED bob -", "ada CLAIMED - -"]
    );
}

#[tokio::test]
async fn a_stream_of_a_disabled_user_ends() {
    let (_app, ada, bob) = administered().await;
    let auction = auction(&bob, json!({ "name": "Attic" })).await;
    let mut events = Events::open(&bob, &format!("{auction}/events")).await;
    ada.patch(&path_of(&bob).await, disabled(true)).await.expect(200);
    assert_eq!(events.next().await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_server_ends_the_sessions_of_a_disabled_user() {
    let app = TestApp::start_on_postgres().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    claim(&ada, "ada@example.org").await;
    let other = app.another().await;
    let (there, path) = (bob.at(other.address), path_of(&bob).await);
    there.get("/api/user").await.expect(200);
    ada.patch(&path, disabled(true)).await.expect(200);
    // The clock stands still, so the session leaves the other server's cache only by the notification.
    let ended = async { while there.get("/api/user").await.status != 401 {} };
    tokio::time::timeout(std::time::Duration::from_secs(5), ended).await.unwrap();
}

#[tokio::test]
async fn the_admin_can_not_be_disabled() {
    let (app, ada, bob) = administered().await;
    let path = path_of(&ada).await;
    ada.patch(&path, disabled(true)).await.expect_problem(409, "DEPLOYMENT_ADMIN");
    assert_eq!(ada.patch(&path, disabled(false)).await.expect(200)["user"]["disabled"], false);
    ada.get("/api/user").await.expect(200);
    bob.patch(&path, disabled(true)).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(log(&app).await.len(), 1);
}

#[tokio::test]
async fn an_invalid_request_changes_nothing() {
    let (_app, ada, bob) = administered().await;
    let path = path_of(&bob).await;
    for body in [
        json!({ "disabled": null }),
        json!({ "disabled": "true" }),
        json!({ "disabled": true, "name": "Bob" }),
        json!([]),
    ] {
        ada.patch(&path, body).await.expect_problem(422, "INVALID_BODY");
    }
    for unknown in ["0198a6f0-5c1e-7d3a-9b1f-3f0e7c2a4d11", "bob"] {
        let unknown = format!("{PATH}/{unknown}");
        ada.patch(&unknown, disabled(true)).await.expect_problem(404, "NOT_FOUND");
        link(&ada, &unknown).await.expect_problem(404, "NOT_FOUND");
    }
    bob.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn a_link_has_the_address_of_the_site_and_is_in_the_log_without_its_secret() {
    let (app, ada, bob) = administered().await;
    let path = path_of(&bob).await;
    let made = link(&ada, &path).await.expect(200);
    assert_eq!(made["expiresAt"], "2026-05-01T19:00:00.000Z");
    let url = made["url"].as_str().unwrap();
    let start = format!("http://{}/reset-password/", app.address);
    assert!(url.strip_prefix(&start).is_some_and(|token| token.len() == 64), "{url}");
    assert_eq!(log(&app).await[0], "ada RESET_LINK bob -");
}

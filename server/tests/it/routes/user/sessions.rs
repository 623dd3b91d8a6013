use std::net::Ipv4Addr;

use accounts::session;
use accounts::session::Visitor;
use auction_house::ids::UserId;
use platform::net::ClientAddress;
use platform::time::Clock;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};

const PATH: &str = "/api/user/sessions";

async fn sessions(client: &Client) -> Vec<Value> {
    client.get(PATH).await.expect(200)["sessions"].as_array().unwrap().clone()
}

/// The path of the session of this client.
async fn path_of_current(client: &Client) -> String {
    let sessions = sessions(client).await;
    let current = sessions.iter().find(|session| session["current"] == true).unwrap();
    format!("{PATH}/{}", current["id"].as_str().unwrap())
}

/// Signs in as Ada with this user agent.
async fn sign_in(app: &TestApp, user_agent: &str) -> Client {
    let client = app.anonymous();
    let login = json!({ "email": "ada@example.org", "password": PASSWORD });
    let request = client.request("POST", "/api/auth/login").header("user-agent", user_agent);
    Answer::of(request.json(&login)).await.expect(200);
    client
}

#[tokio::test]
async fn the_list_has_the_users_sessions_with_the_last_used_first() {
    let app = TestApp::start().await;
    let (first, _) = (app.user("ada").await, app.user("bob").await);
    app.clock.advance_seconds(60);
    let second = sign_in(&app, &format!("Browser\t{}", "x".repeat(300))).await;
    let listed = sessions(&second).await;
    let id = |at: usize| listed[at]["id"].as_str().unwrap();
    let long = format!("Browser{}", "x".repeat(249));
    let expected = [
        json!({
            "id": id(0), "createdAt": "2026-05-01T18:01:00.000Z", "lastUsedAt": "2026-05-01T18:01:00.000Z",
            "address": "127.0.0.1", "userAgent": long, "current": true,
        }),
        json!({
            "id": id(1), "createdAt": "2026-05-01T18:00:00.000Z", "lastUsedAt": "2026-05-01T18:00:00.000Z",
            "address": "127.0.0.1", "userAgent": null, "current": false,
        }),
    ];
    assert_eq!(listed, expected);
    assert_eq!(sessions(&first).await[1]["current"], true);
    app.anonymous().get(PATH).await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_user_ends_their_own_sessions_only() {
    let app = TestApp::start().await;
    let (here, bob) = (app.user("ada").await, app.user("bob").await);
    let there = sign_in(&app, "Browser").await;
    for path in [path_of_current(&bob).await, format!("{PATH}/nonsense")] {
        here.delete(&path).await.expect_problem(404, "NOT_FOUND");
    }
    let path = path_of_current(&there).await;
    app.anonymous().delete(&path).await.expect_problem(401, "UNAUTHENTICATED");
    let ended = here.delete(&path).await;
    ended.expect(204);
    assert_eq!(ended.header("set-cookie"), "");
    there.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    bob.get("/api/user").await.expect(200);
    assert_eq!(sessions(&here).await.len(), 1);
    here.delete(&path).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn ending_the_current_session_signs_out_and_ends_the_cookie() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = path_of_current(&ada).await;
    let ended = ada.delete(&path).await;
    ended.expect(204);
    let cookie = ended.header("set-cookie");
    assert!(cookie.starts_with("farthing_session=;") && cookie.contains("Max-Age=0"), "{cookie}");
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_use_of_a_session_is_recorded_once_an_hour() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (seconds, last_used) in [
        (3599, "2026-05-01T18:00:00.000Z"),
        (1, "2026-05-01T18:00:00.000Z"),
        (5, "2026-05-01T19:00:05.000Z"),
        (3599, "2026-05-01T19:00:05.000Z"),
        (5, "2026-05-01T20:00:09.000Z"),
    ] {
        app.clock.advance_seconds(seconds);
        assert_eq!(sessions(&ada).await[0]["lastUsedAt"], last_used, "after {seconds} s more");
    }
}

#[tokio::test]
async fn a_session_that_is_used_every_week_lasts_for_ninety_days() {
    const DAY: i64 = 24 * 60 * 60;
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for _ in 0..12 {
        app.clock.advance_seconds(7 * DAY);
        ada.get("/api/user").await.expect(200);
    }
    app.clock.advance_seconds(7 * DAY);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_user_has_at_most_fifty_sessions() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let id: UserId = ada.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().parse().unwrap();
    let address = ClientAddress::of(Ipv4Addr::LOCALHOST.into());
    let visitor = Visitor { address, session: None, user_agent: None, device: None };
    let begin = async || {
        app.clock.advance_seconds(1);
        let now = app.clock.now();
        let mut db = app.state.context.db.write().await.unwrap();
        session::begin(&mut db, id, &visitor, now).await.unwrap();
        db.commit().await.unwrap();
    };
    for _ in 1..50 {
        begin().await;
    }
    assert_eq!(sessions(&ada).await.len(), 50);
    begin().await;
    // The server reads once a second what has changed.
    while ada.get("/api/user").await.status != 401 {}
    assert_eq!(sessions(&sign_in(&app, "Browser").await).await.len(), 50);
}

/// A script that signs in for each call ends its own sessions.
#[tokio::test]
async fn a_session_in_use_outlives_those_that_a_script_begins() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for call in 0..53 {
        app.clock.advance_seconds(10);
        sign_in(&app, &format!("Script {call}")).await;
        ada.get("/api/user").await.expect(200);
    }
    assert_eq!(sessions(&ada).await.len(), 50);
}

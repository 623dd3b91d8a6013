//! Passwords that are refused, and hashes that are renewed.

use platform::db::query_scalar;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, TestApp};
use crate::routes::auth::reset_password::link_for;
use crate::routes::system::settings::claim;

/// The message about the member `path`.
fn message(answer: &Answer, path: &str) -> String {
    let problem = answer.expect_problem(422, "INVALID_BODY");
    let fields = problem["details"]["fields"].as_array().unwrap();
    let [field] = &fields[..] else { panic!("{problem}") };
    assert_eq!(field["path"], path);
    field["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_common_password_is_refused_everywhere() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    let token = link_for(&ada, &ada).await;
    for (client, path, member, body) in [
        (
            app.anonymous(),
            "/api/auth/register",
            "password",
            json!({ "email": "bob@example.org", "name": "Bob" }),
        ),
        (app.anonymous(), "/api/auth/reset-password", "password", json!({ "token": token })),
        (ada, "/api/user/password", "newPassword", json!({ "currentPassword": PASSWORD })),
    ] {
        for common in ["password", "12345678", "Qwertyuiop", "aaaaaaaa"] {
            let mut body: Value = body.clone();
            body[member] = json!(common);
            let message = message(&client.post(path, body).await, member);
            assert!(message.starts_with("Many people use"), "{path}: {message}");
        }
    }
}

#[tokio::test]
async fn a_password_of_the_context_is_refused() {
    let app = TestApp::start().await;
    for password in [
        "Summer2026",
        "correcthorse",
        "abcdefgh",
        "farthing1",
        "qwer1234",
        "lovelace-99",
        "Ada2026!",
        "guild2026",
    ] {
        let body = json!({"email": "ada@guild.example", "name": "Ada Lovelace", "password": password});
        let refused = message(&app.anonymous().post("/api/auth/register", body).await, "password");
        assert!(refused.ends_with('.'), "{password}: {refused}");
    }
    let body =
        json!({"email": "ada@guild.example", "name": "Ada Lovelace", "password": "seven brass farthings"});
    app.anonymous().post("/api/auth/register", body).await.expect(201);
}

#[tokio::test]
async fn the_own_email_and_name_are_refused_everywhere() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    ada.patch("/api/user", json!({ "name": "Ada Lovelace" })).await.expect(200);
    let token = link_for(&ada, &ada).await;
    let register = json!({ "email": "ada.l@example.org", "name": "Ada Lovelace" });
    for (client, path, member, body, email) in [
        (app.anonymous(), "/api/auth/register", "password", register, "ADA.L@example.org"),
        (
            app.anonymous(),
            "/api/auth/reset-password",
            "password",
            json!({ "token": token }),
            "Ada@example.org",
        ),
        (ada, "/api/user/password", "newPassword", json!({ "currentPassword": PASSWORD }), "Ada@example.org"),
    ] {
        for own in [email, "ada lovelace", "AdaLovelace"] {
            let mut body: Value = body.clone();
            body[member] = json!(own);
            let message = message(&client.post(path, body).await, member);
            assert!(message.ends_with("neither your e-mail nor your name."), "{path}: {message}");
        }
    }
}

#[tokio::test]
async fn it_does_not_matter_how_accents_are_typed() {
    let app = TestApp::start().await;
    let (composed, decomposed) = ("\u{c9}tude en r\u{e9}", "E\u{301}tude en re\u{301}");
    let email = "\u{e9}tude@example.org";
    let body = json!({ "email": email, "password": composed, "name": "Ada" });
    app.anonymous().post("/api/auth/register", body).await.expect(201);
    let body = json!({ "email": "e\u{301}tude@example.org", "password": decomposed });
    app.anonymous().post("/api/auth/login", body).await.expect(200);
}

#[tokio::test]
async fn a_letter_that_looks_like_another_takes_no_email() {
    let app = TestApp::start().await;
    let register = async |email: &str| {
        let body = json!({ "email": email, "password": PASSWORD, "name": "Kate" });
        app.anonymous().post("/api/auth/register", body).await
    };
    register("\u{212a}ate@example.org").await.expect_problem(422, "INVALID_BODY");
    register("kate@example.org").await.expect(201);
}

#[tokio::test]
async fn signing_in_renews_a_hash_with_lower_parameters() {
    let app = TestApp::start().await;
    app.user("ada").await;
    // Of the password, with 8 MiB and one pass.
    app.write(
        "UPDATE users SET password_hash =
         '$argon2id$v=19$m=8192,t=1,p=1$ZmFydGhpbmctd2Vhay0wMA$c1wzCA2VyahuZbzJZKPU4I99ESpKQY0bfcWuCz4Z5SQ'",
    )
    .await;
    let sign_in = async |password: &str| {
        let body = json!({ "email": "ada@example.org", "password": password });
        app.anonymous().post("/api/auth/login", body).await
    };
    let kept = async || {
        let mut db = app.state.context.db.read().await.unwrap();
        query_scalar("SELECT password_hash FROM users").fetch_one::<String>(&mut db).await.unwrap()
    };
    sign_in("wrong horse").await.expect_problem(401, "INVALID_CREDENTIALS");
    assert!(kept().await.contains("m=8192,"));
    sign_in(PASSWORD).await.expect(200);
    assert!(kept().await.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    sign_in(PASSWORD).await.expect(200);
}

use installation::config::Switch;
use serde_json::{Value, json};

use crate::harness::{PASSWORD, TestApp};

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

#[tokio::test]
async fn signs_in_with_the_email_in_any_case() {
    let app = TestApp::start().await;
    app.user("ada").await;
    let client = app.anonymous();
    let answer = client.post("/api/auth/login", credentials(" ADA@example.org", PASSWORD)).await;
    assert_eq!(answer.expect(200)["user"]["name"], "ada");
    client.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn a_failed_sign_in_does_not_reveal_the_reason() {
    let app = TestApp::start().await;
    app.user("ada").await;
    let mut known =
        app.anonymous().post("/api/auth/login", credentials("ada@example.org", "wrong horse")).await;
    for email in ["bob@example.org", "nonsense", ""] {
        let other = app.anonymous().post("/api/auth/login", credentials(email, PASSWORD)).await;
        let (mut a, mut b) = (
            known.expect_problem(401, "INVALID_CREDENTIALS"),
            other.expect_problem(401, "INVALID_CREDENTIALS"),
        );
        a["requestId"] = json!(null);
        b["requestId"] = json!(null);
        assert_eq!(a, b);
        known = other;
    }
}

#[tokio::test]
async fn signing_in_starts_a_new_session() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let old = ada.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await;
    let old = old.header("set-cookie").split(';').next().unwrap().to_owned();
    let new = ada.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await;
    assert_ne!(new.header("set-cookie").split(';').next().unwrap(), old);
    ada.get("/api/user").await.expect(200);
    let thief = app.anonymous();
    let answer = crate::harness::Answer::of(thief.request("GET", "/api/user").header("cookie", old)).await;
    answer.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_session_expires() {
    const DAY: i64 = 24 * 60 * 60;
    let app = TestApp::start().await;
    let (idle, busy) = (app.user("idle").await, app.user("busy").await);
    for _ in 0..8 {
        app.clock.advance_seconds(11 * DAY);
        busy.get("/api/user").await.expect(200);
    }
    idle.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    app.clock.advance_seconds(2 * DAY);
    busy.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn wrong_passwords_for_one_account_are_limited() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    app.user("ada").await;
    let bob = app.user("bob").await;
    let guess = |password: &'static str| async {
        app.anonymous().post("/api/auth/login", credentials("ada@example.org", password)).await
    };
    for _ in 0..10 {
        guess("wrong horse").await.expect_problem(401, "INVALID_CREDENTIALS");
    }
    let refused = guess(PASSWORD).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    bob.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await.expect(200);
    app.clock.advance_seconds(wait);
    guess(PASSWORD).await.expect(200);
}

/// The Deployment Admin sees guesses, and where they come from.
#[tokio::test]
async fn sign_ins_and_changes_of_credentials_are_in_the_audit_log() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let client = app.anonymous();
    for (email, password) in
        [("ada@example.org", "wrong horse"), ("nobody@example.org", PASSWORD), ("ada@example.org", PASSWORD)]
    {
        client.post("/api/auth/login", credentials(email, password)).await;
    }
    let email = json!({"email": "ada@example.net", "currentPassword": PASSWORD});
    ada.patch("/api/user", email).await.expect(200);
    let password = json!({"currentPassword": PASSWORD, "newPassword": "another horse entirely"});
    ada.post("/api/user/password", password).await.expect(204);
    let delete = json!({"password": "another horse entirely"});
    let mut db = app.state.context.db.read().await.unwrap();
    let entries = accounts::audit::latest_of_people(&mut db, 20).await.unwrap();
    assert!(entries.iter().all(|entry| entry.address.as_deref() == Some("127.0.0.1")), "{entries:?}");
    let words: Vec<_> = entries
        .into_iter()
        .rev()
        .map(|entry| format!("{} {}", entry.action, entry.subject.unwrap_or_default()))
        .collect();
    let expected = [
        "REGISTERED ada",
        "SIGN_IN_FAILED ada",
        "SIGN_IN_FAILED ",
        "SIGN_IN ada",
        "EMAIL_CHANGED ada",
        "PASSWORD_CHANGED ada",
    ];
    assert_eq!(words, expected);
    ada.send("DELETE", "/api/user", delete).await.expect(204);
    let last = accounts::audit::latest_of_people(&mut db, 1).await.unwrap().remove(0);
    assert_eq!((last.action.as_str(), last.subject.as_deref()), ("ACCOUNT_DELETED", Some("deleted user")));
}

/// A trigger raises the error of a full disk.
#[tokio::test]
async fn a_full_disk_is_named_to_those_whom_it_keeps_out() {
    let app = TestApp::start_on_postgres().await;
    let ada = app.user("ada").await;
    for statement in [
        "CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$",
        "CREATE TRIGGER is_full BEFORE INSERT ON sessions EXECUTE FUNCTION be_full()",
    ] {
        app.write(statement).await;
    }
    let login = json!({ "email": "ada@example.org", "password": PASSWORD });
    let refused = app.anonymous().post("/api/auth/login", login).await;
    let problem = refused.expect_problem(507, "STORAGE_FULL");
    assert!(problem["detail"].as_str().unwrap().contains("nobody can sign in"), "{problem}");
    assert_eq!(refused.header("retry-after"), "30");
    ada.get("/api/user").await.expect(200);
}

//! A mail about an account is written in the transaction of its cause: where the outbox takes none, nothing
//! is changed.

use platform::db::Sql;
use serde_json::{Value, json};

use super::sends_through;
use crate::harness::database::is_postgres;
use crate::harness::{Client, PASSWORD, SmtpServer, TestApp};
use crate::routes::auth::reset_password::link_for;
use crate::routes::groups::Group;
use crate::routes::system::settings::claim;
use crate::routes::user::second_factor::App;

const NEW: &str = "another horse entirely";

/// An installation that sends mail, and whose outbox may be broken.
struct Post {
    app: TestApp,
    _smtp: SmtpServer,
}

impl Post {
    async fn start() -> Self {
        let smtp = SmtpServer::start().await;
        Self { app: TestApp::start_with(sends_through(&smtp.url())).await, _smtp: smtp }
    }

    async fn break_outbox(app: &TestApp) {
        if is_postgres() {
            app.write(
                "CREATE OR REPLACE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql
                 AS 'BEGIN RAISE ''no room''; END'",
            )
            .await;
        }
        app.write(Sql {
            sqlite: "CREATE TRIGGER broken BEFORE INSERT ON mails BEGIN SELECT RAISE(ABORT, 'no room'); END",
            postgres: "CREATE TRIGGER broken BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION broken()",
        })
        .await;
    }

    async fn mend_outbox(app: &TestApp) {
        app.write(Sql { sqlite: "DROP TRIGGER broken", postgres: "DROP TRIGGER broken ON mails" }).await;
    }

    /// Sends the request with a broken outbox, which it needs, and again with a mended one. Returns the
    /// answer.
    async fn fails_whole(
        app: &TestApp,
        client: &Client,
        (method, path): (&str, &str),
        body: Value,
        unchanged: impl AsyncFn(),
    ) -> Value {
        Self::break_outbox(app).await;
        let failed = client.send(method, path, body.clone()).await;
        assert!(failed.status.is_server_error(), "{method} {path} needs no outbox: {}", failed.text);
        unchanged().await;
        Self::mend_outbox(app).await;
        let done = client.send(method, path, body).await;
        assert!(done.status.is_success(), "{method} {path}: {}", done.text);
        if done.text.is_empty() { Value::Null } else { done.json() }
    }
}

async fn signs_in(app: &TestApp, email: &str, password: &str) -> bool {
    let body = json!({ "email": email, "password": password });
    app.anonymous().post("/api/auth/login", body).await.status == 200
}

#[tokio::test]
async fn without_a_mail_neither_a_password_nor_an_e_mail_is_changed() {
    let Post { app, _smtp } = Post::start().await;
    let ada = app.user("ada").await;
    app.confirm_emails().await;
    let change = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    let kept = async || assert!(signs_in(&app, "ada@example.org", PASSWORD).await);
    Post::fails_whole(&app, &ada, ("POST", "/api/user/password"), change, kept).await;
    assert!(signs_in(&app, "ada@example.org", NEW).await);

    let patch = json!({ "email": "countess@example.org", "currentPassword": NEW });
    let kept = async || {
        let user = ada.get("/api/user").await.expect(200)["user"].clone();
        assert_eq!(user["email"], "ada@example.org");
        assert!(user["emailVerifiedAt"].is_string(), "{user}");
    };
    Post::fails_whole(&app, &ada, ("PATCH", "/api/user"), patch, kept).await;
    assert!(signs_in(&app, "countess@example.org", NEW).await);
}

#[tokio::test]
async fn without_a_mail_a_link_keeps_its_power_and_sets_no_password() {
    let Post { app, _smtp } = Post::start().await;
    let admin = app.user("admin").await;
    claim(&admin, "admin@example.org").await;
    let ada = app.user("ada").await;
    let token = link_for(&admin, &ada).await;
    let reset = json!({ "token": token, "password": NEW });
    let kept = async || assert!(signs_in(&app, "ada@example.org", PASSWORD).await);
    let stranger = app.anonymous();
    Post::fails_whole(&app, &stranger, ("POST", "/api/auth/reset-password"), reset, kept).await;
    assert!(signs_in(&app, "ada@example.org", NEW).await);
}

#[tokio::test]
async fn without_a_mail_nobody_registers() {
    let Post { app, _smtp } = Post::start().await;
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "ada" });
    let kept = async || assert!(!signs_in(&app, "ada@example.org", PASSWORD).await);
    Post::fails_whole(&app, &app.anonymous(), ("POST", "/api/auth/register"), body, kept).await;
    assert!(signs_in(&app, "ada@example.org", PASSWORD).await);
}

#[tokio::test]
async fn without_a_mail_that_is_wanted_nobody_signs_in_in_a_new_browser() {
    let Post { app, _smtp } = Post::start().await;
    let ada = app.user("ada").await;
    let wanted = json!({ "mail": { "NEW_BROWSER": true } });
    ada.patch("/api/user/preferences", wanted).await.expect(200);
    let login = json!({ "email": "ada@example.org", "password": PASSWORD });
    let sessions =
        async || ada.get("/api/user/sessions").await.expect(200)["sessions"].as_array().unwrap().len();
    let kept = async || assert_eq!(sessions().await, 1);
    Post::fails_whole(&app, &app.anonymous(), ("POST", "/api/auth/login"), login, kept).await;
    assert_eq!(sessions().await, 2);
}

#[tokio::test]
async fn without_a_mail_the_second_factor_stays_as_it_is() {
    let Post { app, _smtp } = Post::start().await;
    let ada = app.user("ada").await;
    let path = "/api/user/second-factor";
    let is_on = async |on: bool| {
        assert_eq!(ada.get("/api/user").await.expect(200)["user"]["secondFactor"], on);
    };
    let phone = App::begin(&ada).await;
    let confirm = json!({ "code": phone.code(&app) });
    let at = format!("{path}/confirm");
    let codes = Post::fails_whole(&app, &ada, ("POST", &at), confirm, async || is_on(false).await).await;

    let code = &codes["recoveryCodes"][0];
    let renew = json!({ "password": PASSWORD, "code": code });
    let at = format!("{path}/recovery-codes");
    let codes = Post::fails_whole(&app, &ada, ("POST", &at), renew, async || is_on(true).await).await;

    let off = json!({ "password": PASSWORD, "code": codes["recoveryCodes"][1] });
    Post::fails_whole(&app, &ada, ("DELETE", path), off, async || is_on(true).await).await;
    is_on(false).await;
}

#[tokio::test]
async fn without_a_mail_no_account_is_upgraded_and_no_upgrade_is_undone() {
    let Post { app, _smtp } = Post::start().await;
    let group = Group::start_in(app).await;
    let people = group.add(&["Ada"]).await;
    let ada = group.signed_in(&people[0]).await;
    let number = people[0]["number"].as_i64().unwrap();
    let email = "ada@example.org";
    let upgrade = json!({ "email": email, "password": NEW, "pin": people[0]["pin"] });
    let kept = async || assert!(!signs_in(&group.app, email, NEW).await);
    Post::fails_whole(&group.app, &ada, ("POST", "/api/user/upgrade"), upgrade, kept).await;
    assert!(signs_in(&group.app, email, NEW).await);

    group.app.confirm_emails().await;
    let undo = format!("{}/undo-upgrade", group.person(number));
    let kept = async || assert!(signs_in(&group.app, email, NEW).await);
    Post::fails_whole(&group.app, &group.keeper, ("POST", &undo), json!({}), kept).await;
    assert!(!signs_in(&group.app, email, NEW).await);
}

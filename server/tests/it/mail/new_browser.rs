//! The mail about a sign-in in a new browser.

use serde_json::json;

use super::sends_through;
use super::words::link;
use crate::harness::{Client, PASSWORD, SmtpServer, TestApp};
use crate::routes::user::second_factor::App;

async fn sign_in(client: &Client) {
    let login = json!({ "email": "ada@example.org", "password": PASSWORD });
    client.post("/api/auth/login", login).await.expect(200);
}

#[tokio::test]
async fn a_user_who_wants_it_is_told_of_a_sign_in_in_a_new_browser() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let ada = app.user("ada").await;
    app.confirm_emails().await;
    app.send_mails().await;
    let before = smtp.mails().await.len();
    sign_in(&app.anonymous()).await;
    app.send_mails().await;
    assert_eq!(smtp.mails().await.len(), before, "it is off by default");

    let wanted = json!({ "mail": { "NEW_BROWSER": true } });
    ada.patch("/api/user/preferences", wanted).await.expect(200);
    let there = app.anonymous();
    sign_in(&there).await;
    sign_in(&there).await;
    sign_in(&ada).await;
    app.send_mails().await;
    let mut mails = smtp.mails().await;
    assert_eq!(mails.len(), before + 1, "known browsers are not told");
    let mail = mails.remove(before);
    assert_eq!(mail.headers["subject"], "A sign-in in a new browser (bids.example.org)");
    assert!(mail.text.contains("from 127.0.0.1. If it was not you, set a new password."), "{}", mail.text);
    assert_eq!(link(&mail.text, "/account"), "/account");
    assert!(link(&mail.text, "/unsubscribe/").ends_with("/NEW_BROWSER"));
}

#[tokio::test]
async fn a_sign_in_in_two_steps_is_told_once_it_is_complete() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (phone, _) = App::turn_on(&app, &ada).await;
    ada.patch("/api/user/preferences", json!({ "notify": { "NEW_BROWSER": true } })).await.expect(200);
    let told = async || {
        let had = ada.get("/api/user/notifications").await.expect(200);
        had["notifications"].as_array().unwrap().iter().filter(|one| one["kind"] == "NEW_BROWSER").count()
    };
    let there = app.anonymous();
    there.post_form("/sign-in", &[("email", "ada@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(told().await, 0);
    let entered = there.post_form("/sign-in/code", &[("code", &phone.code(&app))]).await;
    assert_eq!(entered.header("location"), "/dashboard");
    assert_eq!(told().await, 1);
}

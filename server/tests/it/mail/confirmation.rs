//! An e-mail gives rights only once its user has opened the link of a mail to it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::sends_through;
use super::words::link;
use crate::harness::{Answer, Client, PASSWORD, Smtp, SmtpServer, TestApp};
use crate::routes::auctions::{accept, auction, invite, join};

async fn user(client: &Client) -> Value {
    client.get("/api/user").await.expect(200)["user"].clone()
}

async fn notifications(client: &Client) -> Vec<Value> {
    client.get("/api/user/notifications").await.expect(200)["notifications"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_link_confirms_the_e_mail_once() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let ada = app.user("ada").await;
    assert_eq!(user(&ada).await["emailVerifiedAt"], Value::Null);
    let page = ada.get("/account?subject=email").await.text;
    assert!(page.contains("You have not confirmed this e-mail") && page.contains("Send the link again"));
    app.send_mails().await;
    let mail = smtp.mails().await.remove(0);
    assert_eq!(mail.headers["subject"], "Confirm your e-mail (bids.example.org)");
    assert!(!mail.text.contains("ada,"), "the name of a stranger is no message: {}", mail.text);
    let first = link(&mail.text, "/confirm-email/");

    // Another link takes the place of the first.
    let sent = ada.post_form("/account/email/link", &[]).await;
    assert_eq!((sent.status.as_u16(), sent.header("location")), (303, "/account?subject=email&done=link"));
    app.send_mails().await;
    let second = link(&smtp.mails().await[1].text, "/confirm-email/");
    let client = app.anonymous();
    assert_eq!(client.get(&first).await.status, 410);
    assert!(client.get(&second).await.text.contains("ada@example.org"));
    assert_eq!(user(&ada).await["emailVerifiedAt"], Value::Null, "a GET confirms nothing");
    let done = client.post_form(&second, &[]).await;
    assert_eq!(done.header("location"), "/account?subject=email&done=confirmed", "{}", done.text);
    assert_eq!(user(&ada).await["emailVerifiedAt"], "2026-05-01T18:00:00.000Z");
    let token = second.rsplit('/').next().unwrap();
    let again = client.post("/api/auth/confirm-email", json!({ "token": token })).await;
    again.expect_problem(422, "TOKEN_INVALID");
    assert!(ada.get("/account?subject=email").await.text.contains("You have confirmed this e-mail"));
    ada.post("/api/user/email-link", json!({})).await.expect(204);
    app.send_mails().await;
    assert_eq!(smtp.mails().await.len(), 2, "nothing is left to confirm");
}

#[tokio::test]
async fn an_account_says_that_a_mail_to_its_e_mail_could_not_be_sent() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    smtp.will(Smtp::Refuses).await;
    let ada = app.user("ada").await;
    let words = "A mail to this e-mail could not be sent on 1 May 2026, 18:00";
    for cause in ["registration", "a further link", "a new e-mail", "a lost password"] {
        match cause {
            "a further link" => drop(ada.post("/api/user/email-link", json!({})).await.expect(204)),
            "a new e-mail" => {
                let changed = json!({"email": "ada@example.net", "currentPassword": PASSWORD});
                let changed = ada.patch("/api/user", changed).await.expect(200);
                assert_eq!(changed["user"]["emailFailedAt"], Value::Null, "{cause}");
            }
            "a lost password" => {
                let lost = json!({"email": "ada@example.net"});
                app.anonymous().post("/api/auth/forgot-password", lost).await.expect(204);
            }
            _ => {}
        }
        app.send_mails().await;
        assert_eq!(user(&ada).await["emailFailedAt"], "2026-05-01T18:00:00.000Z", "{cause}");
        let page = ada.get("/account?subject=email").await.text;
        assert!(page.contains(words), "{cause}: {page}");
    }
    smtp.will(Smtp::Accepts).await;
    ada.post("/api/user/email-link", json!({})).await.expect(204);
    app.send_mails().await;
    assert_eq!(user(&ada).await["emailFailedAt"], Value::Null);
    assert!(!ada.get("/account?subject=email").await.text.contains(words));
}

#[tokio::test]
async fn a_new_e_mail_is_to_be_confirmed_and_the_old_one_is_told() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let ada = app.user("ada").await;
    app.confirm_emails().await;
    let letters = json!({"email": "ADA@example.org", "currentPassword": PASSWORD});
    ada.patch("/api/user", letters).await.expect(200);
    assert!(user(&ada).await["emailVerifiedAt"].is_string(), "only the letters differ");
    let changed = json!({"email": "ada@example.net", "currentPassword": PASSWORD});
    assert_eq!(ada.patch("/api/user", changed).await.expect(200)["user"]["emailVerifiedAt"], Value::Null);
    app.send_mails().await;
    let mut mails = smtp.mails().await;
    mails.sort_by(|one, other| one.to.cmp(&other.to));
    let mails: Vec<_> =
        mails.iter().map(|mail| (mail.to.as_str(), mail.headers["subject"].as_str())).collect();
    let expected = [
        ("ADA@example.org", "Your e-mail was changed (bids.example.org)"),
        ("ada@example.net", "Confirm your e-mail (bids.example.org)"),
    ];
    assert_eq!(mails, expected);
}

/// It may be that of a stranger.
#[tokio::test]
async fn an_old_e_mail_that_was_never_confirmed_is_not_told() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let ada = app.user("ada").await;
    let changed = json!({"email": "ada@example.net", "currentPassword": PASSWORD});
    ada.patch("/api/user", changed).await.expect(200);
    app.send_mails().await;
    let mails = smtp.mails().await;
    let subjects: BTreeSet<_> = mails.iter().map(|mail| mail.headers["subject"].as_str()).collect();
    assert_eq!(subjects, ["Confirm your e-mail (bids.example.org)"].into());
    assert!(mails.iter().any(|mail| mail.to == "ada@example.net"));
}

/// A stranger has registered with the e-mail of another person.
#[tokio::test]
async fn an_unconfirmed_e_mail_gets_neither_invites_nor_balances() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let (owner, squatter) = (app.user("owner").await, app.user("boss").await);
    app.send_mails().await;
    let path = auction(&owner, json!({"joinMode": "FREE"})).await;
    join(&squatter, &path).await;
    let sent = invite(&owner, &path, "boss@example.org", "ADMIN").await;
    assert_eq!(notifications(&squatter).await, [Value::Null; 0]);
    let unit = json!({"name": "Ticket", "symbol": ""});
    let book = owner.post("/api/books", json!({"name": "Class", "baseUnit": unit})).await.expect(201);
    let holders = format!("/api/books/{}/holders", book["id"].as_str().unwrap());
    let by_email = json!({"email": "boss@example.org"});
    owner.post(&holders, by_email.clone()).await.expect_problem(422, "USER_NOT_REGISTERED");
    let table = async |key: &str| {
        let request = owner.request("POST", &format!("{path}/items/import")).header("idempotency-key", key);
        let request = request.header("content-type", "text/csv");
        Answer::of(request.body("lot,name,currency,seller\n1,Vase,EUR,boss@example.org\n")).await
    };
    table("1").await.expect_problem(422, "INVALID_BODY");

    // The mail goes to the person who has the address, and so does the link that confirms it.
    app.send_mails().await;
    let mail = smtp.mails().await.into_iter().find(|mail| mail.text.contains("/invites/")).unwrap();
    assert_eq!(mail.to, "boss@example.org");
    let mails = smtp.mails().await;
    let confirm = mails.iter().find(|mail| mail.to == "boss@example.org").unwrap();
    let token = link(&confirm.text, "/confirm-email/");
    squatter.post_form(&token, &[]).await;
    let told = notifications(&squatter).await;
    assert_eq!((told.len(), &told[0]["kind"]), (1, &json!("INVITED")), "now it is theirs");
    owner.post(&holders, by_email).await.expect(201);
    table("2").await.expect(201);
    accept(&squatter, &sent).await.expect(200);
}

#[tokio::test]
async fn the_named_admin_claims_with_a_confirmed_e_mail_only() {
    let smtp = SmtpServer::start().await;
    let mail = sends_through(&smtp.url());
    let app = TestApp::start_with(|settings| {
        mail(settings);
        settings.admin_email = Some("boss@example.org".parse().unwrap());
    })
    .await;
    let boss = app.user("boss").await;
    let claim = json!({"deploymentAdminEmail": "boss@example.org"});
    boss.patch("/api/system/settings", claim.clone()).await.expect_problem(403, "FORBIDDEN");
    assert!(boss.get("/admin").await.text.contains("Confirm your e-mail first"));
    app.confirm_emails().await;
    boss.patch("/api/system/settings", claim).await.expect(200);
    let next = app.user("next").await;
    let transfer = json!({"deploymentAdminEmail": "next@example.org"});
    boss.patch("/api/system/settings", transfer.clone()).await.expect_problem(422, "USER_NOT_REGISTERED");
    app.confirm_emails().await;
    boss.patch("/api/system/settings", transfer).await.expect(200);
    drop(next);
}

#[tokio::test]
async fn without_mail_an_invite_is_accepted_by_its_link() {
    let app = TestApp::start().await;
    let (owner, bob) = (app.user("owner").await, app.user("bob").await);
    let path = auction(&owner, json!({})).await;
    let sent = invite(&owner, &path, "bob@example.org", "ADMIN").await;
    assert_eq!(notifications(&bob).await, [Value::Null; 0], "the secret stands in no notification");
    accept(&bob, &sent).await.expect(200);
}

//! Mails to people who have no account: how many, and how they end.

use serde_json::json;

use super::sends_through;
use super::words::link;
use crate::harness::{Answer, Smtp, SmtpServer, TestApp};
use crate::routes::auctions::{auction, invite};
use installation::config::Switch;

#[tokio::test]
async fn an_address_ends_invitations_with_one_click() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let owner = app.user("owner").await;
    app.confirm_emails().await;
    let path = auction(&owner, json!({"name": "http://phish.example/login verify now"})).await;
    invite(&owner, &path, "New@example.org", "BIDDER").await;
    app.send_mails().await;
    let mail = smtp.mails().await.remove(0);
    assert_eq!(mail.headers["subject"], "Invitation to an auction (bids.example.org)");
    assert!(!mail.text.contains("phish") && !mail.html.contains("phish"), "{}", mail.text);
    let page = link(&mail.text, "/no-invitations/");
    assert_eq!(mail.headers["list-unsubscribe"], format!("<http://bids.example.org{page}>"));
    assert_eq!(mail.headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
    let client = app.anonymous();
    assert!(client.get(&page).await.text.contains("Stop these mails"));
    let elsewhere = auction(&owner, json!({})).await;
    invite(&owner, &elsewhere, "new@example.org", "BIDDER").await;
    app.send_mails().await;
    assert_eq!(smtp.mails().await.len(), 2, "a GET ends nothing");
    let done = client.post_form(&page, &[("List-Unsubscribe", "One-Click")]).await;
    assert!(done.status == 200 && done.text.contains("No more invitations are mailed"), "{}", done.text);
    for email in ["NEW@example.org", "other@example.org"] {
        invite(&owner, &path, email, "BIDDER").await;
    }
    app.send_mails().await;
    let to: Vec<_> = smtp.mails().await.into_iter().map(|mail| mail.to).collect();
    assert_eq!(to[2..], ["other@example.org"]);
    assert_eq!(client.get("/no-invitations/guess").await.status, 404);
}

#[tokio::test]
async fn a_user_mails_twenty_strangers_at_once_and_a_hundred_with_a_confirmed_e_mail() {
    let smtp = SmtpServer::start().await;
    let mail = sends_through(&smtp.url());
    let app = TestApp::start_with(|settings| {
        mail(settings);
        settings.rate_limits = Switch::On;
    })
    .await;
    let (owner, bob) = (app.user("owner").await, app.user("bob").await);
    let path = auction(&owner, json!({})).await;
    let send = async |n: usize| {
        let body = json!({"email": format!("stranger{n}@example.net")});
        owner.post(&format!("{path}/invites"), body).await
    };
    for n in 0..20 {
        send(n).await.expect(201);
    }
    send(20).await.expect_problem(429, "TOO_MANY_REQUESTS");
    app.confirm_emails().await;
    for n in 20..120 {
        send(n).await.expect(201);
    }
    send(120).await.expect_problem(429, "TOO_MANY_REQUESTS");
    let to_bob = json!({"email": "bob@example.org"});
    owner.post(&format!("{path}/invites"), to_bob).await.expect(201);
    drop(bob);
    app.clock.advance_seconds(864);
    send(121).await.expect(201);
}

#[tokio::test]
async fn invites_are_limited_by_address_and_by_receiver() {
    let smtp = SmtpServer::start().await;
    let mail = sends_through(&smtp.url());
    let app = TestApp::start_with(|settings| {
        mail(settings);
        settings.rate_limits = Switch::On;
    })
    .await;
    let mut sent = 0;
    for n in 0..11 {
        let owner = app.user(&format!("owner{n}")).await;
        let path = auction(&owner, json!({})).await;
        for stranger in 0..20 {
            let body = json!({"email": format!("s{n}-{stranger}@example.net")});
            sent += usize::from(owner.post(&format!("{path}/invites"), body).await.status == 201);
        }
    }
    assert_eq!(sent, 200, "of one address");
    app.clock.advance_seconds(24 * 3600);
    let mut statuses = Vec::new();
    for n in 0..4 {
        let owner = app.user(&format!("other{n}")).await;
        let path = auction(&owner, json!({})).await;
        let body = json!({"email": "one@example.net"});
        statuses.push(owner.post(&format!("{path}/invites"), body).await.status.as_u16());
    }
    assert_eq!(statuses, [201, 201, 201, 429], "of one receiver");
}

#[tokio::test]
async fn an_invite_is_mailed_once_a_day_and_keeps_its_link_that_long() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let (owner, bob) = (app.user("owner").await, app.user("bob").await);
    app.confirm_emails().await;
    let path = auction(&owner, json!({})).await;
    let again = async |email: &str| {
        let made = owner.post(&format!("{path}/invites"), json!({ "email": email })).await.expect(201);
        made["token"].as_str().unwrap_or_default().to_owned()
    };
    for email in ["new@example.net", "bob@example.org"] {
        let first = again(email).await;
        assert_eq!(again(email).await, first, "{email}");
    }
    app.send_mails().await;
    assert_eq!(smtp.mails().await.len(), 2);
    let inbox = bob.get("/api/user/notifications").await.expect(200);
    assert_eq!(inbox["notifications"].as_array().unwrap().len(), 1);
    app.clock.advance_seconds(24 * 3600 + 1);
    again("new@example.net").await;
    app.send_mails().await;
    assert_eq!(smtp.mails().await.len(), 3);
}

#[tokio::test]
async fn a_mail_to_an_international_domain_goes_to_its_ascii_form() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let owner = app.user("owner").await;
    app.confirm_emails().await;
    let path = auction(&owner, json!({})).await;
    let listed = async |email: &str| {
        let invites = owner.get(&format!("{path}/invites")).await.expect(200)["invites"].clone();
        invites.as_array().unwrap().iter().find(|invite| invite["email"] == email).unwrap().clone()
    };
    invite(&owner, &path, "jo@bücher.example", "BIDDER").await;
    app.send_mails().await;
    assert_eq!(smtp.mails().await[0].to, "jo@xn--bcher-kva.example");
    assert_eq!(listed("jo@bücher.example").await["mailFailedAt"], json!(null));
    let account = json!({"email": "jo@bücher.example", "name": "Jo", "password": "correct horse battery"});
    app.anonymous().post("/api/auth/register", account.clone()).await.expect(201);
    let mut again = account;
    again["email"] = json!("jo@xn--bcher-kva.example");
    app.anonymous().post("/api/auth/register", again).await.expect_problem(409, "EMAIL_TAKEN");

    // What the mail server can't take is said where the invite is listed.
    smtp.will(Smtp::Refuses).await;
    invite(&owner, &path, "nobody@example.net", "BIDDER").await;
    app.send_mails().await;
    assert!(listed("nobody@example.net").await["mailFailedAt"].is_string());
    let members = owner.get(&format!("{}/members", path.trim_start_matches("/api"))).await.text;
    assert!(members.contains("can’t be sent to this address"), "{members}");
}

/// A mail server that hangs with other mails does not hold up a lost password.
#[tokio::test]
async fn a_link_for_a_lost_password_overtakes_invites() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let owner = app.user("owner").await;
    app.confirm_emails().await;
    let path = auction(&owner, json!({})).await;
    for n in 0..30 {
        invite(&owner, &path, &format!("stranger{n}@example.net"), "BIDDER").await;
    }
    let forgot = json!({"email": "owner@example.org"});
    app.anonymous().post("/api/auth/forgot-password", forgot).await.expect(204);
    app.send_mails().await;
    let mails = smtp.mails().await;
    let place = mails.iter().position(|mail| mail.to == "owner@example.org").unwrap();
    assert!(place < 4, "it was mail {place}");
    assert_eq!(mails.len(), 31);
}

#[tokio::test]
async fn a_grant_that_waits_is_mailed_once_with_the_link_of_the_book() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let owner = app.user("owner").await;
    app.confirm_emails().await;
    let book = json!({"name": "Raid points", "baseUnit": {"name": "Point", "symbol": ""}});
    let made = owner.post("/api/books", book).await.expect(201);
    let path = format!("/api/books/{}", made["id"].as_str().unwrap());
    let import = async |table: &str| {
        let request =
            owner.request("POST", &format!("{path}/import?invite=true")).header("content-type", "text/csv");
        Answer::of(request.header("idempotency-key", table.len().to_string()).body(table.to_owned())).await
    };
    let rows = "email,amount,reason\nnew@example.org,7,Raid\nnew@example.org,5,Raid\n";
    import(rows).await.expect(201);
    import("email,amount,reason\nnew@example.org,1,Second\n").await.expect(201);
    app.send_mails().await;
    let mails = smtp.mails().await;
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["new@example.org"]);
    assert_eq!(mails[0].headers["subject"], "A balance waits for you in “Raid points” (bids.example.org)");
    let page = link(&mails[0].text, "/books/join/");
    assert_eq!(page, format!("/books/join/{}", made["inviteToken"].as_str().unwrap()));
    link(&mails[0].text, "/no-invitations/");

    let new = app.user("new").await;
    new.post(&format!("{path}/join"), json!({"inviteToken": made["inviteToken"]})).await.expect(200);
    let balance = async || {
        let own = new.get(&format!("{path}/entries")).await.expect(200)["entries"].clone();
        own.as_array().unwrap().iter().map(|entry| entry["amount"].clone()).collect::<Vec<_>>()
    };
    assert!(balance().await.is_empty(), "nobody has confirmed the e-mail");
    app.confirm_emails().await;
    app.claim_waiting().await;
    assert_eq!(balance().await, ["1", "5", "7"]);

    smtp.will(Smtp::Refuses).await;
    import("email,amount,reason\nother@example.org,1,Third\n").await.expect(201);
    app.send_mails().await;
    let waiting = owner.get(&format!("{path}/waiting")).await.expect(200);
    assert_eq!(waiting["grants"][0]["mailFailedAt"], "2026-05-01T18:00:00.000Z", "{waiting}");
    let shown = owner.get(&path.replace("/api", "")).await.text;
    assert!(shown.contains("The mail could not be sent"), "{shown}");
}

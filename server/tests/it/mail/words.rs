//! What mails say, and what their links do.

use serde_json::json;

use super::{Duel, sends_through};
use crate::harness::{PASSWORD, SmtpServer, TestApp};
use crate::routes::auctions::items::bids::wizards;
use crate::routes::auctions::{auction, invite};

/// The path of the first link in a mail that contains `part`.
pub(super) fn link(text: &str, part: &str) -> String {
    let start = text.find(&format!("http://bids.example.org{part}")).expect("a link");
    let link = text[start..].split([' ', '\r', '\n', '"', '<', '>']).next().unwrap();
    link.strip_prefix("http://bids.example.org").unwrap().to_owned()
}

#[tokio::test]
async fn a_mail_names_the_installation_and_ends_its_kind_with_one_click() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.after(61).await;
    let mail = duel.smtp.mails().await.remove(0);
    assert_eq!(mail.parts, ["multipart/alternative", "text/plain", "text/html"]);
    let path = link(&mail.text, "/unsubscribe/");
    let unsubscribe = format!("<http://bids.example.org{path}>");
    for (header, value) in [
        ("subject", "You were outbid: A vase (bids.example.org)"),
        ("from", "\"Farthing at bids.example.org\" <auctions@example.org>"),
        ("to", "ada@example.org"),
        ("auto-submitted", "auto-generated"),
        ("list-id", "Outbid <outbid.bids.example.org>"),
        ("list-unsubscribe", unsubscribe.as_str()),
        ("list-unsubscribe-post", "List-Unsubscribe=One-Click"),
    ] {
        assert_eq!(mail.headers[header], value, "{header}");
    }
    assert_eq!(mail.sender, "auctions@example.org");
    let signature = mail.text.replace("\r\n", "\n");
    assert!(signature.contains("\n\n-- \nThis mail was sent"), "{signature:?}");
    assert!(mail.headers["message-id"].ends_with("@bids.example.org>"));
    for body in [&mail.text, &mail.html] {
        assert!(body.contains("This mail was sent by the auctions at http://bids.example.org."), "{body}");
        assert!(link(body, "/auctions/").ends_with(&duel.sale.item), "{body}");
        assert_eq!(link(body, "/unsubscribe/"), path);
    }
    let client = duel.sale.app.anonymous();
    let page = client.get(&path).await;
    assert!(page.status == 200 && page.text.contains("Stop these mails"), "{}", page.text);
    let mails = async || duel.ada.get("/api/user/preferences").await.expect(200)["mail"]["OUTBID"].clone();
    assert_eq!(mails().await, true, "a GET changes nothing");
    let done = client.post_form(&path, &[("List-Unsubscribe", "One-Click")]).await;
    assert!(done.status == 200 && done.text.contains("No more mails of this kind"), "{}", done.text);
    assert_eq!(mails().await, false);
    assert_eq!(duel.ada.get("/api/user/preferences").await.expect(200)["mail"]["WON"], true);
    assert_eq!(client.get("/unsubscribe/other/OUTBID").await.status, 404);

    duel.bid(&duel.ada, 3).await;
    duel.bid(&duel.bob, 4).await;
    assert_eq!(duel.after(61).await, 1);
}

/// A mail is sent later than its cause: it names the price of the bid that leads then.
#[tokio::test]
async fn a_mail_names_the_price_in_pieces() {
    let unit = json!({"baseUnit": {"name": "Knut", "plural": "Knuts", "symbol": ""}});
    let duel = Duel::open_with(unit, &[wizards()], json!({"endDate": "2026-05-01T19:00:00Z"})).await;
    let bid = async |bidder, sickles: u32| {
        let counts = json!([{"denomination": "SICKLE", "count": sickles}]);
        duel.sale.bid(bidder, json!({ "enteredRepresentation": counts })).await.expect(201);
        duel.sale.app.tell_leads().await;
    };
    bid(&duel.ada, 1).await;
    bid(&duel.bob, 2).await;
    bid(&duel.sale.bidder("eve").await, 3).await;
    duel.after(61).await;
    let mails = duel.smtp.mails().await;
    let to_ada = mails.iter().find(|mail| mail.to == "ada@example.org").unwrap();
    for body in [&to_ada.text, &to_ada.html] {
        let body = body.replace('\u{a0}', " ");
        assert!(body.contains("A vase: Another bid was higher than yours: 3 Sickles (87 Knuts)."), "{body}");
    }
    duel.sale.app.clock.advance_seconds(7200);
    duel.sale.app.reconcile().await;
    duel.after(1).await;
    let mails = duel.smtp.mails().await;
    let sold = mails.iter().find(|mail| mail.headers["subject"].starts_with("Sold: ")).unwrap();
    let text = sold.text.replace('\u{a0}', " ");
    assert!(text.contains("A vase: Your item was sold for 3 Sickles (87 Knuts)."), "{text}");
}

#[tokio::test]
async fn a_user_who_may_not_see_the_auction_any_more_gets_no_mail_about_a_bid() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    let auction = format!("/api/auctions/{}", duel.sale.auction);
    duel.sale.owner.patch(&auction, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    let ada = duel.ada.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    duel.sale.owner.delete(&format!("{auction}/members/{ada}")).await.expect(204);
    assert_eq!(duel.after(61).await, 0);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_the_link_of_a_mail() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let _ada = app.user("ada").await;
    app.confirm_emails().await;
    let client = app.anonymous();
    for email in ["ada@example.org", "nobody@example.org"] {
        client.post("/api/auth/forgot-password", json!({ "email": email })).await.expect(204);
    }
    client
        .post("/api/auth/forgot-password", json!({"email": "ada"}))
        .await
        .expect_problem(422, "INVALID_BODY");
    app.send_mails().await;
    let mails = smtp.mails().await;
    assert_eq!(mails.len(), 1, "none to an e-mail without an account");
    assert!(!mails[0].headers.contains_key("list-unsubscribe"), "it is sent regardless of preferences");
    let path = link(&mails[0].text, "/reset-password/");
    let page = client.get(&path).await;
    assert!(page.status == 200 && page.text.contains("Set a new password"), "{}", page.text);
    let set = client.post_form(&path, &[("password", "another horse entirely")]).await;
    assert_eq!(set.header("location"), "/sign-in?done=password");
    let login = |password: &str| json!({"email": "ada@example.org", "password": password});
    client.post("/api/auth/login", login(PASSWORD)).await.expect_problem(401, "INVALID_CREDENTIALS");
    client.post("/api/auth/login", login("another horse entirely")).await.expect(200);
    assert_eq!(client.get(&path).await.status, 410);
    app.send_mails().await;
    let told = smtp.mails().await.remove(1);
    assert_eq!(told.headers["subject"], "Your password was changed (bids.example.org)");
    assert_eq!(told.to, "ada@example.org");
}

#[tokio::test]
async fn requests_for_a_link_are_limited_for_every_e_mail() {
    let app = TestApp::start_with(|_| {}).await;
    let client = app.anonymous();
    for email in ["ada@example.org", "nobody@example.org"] {
        let ask = async || client.post("/api/auth/forgot-password", json!({ "email": email })).await;
        for _ in 0..3 {
            ask().await.expect(204);
        }
        ask().await.expect_problem(429, "TOO_MANY_REQUESTS");
    }
}

#[tokio::test]
async fn without_mail_the_page_says_how_else_a_password_is_reset() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/forgot-password").await;
    assert!(page.status == 200 && page.text.contains("This site sends no mail"), "{}", page.text);
    app.anonymous().post("/api/auth/forgot-password", json!({"email": "ada@example.org"})).await.expect(204);
    assert!(app.state.mail_job().is_none());
}

#[tokio::test]
async fn an_invite_is_mailed_with_its_link() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let (owner, ada) = (app.user("owner").await, app.user("ada").await);
    app.confirm_emails().await;
    let path = auction(&owner, json!({"name": "School fair"})).await;
    for email in ["ada@example.org", "new@example.org"] {
        invite(&owner, &path, email, "BIDDER").await;
    }
    app.send_mails().await;
    let mut mails = smtp.mails().await;
    mails.sort_by(|one, other| one.to.cmp(&other.to));
    let to: Vec<_> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(to, ["ada@example.org", "new@example.org"]);
    for mail in &mails {
        assert_eq!(mail.headers["subject"], "Invitation to an auction: “School fair” (bids.example.org)");
    }
    let page = ada.get(&link(&mails[0].text, "/invites/")).await;
    assert!(page.status == 200 && page.text.contains("School fair"), "{}", page.text);
    let listed = ada.get("/api/user/notifications").await.expect(200);
    assert_eq!(listed["notifications"][0]["kind"], "INVITED");
    assert_eq!(listed["notifications"][0]["title"], "School fair");
}

//! The page of one's own account without JavaScript.

use serde_json::json;

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auctions::items::bids::Sale;
use crate::routes::system::settings::claim;

const NEW: &str = "another horse entirely";

async fn sign_in(app: &TestApp, name: &str, user_agent: &str) -> Client {
    let client = app.anonymous();
    let login = json!({ "email": format!("{name}@example.org"), "password": PASSWORD });
    let request = client.request("POST", "/api/auth/login").header("user-agent", user_agent);
    Answer::of(request.json(&login)).await.expect(200);
    client
}

async fn user(client: &Client) -> serde_json::Value {
    client.get("/api/user").await.expect(200)["user"].clone()
}

/// Expects that the form led to this page, and that the page has this message.
async fn assert_done(client: &Client, answer: &Answer, path: &str, message: &str) {
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, path), "{}", answer.text);
    let page = client.get(path).await;
    assert!(page.status == 200 && page.text.contains(message), "{}", page.text);
}

/// Expects this error beside the field, and that the page shows no password.
fn assert_error(page: &Answer, status: u16, field: &str, error: &str) {
    assert_eq!(page.status, status, "{}", page.text);
    let beside = format!("id=\"field-{field}-error\" class=\"field-error\">{error}");
    assert!(page.text.contains(&beside), "{beside}: {}", page.text);
    assert!(!page.text.contains("horse"), "{}", page.text);
}

#[tokio::test]
async fn the_name_in_the_header_leads_to_the_page() {
    let app = TestApp::start().await;
    let page = app.user("ada").await.get("/auctions").await;
    assert!(page.text.contains("href=\"/account\""), "{}", page.text);
    let refused = app.anonymous().get("/account").await;
    assert_eq!((refused.status.as_u16(), refused.header("location")), (303, "/sign-in?next=/account"));
    for form in ["profile", "email", "password", "delete", "sessions/end-others"] {
        let refused = app.anonymous().post_form(&format!("/account/{form}"), &[]).await;
        assert_eq!(refused.status, 401, "{form}");
    }
}

#[tokio::test]
async fn name_and_locale_are_changed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let change = async |name: &str, locale: &str| {
        ada.post_form("/account/profile", &[("name", name), ("locale", locale)]).await
    };
    let saved = change(" Ada L. ", "en-GB").await;
    assert_done(&ada, &saved, "/account?subject=profile&done=profile", "Your profile is saved.").await;
    assert_eq!((&user(&ada).await["name"], &user(&ada).await["locale"]), (&json!("Ada L."), &json!("en-GB")));
    let shown = ada.get("/account?subject=profile").await.text;
    assert!(shown.contains("value=\"en-GB\" selected"), "{shown}");
    let overview = ada.get("/account").await.text;
    assert!(overview.contains("Ada L.. English – United Kingdom."), "{overview}");

    let page = change("deleted user", "english").await;
    assert_error(
        &page,
        422,
        "name",
        "Enter your name in at most 100 visible characters. Nobody can be named “deleted user”.",
    );
    assert_error(&page, 422, "locale", "Choose a language and region of the list.");
    assert!(page.text.contains("value=\"deleted user\""), "{}", page.text);

    assert_eq!(change("Ada", "").await.status, 303);
    assert_eq!(user(&ada).await["locale"], json!(null));
}

#[tokio::test]
async fn a_new_email_needs_the_password() {
    let app = TestApp::start().await;
    let (ada, _) = (app.user("ada").await, app.user("bob").await);
    let change = async |email: &str, password: &str| {
        ada.post_form("/account/email", &[("email", email), ("emailPassword", password)]).await
    };
    let page = change("ada.l@example.org", "").await;
    assert_error(&page, 422, "emailPassword", "Enter your current password.");
    assert!(page.text.contains("value=\"ada.l@example.org\""));
    let page = change("ada.l@example.org", "wrong horse").await;
    assert_error(&page, 403, "emailPassword", "The password is wrong.");
    assert_error(
        &change("ada", "wrong horse").await,
        422,
        "email",
        "Enter your e-mail address, such as ada@example.org.",
    );
    let page = change("BOB@example.org", PASSWORD).await;
    assert_error(&page, 409, "email", "There is already an account with this e-mail.");
    assert_eq!(user(&ada).await["email"], "ada@example.org");

    let saved = change("ada.l@example.org", PASSWORD).await;
    assert_done(&ada, &saved, "/account?subject=email&done=email", "Your e-mail is saved.").await;
    assert_eq!(user(&ada).await["email"], "ada.l@example.org");
    assert_eq!(change("Ada.L@example.org", "").await.status, 303, "the same one in capitals");
}

#[tokio::test]
async fn the_password_is_changed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let change = async |current: &str, new: &str| {
        ada.post_form("/account/password", &[("currentPassword", current), ("newPassword", new)]).await
    };
    let page = change("", "horse").await;
    assert_error(&page, 422, "currentPassword", "Enter your current password.");
    assert_error(&page, 422, "newPassword", "Use at least 8 characters.");
    assert_error(&change("wrong horse", NEW).await, 403, "currentPassword", "The password is wrong.");
    let saved = change(PASSWORD, NEW).await;
    assert_done(&ada, &saved, "/account?subject=password&done=password", "Your new password is set.").await;
    assert_error(&change(PASSWORD, NEW).await, 403, "currentPassword", "The password is wrong.");
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let app = TestApp::start().await;
    app.user("ada").await;
    let here =
        sign_in(&app, "ada", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0").await;
    let there = sign_in(&app, "ada", "curl/8.5.0").await;
    let page = here.get("/account?subject=sessions").await.text;
    let (current, rest) = page.split_once("This browser").unwrap();
    assert!(
        current.contains("Firefox on Linux") && rest.contains("curl/8.5.0"),
        "the current one is the first"
    );
    assert!(rest.contains("Unknown browser") && rest.contains("127.0.0.1"), "{page}");
    let form = |of: &str| {
        let (_, form) = of.split_once("action=\"/account/sessions/").unwrap();
        format!("/account/sessions/{}", form.split('"').next().unwrap())
    };
    let (mine, theirs) = (form(rest), form(rest.split_once("</li>").unwrap().1));
    let ended = here.post_form(&theirs, &[]).await;
    assert_done(&here, &ended, "/account?subject=sessions&done=session", "The browser is signed out.").await;
    there.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let again = here.post_form(&theirs, &[]).await;
    assert_eq!(again.status, 404);
    assert!(again.text.contains("This browser is signed out already."), "{}", again.text);

    let ended = here.post_form("/account/sessions/end-others", &[]).await;
    assert_done(
        &here,
        &ended,
        "/account?subject=sessions&done=sessions",
        "Every other browser is signed out.",
    )
    .await;
    let page = here.get("/account?subject=sessions").await.text;
    assert!(!page.contains("Unknown browser") && !page.contains("Sign out everywhere else"), "{page}");

    let ended = here.post_form(&mine, &[]).await;
    assert_eq!((ended.status.as_u16(), ended.header("location")), (303, "/"));
    assert!(ended.header("set-cookie").contains("Max-Age=0"));
    here.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_account_is_deleted() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let delete =
        async |password: &str| ada.post_form("/account/delete", &[("deletePassword", password)]).await;
    assert_error(&delete("").await, 422, "deletePassword", "Enter your password.");
    assert_error(&delete("wrong horse").await, 403, "deletePassword", "The password is wrong.");
    let deleted = delete(PASSWORD).await;
    assert!(deleted.header("set-cookie").contains("Max-Age=0"));
    assert_done(&ada, &deleted, "/sign-in?done=deleted", "Your account is deleted.").await;
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_page_says_why_an_account_is_not_deleted() {
    let sale = Sale::legacy(json!({ "startingBid": "1", "minBidIncrement": "1" })).await;
    let (bob, eve) = (sale.bidder("bob").await, sale.app.user("eve").await);
    sale.bid(&bob, json!({ "amount": "5" })).await.expect(201);
    claim(&eve, "eve@example.org").await;
    for (client, why) in [
        (&eve, "You must transfer deployment admin rights before deleting your account"),
        (
            &sale.owner,
            "You own auctions: hand each over to another member, or delete it, before you delete your account.",
        ),
        (
            &bob,
            "You lead, or have a sealed bid or tickets, on an open item: your account can go once it is closed, or your bid counts no more.",
        ),
    ] {
        let page = client.post_form("/account/delete", &[("deletePassword", PASSWORD)]).await;
        assert_eq!(page.status, 409);
        assert!(page.text.contains(&format!("<p class=\"error-summary-title\">{why}</p>")), "{}", page.text);
        client.get("/api/user").await.expect(200);
    }
}

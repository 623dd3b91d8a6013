//! Signing in with a second factor, and turning it on and off, without JavaScript.

use serde_json::json;

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auth::reset_password::link_for;
use crate::routes::system::settings::claim;
use crate::routes::user::second_factor::App;

const PAGE: &str = "/account/second-factor";
const CODE_PAGE: &str = "/sign-in/code";

fn location(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.header("location"))
}

/// Enters e-mail and password of `ada`.
async fn enter_password(client: &Client) -> Answer {
    let fields = [("email", "ada@example.org"), ("password", PASSWORD), ("next", "/auctions?q=a")];
    client.post_form("/sign-in", &fields).await
}

async fn enter_code(client: &Client, code: &str) -> Answer {
    client.post_form(CODE_PAGE, &[("code", code), ("next", "/auctions?q=a")]).await
}

#[tokio::test]
async fn the_code_is_the_second_step_of_a_sign_in() {
    let app = TestApp::start().await;
    let (phone, codes) = App::turn_on(&app, &app.user("ada").await).await;
    let client = app.anonymous();
    let first = enter_password(&client).await;
    assert_eq!(location(&first), (303, "/sign-in/code?next=/auctions%3Fq%3Da"));
    let cookie = first.header("set-cookie");
    assert!(cookie.starts_with("farthing_ticket") && cookie.contains("HttpOnly"), "{cookie}");
    client.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");

    let page = client.get(first.header("location")).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("name=\"code\"") && page.text.contains("value=\"/auctions?q=a\""));
    assert!(!page.text.contains(PASSWORD), "{}", page.text);
    let wrong = enter_code(&client, "000000").await;
    assert_eq!(wrong.status, 401);
    assert!(
        wrong.text.contains("id=\"field-code-error\" class=\"field-error\">The code is wrong"),
        "{}",
        wrong.text
    );
    assert_eq!(location(&enter_code(&client, &phone.code(&app)).await), (303, "/auctions?q=a"));
    client.get("/api/user").await.expect(200);

    let other = app.anonymous();
    enter_password(&other).await;
    assert_eq!(location(&enter_code(&other, &codes[0]).await), (303, "/auctions?q=a"));
}

#[tokio::test]
async fn the_second_step_is_for_the_same_browser_within_five_minutes_and_with_the_same_password() {
    const LATE: (u16, &str) = (303, "/sign-in?next=/auctions%3Fq%3Da&done=late");
    let app = TestApp::start().await;
    let (admin, ada) = (app.user("grace").await, app.user("ada").await);
    claim(&admin, "grace@example.org").await;
    let (phone, _) = App::turn_on(&app, &ada).await;
    assert_eq!(location(&enter_code(&app.anonymous(), &phone.code(&app)).await), LATE);

    let late = app.anonymous();
    enter_password(&late).await;
    app.clock.advance_seconds(300);
    assert_eq!(location(&enter_code(&late, &phone.code(&app)).await), LATE);
    assert!(late.get("/sign-in?done=late").await.text.contains("That took too long."));

    let thief = app.anonymous();
    enter_password(&thief).await;
    let new = json!({ "token": link_for(&admin, &ada).await, "password": "another horse entirely" });
    app.anonymous().post("/api/auth/reset-password", new).await.expect(204);
    assert_eq!(location(&enter_code(&thief, &phone.code(&app)).await), LATE);
    thief.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{before}: {text}"));
    rest.split_once(after).unwrap().0
}

#[tokio::test]
async fn it_is_turned_on_and_off_on_its_page() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    assert!(ada.get("/account?subject=second-factor").await.text.contains("href=\"/account/second-factor\""));
    let refused = ada.post_form(PAGE, &[("password", "wrong horse")]).await;
    assert_eq!(refused.status, 403);
    assert!(refused.text.contains("id=\"field-password-error\" class=\"field-error\">The password is wrong"));
    assert_eq!(location(&ada.post_form(PAGE, &[("password", PASSWORD)]).await), (303, PAGE));
    let page = ada.get(PAGE).await.text;
    assert!(page.contains("class=\"qr-code\"") && page.contains("href=\"otpauth://totp/"), "{page}");
    let key = between(&page, "<code class=\"second-factor-key\">", "</code>");
    let phone = App::of(&key.replace(' ', ""));

    let confirm = format!("{PAGE}/confirm");
    let wrong = ada.post_form(&confirm, &[("code", "000000")]).await;
    assert_eq!(wrong.status, 403);
    assert!(wrong.text.contains("id=\"field-code-error\" class=\"field-error\">The code is wrong"));
    let shown = ada.post_form(&confirm, &[("code", &phone.code(&app))]).await;
    assert_eq!((shown.status.as_u16(), shown.header("cache-control")), (200, "no-store"));
    let codes = between(&shown.text, "<ol class=\"recovery-codes\">", "</ol>");
    assert_eq!(codes.matches("<li>").count(), 10);
    let code = between(codes, "<li>", "<").to_owned();
    assert!(ada.get(PAGE).await.text.contains("You have 10 recovery codes left."));

    let renew = format!("{PAGE}/recovery-codes");
    let unproven = ada.post_form(&renew, &[("password", PASSWORD), ("code", "000000")]).await;
    assert!(unproven.text.contains("id=\"field-code-error\" class=\"field-error\">The code is wrong"));
    let again = ada.post_form(&renew, &[("password", PASSWORD), ("code", &code)]).await;
    assert!(again.status == 200 && !again.text.contains(&code), "{}", again.text);
    let new = between(between(&again.text, "<ol class=\"recovery-codes\">", "</ol>"), "<li>", "<").to_owned();
    let turn_off = format!("{PAGE}/turn-off");
    let old = ada.post_form(&turn_off, &[("offPassword", PASSWORD), ("offCode", &code)]).await;
    assert_eq!(old.status, 403);
    assert!(old.text.contains("id=\"field-offCode-error\" class=\"field-error\">The code is wrong"));
    let off = ada.post_form(&turn_off, &[("offPassword", PASSWORD), ("offCode", &new)]).await;
    assert_eq!(location(&off), (303, "/account/second-factor?done=off"));
    assert!(ada.get(off.header("location")).await.text.contains("The second factor is off."));
}

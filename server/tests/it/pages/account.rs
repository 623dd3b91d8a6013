//! Registering, signing in and out, and setting a new password without JavaScript.

use installation::config::Switch;
use serde_json::json;

use crate::harness::{Answer, PASSWORD, TestApp};
use crate::routes::auctions::auction;
use crate::routes::auth::reset_password::link_for;
use crate::routes::system::settings::claim;

fn location(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.header("location"))
}

#[tokio::test]
async fn registering_redirects_to_the_requested_page() {
    let app = TestApp::start().await;
    let ada = app.anonymous();
    let fields = [
        ("name", "Ada"),
        ("email", "ada@example.org"),
        ("password", PASSWORD),
        ("next", "/auctions?cursor=a%20b"),
    ];
    assert_eq!(location(&ada.post_form("/register", &fields).await), (303, "/auctions?cursor=a%20b"));
    assert_eq!(ada.get("/api/user").await.expect(200)["user"]["name"], "Ada");

    assert_eq!(location(&ada.post_form("/sign-out", &[]).await), (303, "/"));
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");

    let fields = [("email", "ADA@example.org"), ("password", PASSWORD), ("next", "")];
    assert_eq!(location(&ada.post_form("/sign-in", &fields).await), (303, "/dashboard"));
    ada.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn redirects_never_lead_to_another_site() {
    let app = TestApp::start().await;
    app.user("ada").await;
    let elsewhere = ["https://evil.example", "//evil.example", "/\\evil.example", "/\n/evil.example"];
    for next in elsewhere.into_iter().chain(["/\t/evil.example", "/é", "evil", ""]) {
        let fields = [("email", "ada@example.org"), ("password", PASSWORD), ("next", next)];
        let answer = app.anonymous().post_form("/sign-in", &fields).await;
        assert_eq!(location(&answer), (303, "/dashboard"), "{next}");
    }
}

#[tokio::test]
async fn a_refused_form_keeps_its_values_except_the_password() {
    let app = TestApp::start().await;
    let fields = [("name", "Ada \"<b>"), ("email", "ada"), ("password", "sh0rt!"), ("next", "/auctions/new")];
    let page = app.anonymous().post_form("/register", &fields).await;
    assert_eq!(page.status, 422);
    assert!(page.text.contains("value=\"Ada &quot;&lt;b&gt;\""), "{}", page.text);
    assert!(page.text.contains("value=\"ada\"") && page.text.contains("value=\"/auctions/new\""));
    assert!(page.text.contains("Enter your e-mail address, such as ada@example.org."));
    assert!(page.text.contains("Use at least 8 characters."));
    assert!(!page.text.contains("sh0rt!"));
}

#[tokio::test]
async fn a_form_is_refused_like_an_api_request() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    app.user("ada").await;
    let client = app.anonymous();
    let taken = [("name", "Ada"), ("email", "Ada@example.org"), ("password", PASSWORD)];
    let page = client.post_form("/register", &taken).await;
    assert_eq!(page.status, 409);
    assert!(page.text.contains("There is already an account with this e-mail."), "{}", page.text);
    assert!(page.text.contains("href=\"/sign-in\">Sign in instead<"), "{}", page.text);

    let wrong = [("email", "ada@example.org"), ("password", "wrong horse")];
    for _ in 0..10 {
        let page = client.post_form("/sign-in", &wrong).await;
        assert_eq!(page.status, 401);
        assert!(page.text.contains("E-mail or password is wrong"));
    }
    let page = client.post_form("/sign-in", &wrong).await;
    assert_eq!(page.status, 429);
    assert!(page.text.contains("Too many attempts") && !page.header("retry-after").is_empty());
}

#[tokio::test]
async fn a_form_must_be_urlencoded_and_come_from_this_site() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    for path in ["/register", "/sign-in", "/sign-out"] {
        let request = client.request("POST", path).header("origin", "https://evil.example");
        Answer::of(request).await.expect_problem(403, "CROSS_SITE");
    }
    let page = client.send_text("POST", "/sign-in", "{}").await;
    assert_eq!(page.status, 415);
    let page = client.post_form("/sign-in", &[("email", &"x".repeat(70_000))]).await;
    assert_eq!(page.status, 413);
}

#[tokio::test]
async fn a_link_leads_to_a_form_for_a_new_password() {
    const NEW: &str = "another horse entirely";
    let app = TestApp::start().await;
    let (ada, client) = (app.user("ada").await, app.anonymous());
    claim(&ada, "ada@example.org").await;
    let page = format!("/reset-password/{}", link_for(&ada, &ada).await);
    let shown = client.get(&page).await;
    assert_eq!((shown.status.as_u16(), shown.header("referrer-policy")), (200, "same-origin"));
    assert!(shown.text.contains("value=\"ada@example.org\"") && shown.text.contains("New password"));
    assert!(!shown.text.contains("?next="), "the secret address is in no link");

    let short = client.post_form(&page, &[("email", "ada@example.org"), ("password", "sh0rt!")]).await;
    assert_eq!(short.status, 422);
    assert!(short.text.contains("Use at least 8 characters."), "{}", short.text);
    assert!(!short.text.contains("sh0rt!") && short.text.contains("value=\"ada@example.org\""));

    let set = client.post_form(&page, &[("password", NEW)]).await;
    assert_eq!(location(&set), (303, "/sign-in?done=password"));
    let sign_in = client.get("/sign-in?done=password").await;
    assert!(sign_in.text.contains("Your new password is set."), "{}", sign_in.text);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let fields = [("email", "ada@example.org"), ("password", NEW)];
    assert_eq!(location(&client.post_form("/sign-in", &fields).await), (303, "/dashboard"));

    const GONE: &str = "This link no longer works";
    let used = client.get(&page).await;
    assert!(used.status == 410 && used.text.contains(GONE), "{}", used.text);
    let used = client.post_form(&page, &[("password", NEW)]).await;
    assert!(used.status == 422 && used.text.contains(GONE), "{}", used.text);
}

#[tokio::test]
async fn the_sign_in_page_says_what_to_do_without_a_password() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/sign-in").await;
    assert!(page.text.contains("Forgotten password?"), "{}", page.text);
    let wrong = [("email", "ada@example.org"), ("password", "wrong horse")];
    let page = app.anonymous().post_form("/sign-in?done=password", &wrong).await;
    assert!(page.status == 401 && !page.text.contains("Your new password is set."), "{}", page.text);
}

#[tokio::test]
async fn signing_in_says_which_auction_it_leads_to_if_anyone_may_join_it() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (mode, is_named) in [("FREE", true), ("LINK", false), ("INVITE_ONLY", false)] {
        let path = auction(&ada, json!({"name": "Attic finds", "joinMode": mode})).await;
        let next = path.strip_prefix("/api").unwrap();
        for next in [next.to_owned(), format!("{next}/items/nope")] {
            let page = app.anonymous().get(&format!("/sign-in?next={next}")).await;
            assert_eq!(page.status, 200);
            assert_eq!(page.text.contains("Attic finds"), is_named, "{mode} {next}");
        }
    }
    let page = app.anonymous().get("/sign-in?next=/auctions/new").await;
    assert_eq!(page.status, 200);
    let by_number = "href=\"/go?next=%2Fauctions%2Fnew\"";
    assert!(page.text.contains(by_number), "a card leads there, too: {}", page.text);
}

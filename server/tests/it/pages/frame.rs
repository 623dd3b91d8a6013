//! What all pages have in common.

use crate::harness::{Answer, TestApp};
use crate::tidy::router;

/// Nonce of the content security policy.
fn nonce(answer: &Answer) -> String {
    let policy = answer.header("content-security-policy");
    let (_, rest) = policy.split_once("script-src 'nonce-").unwrap();
    rest.split('\'').next().unwrap().to_owned()
}

/// A browser asks for the address of a form again, such as after a refusal.
#[tokio::test]
async fn the_address_of_every_form_leads_to_a_page() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let id = "019354a0-0000-7000-8000-000000000000";
    let mut forms = 0;
    for route in router::routes().into_iter().filter(|route| route.is_form && !route.is_page) {
        let parameters = [
            "{auction_id}",
            "{item_id}",
            "{currency_id}",
            "{rule_id}",
            "{invite_id}",
            "{user_id}",
            "{book_id}",
            "{group_id}",
            "{image_id}",
        ];
        let address = parameters.iter().fold(route.path.to_owned(), |path, name| path.replace(name, id));
        let address = address.replace("{session_id}", id).replace("{sequence}", "1").replace("{number}", "1");
        let answer = ada.get(&address).await;
        let page = answer.header("location").to_owned();
        assert_eq!(answer.status, 303, "{address}");
        let path = page.split('?').next().unwrap();
        assert!(path == "/" || address.starts_with(&format!("{path}/")), "{address} leads to {page}");
        let shown = ada.get(&page).await.status.as_u16();
        let is_of_admin = page == "/admin/users" && shown == 403;
        let is_shown = shown == 200 || page.contains(id) && shown == 404 || is_of_admin;
        assert!(is_shown, "{address} leads to {page}: {shown}");
        forms += 1;
    }
    assert_eq!(forms, 94, "forms whose address is not that of a page");
}

#[tokio::test]
async fn a_signed_in_user_is_led_on_from_the_pages_for_signing_in() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (address, next) in [
        ("/sign-in", "/dashboard"),
        ("/register", "/dashboard"),
        ("/sign-in?next=/auctions/new", "/auctions/new"),
        ("/register?next=%2Fjoin%2Fx", "/join/x"),
        ("/sign-in?next=//evil.example", "/dashboard"),
    ] {
        let answer = ada.get(address).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, next), "{address}");
        assert_eq!(app.anonymous().get(address).await.status, 200, "{address}");
    }
}

#[tokio::test]
async fn the_title_says_that_a_form_was_refused() {
    let app = TestApp::start().await;
    let refused = app.anonymous().post_form("/register", &[]).await;
    assert!(refused.text.contains("<title>Error: Register · Farthing</title>"), "{}", refused.text);
    assert!(refused.text.contains("Please fix 3 things"), "{}", refused.text);
}

#[tokio::test]
async fn every_page_has_a_new_nonce_for_its_scripts() {
    let app = TestApp::start().await;
    for path in ["/", "/sign-in", "/nope"] {
        let (page, again) = (app.anonymous().get(path).await, app.anonymous().get(path).await);
        assert_ne!(nonce(&page), nonce(&again));
        assert!(!page.header("content-security-policy").contains("unsafe-inline"));
        assert_eq!(page.header("cache-control"), "no-store");
        let nonce = format!("nonce=\"{}\"", nonce(&page));
        for script in page.text.split("<script").skip(1) {
            assert!(script.split('>').next().unwrap().contains(&nonce), "{script}");
        }
    }
}

#[tokio::test]
async fn an_unknown_address_shows_a_page() {
    let app = TestApp::start().await;
    for path in ["/nope", "/auctions/nope/nope", "/..%2f", "/apis"] {
        let answer = app.anonymous().get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        assert!(answer.text.contains("Page not found"), "{path}");
    }
    app.anonymous().get("/pkg/nope.js").await.expect_problem(404, "NOT_FOUND");
    app.anonymous().post_form("/nope", &[]).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_page_that_needs_a_session_redirects_to_sign_in_and_back() {
    let app = TestApp::start().await;
    let answer = app.anonymous().get("/auctions?cursor=x").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, "/sign-in?next=/auctions%3Fcursor%3Dx")
    );
    let page = app.user("ada").await.get("/auctions").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Sign out"));
}

#[tokio::test]
async fn a_refusal_of_a_browser_request_is_a_page() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    let request = client.request("POST", "/sign-in").header("accept", "text/html,*/*;q=0.8");
    let answer = Answer::of(request.header("origin", "https://evil.example")).await;
    assert_eq!(answer.status, 403);
    assert!(answer.header("content-type").starts_with("text/html"));
    assert!(answer.text.contains("The request comes from another site"));
    assert!(answer.text.contains(answer.header("x-request-id")));
    let request = client.request("GET", "/api/nope").header("accept", "text/html");
    Answer::of(request).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn favicon_ico_is_served() {
    let app = TestApp::start().await;
    assert_eq!(app.anonymous().get("/favicon.ico").await.status, 204);
}

//! Unknown paths and methods.

use crate::harness::{Answer, TestApp};

async fn allowed(app: &TestApp, method: &str, path: &str) -> Vec<String> {
    let answer = Answer::of(app.anonymous().request(method, path)).await;
    answer.expect_problem(405, "METHOD_NOT_ALLOWED");
    let mut allowed: Vec<_> = answer.header("allow").split(',').map(|name| name.trim().to_owned()).collect();
    allowed.sort();
    allowed
}

#[tokio::test]
async fn a_path_names_its_allowed_methods() {
    let app = TestApp::start().await;
    assert_eq!(allowed(&app, "GET", "/api/auth/login").await, ["POST"]);
    assert_eq!(allowed(&app, "PUT", "/api/user").await, ["DELETE", "GET", "HEAD", "PATCH"]);
    assert_eq!(allowed(&app, "POST", "/healthz").await, ["GET", "HEAD"]);
    assert_eq!(allowed(&app, "TRACE", "/api/user").await, ["DELETE", "GET", "HEAD", "PATCH"]);
    assert_eq!(allowed(&app, "OPTIONS", "/api/user").await, ["DELETE", "GET", "HEAD", "PATCH"]);
}

#[tokio::test]
async fn a_wrong_method_is_refused_before_all_other_checks() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let request = ada.request("PUT", "/api/user").header("origin", "https://evil.example");
    Answer::of(request).await.expect_problem(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn an_unknown_path_of_the_api_or_of_a_file_is_a_problem() {
    let app = TestApp::start().await;
    let paths =
        ["/api", "/api/", "/api/nope", "/api/user/", "/api/..%2f", "/api/user%00", "/api/auth/login/x"];
    // A file, and names that are not UTF-8.
    let more = ["/pkg/nope.js", "/pkg/%ff", "/api/invites/%ff"];
    for path in paths.into_iter().chain(more) {
        app.anonymous().get(path).await.expect_problem(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_browser_gets_a_page_for_an_unknown_file() {
    let app = TestApp::start().await;
    for path in ["/pkg/nope.js", "/pkg/%ff"] {
        let answer = Answer::of(app.anonymous().request("GET", path).header("accept", "text/html")).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.text.contains("<h1>Not found</h1>"), "{answer:?}");
    }
}

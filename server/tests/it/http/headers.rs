//! Headers of every response.

use crate::harness::{Answer, TestApp};

fn check(answer: &Answer) {
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
    assert_eq!(answer.header("x-request-id").len(), 36);
    let for_documents = ["referrer-policy", "cross-origin-opener-policy", "permissions-policy"];
    let [referrer, opener, permissions] = for_documents.map(|name| answer.header(name));
    if answer.header("content-type").ends_with("json") {
        // With `nosniff` no browser takes it for a document.
        assert_eq!([referrer, opener, permissions], [""; 3], "{answer:?}");
        return;
    }
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{answer:?}");
    let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src"));
    assert!(scripts.is_none_or(|scripts| !scripts.contains("unsafe-inline")), "{answer:?}");
    assert_eq!((referrer, opener), ("same-origin", "same-origin"));
    assert!(permissions.contains("camera=()"), "{answer:?}");
}

#[tokio::test]
async fn every_response_denies_other_sites_and_caching() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (path, status) in [
        ("/dashboard", 200),
        ("/api/user", 200),
        ("/api/nope", 404),
        ("/api/auth/login", 405),
        ("/healthz", 200),
    ] {
        let answer = ada.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        check(&answer);
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
}

#[tokio::test]
async fn browsers_are_bound_to_https_if_the_public_url_is_https() {
    for (url, expected) in [("https://bids.example.org", "max-age=31536000"), ("http://bids.example.org", "")]
    {
        let app = TestApp::start_with(|settings| settings.public_url = Some(url.parse().unwrap())).await;
        for path in ["/", "/api/user", "/healthz"] {
            let answer = app.anonymous().get(path).await;
            assert_eq!(answer.header("strict-transport-security"), expected, "{url} {path}");
        }
    }
}

#[tokio::test]
async fn what_is_the_same_for_everyone_is_cached_but_denies_other_sites_too() {
    let app = TestApp::start().await;
    for path in ["/api/openapi.json", "/api/docs/"] {
        let answer = app.anonymous().get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        check(&answer);
        assert_eq!(answer.header("cache-control"), "public, no-cache", "{path}");
    }
}

#[tokio::test]
async fn an_internal_error_has_them_too_and_reveals_nothing() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    app.write("DROP TABLE sessions").await;
    let answer = ada.get("/api/user").await;
    let problem = answer.expect_problem(500, "INTERNAL");
    check(&answer);
    for word in ["sqlite", "postgres", "sessions", "src/", "panic"] {
        assert!(!answer.text.to_ascii_lowercase().contains(word), "{problem}");
    }
}

#[tokio::test]
async fn the_server_assigns_each_request_its_own_id() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    let request = || Answer::of(client.request("GET", "/api/user").header("x-request-id", "mine"));
    let (first, second) = (request().await, request().await);
    assert_ne!(first.header("x-request-id"), "mine");
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}

#[tokio::test]
async fn large_responses_are_compressed_if_the_client_accepts_it() {
    let app = TestApp::start().await;
    for (accepted, used) in [("gzip, br", "br"), ("gzip", "gzip"), ("identity", "")] {
        let request = app.anonymous().request("GET", "/api/openapi.json").header("accept-encoding", accepted);
        let response = request.send().await.unwrap();
        let encoding = response.headers().get("content-encoding").map_or("", |value| value.to_str().unwrap());
        assert_eq!(encoding, used);
    }
    let small = Answer::of(app.anonymous().request("GET", "/api/user").header("accept-encoding", "br")).await;
    assert_eq!(small.header("content-encoding"), "");
}

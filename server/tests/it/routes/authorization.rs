//! What someone who is not signed in gets, for every operation there is. An operation without a row fails the
//! test, and so does a row without its operation.

use crate::harness::{Answer, TestApp};

/// Method, path, and the status of a request without a body. Whatever is open to anyone and wants a body says
/// 415.
const ANONYMOUS: &[(&str, &str, u16)] = &[
    ("get", "/healthz", 200),
    ("get", "/readyz", 200),
    ("get", "/api/auctions", 401),
    ("post", "/api/auctions", 401),
    ("delete", "/api/auctions/{auction_id}", 401),
    ("get", "/api/auctions/{auction_id}", 401),
    ("patch", "/api/auctions/{auction_id}", 401),
    ("post", "/api/auctions/{auction_id}/close", 401),
    ("get", "/api/auctions/{auction_id}/currencies", 401),
    ("post", "/api/auctions/{auction_id}/currencies", 401),
    ("delete", "/api/auctions/{auction_id}/currencies/{currency_id}", 401),
    ("get", "/api/auctions/{auction_id}/currencies/{currency_id}", 401),
    ("patch", "/api/auctions/{auction_id}/currencies/{currency_id}", 401),
    ("get", "/api/auctions/{auction_id}/currency-rules", 401),
    ("post", "/api/auctions/{auction_id}/currency-rules", 401),
    ("delete", "/api/auctions/{auction_id}/currency-rules/{rule_id}", 401),
    ("get", "/api/auctions/{auction_id}/currency-rules/{rule_id}", 401),
    ("patch", "/api/auctions/{auction_id}/currency-rules/{rule_id}", 401),
    ("get", "/api/auctions/{auction_id}/events", 401),
    ("get", "/api/auctions/{auction_id}/items", 401),
    ("post", "/api/auctions/{auction_id}/items", 401),
    ("delete", "/api/auctions/{auction_id}/items/{item_id}", 401),
    ("get", "/api/auctions/{auction_id}/items/{item_id}", 401),
    ("patch", "/api/auctions/{auction_id}/items/{item_id}", 401),
    ("get", "/api/auctions/{auction_id}/items/{item_id}/bids", 401),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/bids", 401),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/bids/validate", 401),
    ("get", "/api/auctions/{auction_id}/items/{item_id}/events", 401),
    ("post", "/api/auctions/{auction_id}/join", 401),
    ("post", "/api/auth/login", 415),
    ("post", "/api/auth/logout", 204),
    ("post", "/api/auth/register", 415),
    ("get", "/api/system/settings", 401),
    ("patch", "/api/system/settings", 401),
    ("get", "/api/version", 200),
    ("get", "/api/system/update", 401),
    ("post", "/api/system/update", 401),
    ("get", "/api/system/update/events", 401),
    ("delete", "/api/user", 401),
    ("get", "/api/user", 401),
    ("patch", "/api/user", 401),
    ("post", "/api/user/password", 401),
];

#[tokio::test]
async fn every_operation_says_what_anonymous_gets() {
    let app = TestApp::start().await;
    let document = serde_json::to_value(server::router::document()).unwrap();
    let mut operations: Vec<(String, String)> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        operations.extend(methods.as_object().unwrap().keys().map(|method| (method.clone(), path.clone())));
    }
    let mut rows: Vec<_> =
        ANONYMOUS.iter().map(|(method, path, _)| (method.to_string(), path.to_string())).collect();
    operations.sort();
    rows.sort();
    assert_eq!(operations, rows);

    for (method, path, status) in ANONYMOUS {
        let path = fill(path);
        let answer = Answer::of(app.anonymous().request(&method.to_uppercase(), &path)).await;
        assert_eq!(answer.status.as_u16(), *status, "{method} {path}: {}", answer.text);
    }
}

/// The path with an id that nothing has in the place of each parameter.
fn fill(path: &str) -> String {
    let parts = path
        .split('/')
        .map(|part| if part.starts_with('{') { "019de4b2-8d00-72b4-886e-c524888c51db" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

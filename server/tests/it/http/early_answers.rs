//! Answers before the body of a request was read: the connection takes no request after them, and they say
//! so.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::TestApp;
use crate::routes::auctions::auction;

const JSON: &str = "Content-Type: application/json\r\nContent-Length: 20\r\n";

/// The head of the answer to a request whose body has not arrived yet.
async fn head(app: &TestApp, request_line: &str, headers: &str) -> String {
    let mut connection = TcpStream::connect(app.address).await.unwrap();
    let request = format!("{request_line} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", app.address);
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 1024];
        let read = connection.read(&mut part).await.unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&answer).to_ascii_lowercase()
}

#[tokio::test]
async fn an_answer_before_the_body_says_that_the_connection_ends() {
    let app = TestApp::start().await;
    let cross_site = format!("{JSON}Cookie: session=x; session-0=x\r\nSec-Fetch-Site: cross-site\r\n");
    for (line, headers, status) in [
        ("POST /api/auctions", JSON, 401),
        ("PUT /api/auctions", JSON, 405),
        ("POST /api/nope", JSON, 404),
        ("POST /api/auctions/x/items", JSON, 401),
        ("POST /api/auth/login", cross_site.as_str(), 403),
        ("POST /auctions/new", "Content-Type: text/plain\r\nContent-Length: 70000\r\n", 415),
    ] {
        let answer = head(&app, line, headers).await;
        if !answer.starts_with(&format!("http/1.1 {status}")) {
            assert!(line.contains("auctions/new"), "{line}: {answer}");
        }
        assert!(answer.contains("\r\nconnection: close\r\n"), "{line}: {answer}");
    }
    let without_body = head(&app, "GET /api/auctions", "").await;
    assert!(without_body.starts_with("http/1.1 401") && !without_body.contains("connection: close"));
}

/// A session makes no difference.
#[tokio::test]
async fn an_answer_in_a_session_before_the_body_says_that_the_connection_ends() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let headers = format!("{JSON}Cookie: {}\r\n", app.cookie_of("ada").await);
    for (method, path, status) in [
        ("POST", "/api/auctions/x/items", 404),
        ("PATCH", &format!("{path}/items/x"), 404),
        ("POST", &format!("{path}/items/x/hammer"), 404),
        ("PATCH", &format!("{path}x"), 404),
        ("PATCH", &format!("{path}/nope"), 404),
        ("PUT", "/api/user", 405),
    ] {
        let answer = head(&app, &format!("{method} {path}"), &headers).await;
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{method} {path}: {answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{method} {path}: {answer}");
    }
}

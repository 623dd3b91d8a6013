//! The header `Host`.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Answer, PASSWORD, TestApp};

/// The answer to a request with this head.
async fn answer(app: &TestApp, head: &str) -> String {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let request = format!("GET /api/version {head}connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test]
async fn a_request_names_one_host() {
    let app = TestApp::start().await;
    for head in ["HTTP/1.1\r\nhost: a.example\r\n", "HTTP/1.0\r\n", "HTTP/1.0\r\nhost: a.example\r\n"] {
        assert!(answer(&app, head).await.contains(" 200 OK"), "{head}");
    }
    let two = "host: a.example\r\nhost: b.example\r\n";
    for head in ["HTTP/1.1\r\n".to_owned(), format!("HTTP/1.1\r\n{two}"), format!("HTTP/1.0\r\n{two}")] {
        let text = answer(&app, &head).await;
        assert!(text.contains(" 400 Bad Request") && text.contains("\"code\":\"INVALID_HOST\""), "{text}");
    }
}

/// The page of an attacker whose name leads here has the same origin as its requests.
#[tokio::test]
async fn a_name_that_is_not_of_this_site_changes_nothing() {
    let app = TestApp::start().await;
    let register = async |name: &str, origin: &str, host: &str| {
        let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD, "name": name});
        let request = app.anonymous().request("POST", "/api/auth/register");
        let request = request.header("content-type", "application/json").header("host", host);
        Answer::of(request.header("origin", origin).body(body.to_string())).await
    };
    let refused = register("eve", "http://evil.example:3000", "evil.example:3000").await;
    refused.expect_problem(403, "CROSS_SITE");
    assert!(refused.text.contains("--public-url"), "{}", refused.text);
    register("ada", "http://nas.local", "nas.local").await.expect(201);
    register("bob", "http://192.168.1.7:3000", "192.168.1.7:3000").await.expect(201);
}

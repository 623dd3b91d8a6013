//! Requirements on the body of every request.

use reqwest::Body;

use crate::harness::{Answer, Client, TestApp};

const PATH: &str = "/api/auth/login";

async fn send(client: &Client, kind: Option<&str>, body: impl Into<Body>) -> Answer {
    let mut request = client.request("POST", PATH).body(body);
    if let Some(kind) = kind {
        request = request.header("content-type", kind);
    }
    Answer::of(request).await
}

#[tokio::test]
async fn json_is_parsed_strictly() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    for body in [
        "",
        "{",
        "nonsense",
        "{\"email\":1}}",
        "{\"email\": \"a\",}",
        "\u{feff}{}",
        "{'email': 1}",
        "{\"email\": \"\\ud800\", \"password\": \"x\"}",
    ] {
        client.send_text("POST", PATH, body).await.expect_problem(400, "MALFORMED_JSON");
    }
    let latin1: &[u8] = b"{\"email\": \"\xe9\", \"password\": \"x\"}";
    send(&client, Some("application/json"), latin1).await.expect_problem(400, "MALFORMED_JSON");
}

#[tokio::test]
async fn a_body_of_another_shape_is_invalid() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    let twice = r#"{"email": "a", "email": "b", "password": "c"}"#;
    for body in ["null", "[]", "7", "\"x\"", r#"["a", "b"]"#, "{}", twice, &deep] {
        client.send_text("POST", PATH, body).await.expect_problem(422, "INVALID_BODY");
    }
}

#[tokio::test]
async fn other_media_types_are_unsupported() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    let body = r#"{"email": "ada@example.org", "password": "x"}"#;
    for kind in
        [None, Some("text/plain"), Some("application/x-www-form-urlencoded"), Some("multipart/form-data")]
    {
        send(&client, kind, body).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    for kind in ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"] {
        send(&client, Some(kind), body).await.expect_problem(401, "INVALID_CREDENTIALS");
    }
}

#[tokio::test]
async fn a_body_over_64_kib_is_too_large() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    let sized = |bytes: usize| {
        let frame = r#"{"email":"","password":""}"#;
        frame.replacen("\"\"", &format!("\"{}\"", "x".repeat(bytes - frame.len())), 1)
    };
    let json = Some("application/json");
    send(&client, json, sized(64 * 1024)).await.expect_problem(401, "INVALID_CREDENTIALS");
    send(&client, json, sized(64 * 1024 + 1)).await.expect_problem(413, "TOO_LARGE");
    send(&client, json, sized(5_000_000)).await.expect_problem(413, "TOO_LARGE");
    send(&client, None, sized(5_000_000)).await.expect_problem(413, "TOO_LARGE");
}

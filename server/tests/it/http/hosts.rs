//! The header `Host`.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::TestApp;

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

//! Compression of large answers.

use std::sync::Mutex;

use axum::body::{self, Body};
use axum::extract::Request;
use axum::http::header;
use axum::routing::get;
use axum::{Router, response};
use server::http::layers::layered;
use tower::ServiceExt;

use crate::harness::TestApp;

/// On the one thread of the test, as on a connection thread.
#[tokio::test]
async fn a_large_answer_does_not_hold_up_its_thread_while_it_is_compressed() {
    let app = TestApp::start().await;
    let large = "all work and no play ".repeat(400_000);
    let length = large.len();
    let routes = Router::new().route("/large", get(async || large)).route("/small", get(async || "small"));
    let routes = layered(routes, &app.state);
    let order = Mutex::new(Vec::new());
    let request = async |path: &'static str| {
        let request =
            Request::get(path).header(header::HOST, "localhost").header(header::ACCEPT_ENCODING, "br");
        let request = request.body(Body::empty()).unwrap();
        let answer: response::Response = routes.clone().oneshot(request).await.unwrap();
        let encoding = answer.headers().get(header::CONTENT_ENCODING).cloned();
        let body = body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        order.lock().unwrap().push(path);
        (encoding, body.len())
    };
    let ((encoding, bytes), (none, _)) = tokio::join!(request("/large"), request("/small"));
    assert_eq!((encoding.unwrap().as_bytes(), none), (b"br".as_slice(), None));
    assert!(bytes < length / 10, "{bytes}");
    assert_eq!(*order.lock().unwrap(), ["/small", "/large"]);
}

//! The layers around all routes.

use axum::Router;
use axum::extract::Request;
use axum::routing::get;
use axum::{Json, body};
use serde::ser::Error;
use serde::{Serialize, Serializer};
use server::http::layers::layered;
use tower::ServiceExt;

use crate::harness::TestApp;

/// A document that can't be written.
struct Broken;

impl Serialize for Broken {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("secret cause"))
    }
}

#[tokio::test]
async fn a_response_that_can_not_be_serialized_and_a_panic_are_problems_without_their_cause() {
    let app = TestApp::start().await;
    let panics = get(async || {
        if true {
            panic!("secret cause")
        }
    });
    let routes = Router::new().route("/broken", get(async || Json(Broken))).route("/panics", panics);
    let routes = layered(routes, &app.state);
    for path in ["/broken", "/panics"] {
        let request = Request::get(path).header("host", "localhost").body(body::Body::empty()).unwrap();
        let response = routes.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let body = body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(problem["code"], "INTERNAL", "{path}");
        assert!(!problem.to_string().contains("secret"), "{problem}");
    }
}

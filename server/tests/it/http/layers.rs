//! The layers around all routes.

use std::sync::Mutex;
use std::time::Duration;

use auction_house::ids::UserId;
use axum::Router;
use axum::extract::Request;
use axum::routing::{any, get};
use axum::{Json, body};
use platform::http::codes;
use platform::http::problem::Problem;
use platform::low_priority;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use server::http::layers::layered;
use tokio::time::timeout;
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

#[tokio::test]
async fn reads_run_with_a_low_priority_and_bids_files_and_streams_do_not() {
    let app = TestApp::start().await;
    let routes = Router::new().fallback(any(async || low_priority::is_current().to_string()));
    let routes = layered(routes, &app.state);
    for (method, path, is_low) in [
        ("GET", "/auctions/1", "true"),
        ("GET", "/api/auctions", "true"),
        ("GET", "/auctions/1/events", "true"),
        ("GET", "/api/auctions/1/events", "false"),
        ("POST", "/api/auctions/1/items/2/bids", "false"),
        ("GET", "/pkg/bid.js", "false"),
        ("GET", "/healthz", "false"),
    ] {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let response = routes.clone().oneshot(request.body(body::Body::empty()).unwrap()).await.unwrap();
        let body = body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(body, is_low, "{method} {path}");
    }
}

#[tokio::test]
async fn a_client_with_many_reads_waits_behind_itself_and_others_go_on() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let id = ada.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    let ada_id: UserId = id.parse().unwrap();
    let reads = &app.state.reads;
    let first = [reads.acquire(ada_id.into()).await.unwrap(), reads.acquire(ada_id.into()).await.unwrap()];
    let mut third = std::pin::pin!(ada.get("/api/user"));
    assert!(timeout(Duration::from_millis(300), &mut third).await.is_err(), "waits");
    assert_eq!(timeout(Duration::from_secs(5), bob.get("/dashboard")).await.unwrap().status, 200);
    assert_eq!(timeout(Duration::from_secs(5), app.anonymous().get("/")).await.unwrap().status, 200);
    drop(first);
    assert_eq!(third.await.status, 200);
}

#[tokio::test]
async fn a_client_that_is_over_a_limit_waits_for_the_refusal() {
    let app = TestApp::start().await;
    for (code, status) in [(codes::TOO_MANY_REQUESTS, 429), (codes::OVERLOADED, 503)] {
        let refused = any(async move || Problem::plain(code));
        let routes = Router::new().route("/refused", refused).fallback(any(async || "done"));
        let routes = layered(routes, &app.state);
        let order = Mutex::new(Vec::new());
        let request = async |path: &'static str| {
            let request = Request::post(path).header("host", "localhost").body(body::Body::empty()).unwrap();
            let response = routes.clone().oneshot(request).await.unwrap();
            order.lock().unwrap().push((path, response.status().as_u16()));
        };
        tokio::join!(request("/refused"), request("/other"));
        assert_eq!(*order.lock().unwrap(), [("/other", 200), ("/refused", status)]);
    }
}

#[tokio::test]
async fn a_write_with_a_large_body_runs_with_a_low_priority_one_of_a_client_at_a_time() {
    let app = TestApp::start().await;
    let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    let opened = std::sync::Arc::clone(&gate);
    let wait = any(async move || {
        arrived.send(low_priority::is_current()).unwrap();
        opened.acquire().await.unwrap().forget();
    });
    let routes = layered(Router::new().route("/wait", wait), &app.state);
    let request = async |bytes: usize| {
        let request = Request::post("/wait").header("host", "localhost").header("content-length", bytes);
        routes.clone().oneshot(request.body(body::Body::from(vec![b'x'; bytes])).unwrap()).await.unwrap()
    };
    let (mut first, mut second) = (Box::pin(request(5_000)), Box::pin(request(5_000)));
    let mut small = Box::pin(request(4_000));
    tokio::select! {
        _ = &mut first => panic!("it waits"),
        is_low = arrivals.recv() => assert_eq!(is_low, Some(true)),
    }
    assert!(timeout(Duration::from_millis(300), &mut second).await.is_err());
    assert!(arrivals.try_recv().is_err(), "it waits for its turn");
    assert!(timeout(Duration::from_millis(300), &mut small).await.is_err());
    assert_eq!(arrivals.try_recv(), Ok(false));
    gate.add_permits(3);
    for answer in [first.await, second.await, small.await] {
        assert_eq!(answer.status(), 200);
    }
}

//! Requests that another site makes a browser send.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};

async fn send(client: &Client, method: &str, path: &str, body: Value, headers: &[(&str, &str)]) -> Answer {
    let mut request = client.request(method, path).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request.body(body.to_string())).await
}

#[tokio::test]
async fn a_change_with_a_cookie_must_come_from_this_site() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let here = format!("http://{}", app.address);
    let rename = |headers: Vec<(&'static str, String)>| {
        let ada = &ada;
        async move {
            let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            send(ada, "PATCH", "/api/user", json!({ "name": "Ada" }), &headers).await
        }
    };
    for elsewhere in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://127.0.0.1:1"),
    ] {
        rename(vec![(elsewhere.0, elsewhere.1.to_owned())]).await.expect_problem(403, "CROSS_SITE");
    }
    for fine in [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "none"), ("origin", here.as_str())] {
        rename(vec![(fine.0, fine.1.to_owned())]).await.expect(200);
    }
    rename(vec![]).await.expect(200);
    let said_by_browser = [("sec-fetch-site", "cross-site".to_owned()), ("origin", here.clone())];
    rename(said_by_browser.to_vec()).await.expect_problem(403, "CROSS_SITE");
}

#[tokio::test]
async fn reading_is_never_refused_and_other_sites_cannot_read_the_answer() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let elsewhere = [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")];
    let answer = send(&ada, "GET", "/api/user", json!({}), &elsewhere).await;
    answer.expect(200);
    assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
}

#[tokio::test]
async fn signing_in_and_registering_are_checked_without_a_cookie() {
    let app = TestApp::start().await;
    let elsewhere = [("origin", "https://evil.example")];
    let body = json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Ada" });
    let client = app.anonymous();
    let registered = send(&client, "POST", "/api/auth/register", body.clone(), &elsewhere).await;
    registered.expect_problem(403, "CROSS_SITE");
    let signed_in = send(&client, "POST", "/api/auth/login", body, &elsewhere).await;
    signed_in.expect_problem(403, "CROSS_SITE");
}

#[tokio::test]
async fn a_change_without_a_cookie_is_unauthenticated() {
    let app = TestApp::start().await;
    let answer = send(&app.anonymous(), "PATCH", "/api/user", json!({}), &[("origin", "null")]).await;
    answer.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_public_url_is_the_only_origin() {
    let app = TestApp::start_with(|settings| settings.public_url = "http://bids.example".parse().ok()).await;
    let ada = app.user("ada").await;
    let here = format!("http://{}", app.address);
    let rename = |origin: String| {
        let ada = &ada;
        async move { send(ada, "PATCH", "/api/user", json!({ "name": "Ada" }), &[("origin", &origin)]).await }
    };
    rename(here).await.expect_problem(403, "CROSS_SITE");
    rename("http://bids.example".to_owned()).await.expect(200);
}

/// Every operation that changes something by the session has the check.
#[tokio::test]
async fn every_operation_that_changes_something_is_guarded() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let document = serde_json::to_value(server::router::document()).unwrap();
    let mut seen = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys().filter(|method| *method != "get") {
            let path = path.replace(['{', '}'], "");
            let elsewhere = [("sec-fetch-site", "cross-site")];
            let answer = send(&ada, &method.to_ascii_uppercase(), &path, json!({}), &elsewhere).await;
            assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text);
            answer.expect_problem(403, "CROSS_SITE");
            seen += 1;
        }
    }
    assert!(seen >= 6);
}

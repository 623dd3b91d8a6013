use serde_json::json;

use crate::harness::{Answer, TestApp};

#[tokio::test]
async fn signing_out_ends_the_session_on_the_server() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    let body = json!({ "email": "ada@example.org", "password": crate::harness::PASSWORD, "name": "Ada" });
    let answer = client.post("/api/auth/register", body).await;
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();

    let ended = Answer::of(client.request("POST", "/api/auth/logout")).await;
    ended.expect(204);
    assert!(ended.header("set-cookie").contains("Max-Age=0"));
    client.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let copy = Answer::of(app.anonymous().request("GET", "/api/user").header("cookie", cookie)).await;
    copy.expect_problem(401, "UNAUTHENTICATED");
    Answer::of(client.request("POST", "/api/auth/logout")).await.expect(204);
}

use crate::harness::TestApp;

#[tokio::test]
async fn without_its_database_a_server_is_alive_but_not_ready() {
    let app = TestApp::start().await;
    let probe = app.anonymous();
    assert_eq!(probe.get("/healthz").await.status, 200);
    assert_eq!(probe.get("/readyz").await.status, 200);
    app.state.context.db.close().await;
    assert_eq!(probe.get("/healthz").await.status, 200);
    let answer = probe.get("/readyz").await;
    answer.expect_problem(503, "OVERLOADED");
    assert_ne!(answer.header("retry-after"), "");
}

mod api;
mod git;
mod stub;

use ::installation::releases::{self, check as checks};
use installation::config::{Releases, Switch};
use serde_json::{Value, json};

use crate::harness::{Client, TestApp};
use stub::Stub;

const PATH: &str = "/api/version";

/// A server with this source of releases.
async fn asking(address: &str) -> TestApp {
    TestApp::start_with(|settings| {
        settings.rate_limits = Switch::Off;
        settings.releases_url = Releases::Api(address.to_owned());
    })
    .await
}

async fn known(app: &TestApp) -> Value {
    app.anonymous().get(PATH).await.expect(200)
}

async fn check(app: &TestApp) {
    checks::check_if_due(&app.state.installation).await.unwrap();
}

/// The answer if the latest release is unknown, with the reason.
fn nothing(why: &str) -> Value {
    let current = releases::current().to_string();
    json!({ "currentVersion": current, "latestVersion": current, "updateAvailable": false, "releaseUrl": null,
        "checkError": why })
}

async fn admin(app: &TestApp) -> Client {
    let ada = app.user("ada").await;
    ada.patch("/api/system/settings", json!({ "deploymentAdminEmail": "ada@example.org" })).await.expect(200);
    ada
}

#[tokio::test]
async fn a_newer_release_is_reported_with_its_notes() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/new")).await;
    assert_eq!(known(&app).await, nothing("the release source has not answered yet"));
    check(&app).await;
    let version = json!({ "currentVersion": releases::current().to_string(), "latestVersion": "99.10.0",
        "updateAvailable": true, "releaseUrl": "https://example.org/releases/99.10.0", "checkError": null });
    assert_eq!(known(&app).await, version);
    assert_eq!(stub.agent(), format!("farthing/{}", releases::current()));
}

#[tokio::test]
async fn older_releases_and_pre_releases_are_no_updates() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/old")).await;
    check(&app).await;
    let version = known(&app).await;
    assert_eq!((&version["latestVersion"], &version["updateAvailable"]), (&json!("0.0.9"), &json!(false)));
    let app = asking(&stub.at("/pre-release")).await;
    check(&app).await;
    assert_eq!(known(&app).await, nothing("the release source names no plain version such as v1.2.3"));
}

#[tokio::test]
async fn the_source_is_requested_once_an_hour() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/new")).await;
    for _ in 0..3 {
        tokio::join!(check(&app), check(&app), known(&app));
        app.clock.advance_seconds(1199);
    }
    assert_eq!(stub.count(), 1);
    app.clock.advance_seconds(3);
    check(&app).await;
    assert_eq!(stub.count(), 2);
    // Also after a restart of the server.
    let app = app.restart().await;
    check(&app).await;
    assert_eq!(stub.count(), 2);
    assert_eq!(known(&app).await["latestVersion"], "99.10.0");
}

#[tokio::test]
async fn several_servers_share_one_request() {
    let stub = Stub::start().await;
    let address = stub.at("/new");
    let one =
        TestApp::start_on_postgres_with(|settings| settings.releases_url = Releases::Api(address)).await;
    let other = one.another().await;
    for _ in 0..2 {
        tokio::join!(check(&one), check(&other), check(&one), check(&other));
    }
    assert_eq!(stub.count(), 1);
    assert_eq!(known(&one).await["latestVersion"], "99.10.0");
    assert_eq!(known(&one).await, known(&other).await);
}

#[tokio::test]
async fn without_automatic_checks_there_is_no_request() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/new")).await;
    let ada = admin(&app).await;
    ada.patch("/api/system/settings", json!({ "autoCheckUpdates": false })).await.expect(200);
    for _ in 0..3 {
        check(&app).await;
        assert_eq!(known(&app).await, nothing("automatic checks are switched off"));
        app.clock.advance_seconds(3600);
    }
    assert_eq!(stub.count(), 0);

    // After switching on, the server's background task requests it at once.
    checks::start_checks(std::sync::Arc::clone(&app.state.installation));
    ada.patch("/api/system/settings", json!({ "autoCheckUpdates": true })).await.expect(200);
    stub.asked().await;
    assert_eq!(stub.count(), 1);
}

#[tokio::test]
async fn the_admin_looks_up_the_latest_release_at_any_time() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/new")).await;
    let ada = admin(&app).await;
    ada.patch("/api/system/settings", json!({ "autoCheckUpdates": false })).await.expect(200);
    for count in 1..=2 {
        let done = ada.post_form("/admin/look-up", &[]).await;
        assert_eq!(
            (done.status.as_u16(), done.header("location")),
            (303, "/admin?subject=version&done=looked-up")
        );
        assert_eq!(stub.count(), count);
    }
    let told = known(&app).await;
    assert_eq!((&told["latestVersion"], &told["updateAvailable"]), (&json!("99.10.0"), &json!(true)));
    assert_eq!(told["checkError"], "automatic checks are switched off");
    assert!(ada.get("/admin?subject=update").await.text.contains("Farthing 99.10.0 is available."));
}

#[tokio::test]
async fn an_update_to_an_unknown_release_needs_a_confirmation() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/old")).await;
    let ada = admin(&app).await;
    let refused = ada.post_form("/admin/update", &[]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("Confirm that the update may install"), "{}", refused.text);
    ada.get("/api/system/update").await.expect(200).as_null().expect("no run was started");
    let unproven = ada.post_form("/admin/update", &[("confirmed", "true")]).await;
    assert!(unproven.status == 422 && unproven.text.contains("Enter your password."), "{}", unproven.text);
    let proven = [("confirmed", "true"), ("updatePassword", crate::harness::PASSWORD)];
    assert_eq!(ada.post_form("/admin/update", &proven).await.status, 303);
    assert!(ada.get("/api/system/update").await.expect(200)["id"].is_string());
}

#[tokio::test]
async fn the_operator_switches_the_look_up_off() {
    let app = TestApp::start_with(|settings| settings.releases_url = Releases::Off).await;
    let ada = admin(&app).await;
    check(&app).await;
    assert_eq!(known(&app).await, nothing("releases are not looked up, because `releases-url` is `off`"));
    let done = ada.post_form("/admin/look-up", &[]).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, "/admin?subject=version"));
    let page = ada.get("/admin?subject=version").await.text;
    assert!(!page.contains("Check now") && !page.contains("Check for a release"), "{page}");
}

#[tokio::test]
async fn the_last_answer_is_kept_while_the_source_fails() {
    let stub = Stub::start().await;
    let app = asking(&stub.at("/once")).await;
    check(&app).await;
    let mut version = known(&app).await;
    assert_eq!(version["checkError"], json!(null));
    app.clock.advance_seconds(3600);
    check(&app).await;
    version["checkError"] = json!("the release source answered with status 503");
    assert_eq!(known(&app).await, version);
}

#[tokio::test]
async fn an_invalid_answer_of_the_source_changes_nothing() {
    let stub = Stub::start().await;
    for (path, why) in stub::QUICK {
        let app = asking(&stub.at(path)).await;
        check(&app).await;
        assert_eq!(known(&app).await, nothing(why), "{path}");
    }
}

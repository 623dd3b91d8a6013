use accounts::administration::issue_claim_code;
use accounts::audit;
use auction_house::ids::UserId;
use installation::config::Switch;
use platform::db::query_scalar;
use platform::time::Clock;
use serde_json::{Value, json};

use crate::harness::{Client, PASSWORD, TestApp};

const PATH: &str = "/api/system/settings";

async fn settings(client: &Client) -> Value {
    client.get(PATH).await.expect(200)
}

fn admin(email: &str) -> Value {
    json!({ "deploymentAdminEmail": email })
}

/// Makes the user with this e-mail the Deployment Admin.
pub async fn claim(user: &Client, email: &str) {
    user.patch(PATH, admin(email)).await.expect(200);
}

/// A server with its Deployment Admin Ada and another user, Bob.
pub(super) async fn administered() -> (TestApp, Client, Client) {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    ada.patch(PATH, admin("ada@example.org")).await.expect(200);
    (app, ada, bob)
}

/// Entries of the audit log, newest first: action and detail, actor and subject.
pub(super) async fn log(app: &TestApp) -> Vec<String> {
    let entries = audit::latest(&mut app.state.context.db.read().await.unwrap(), 20).await.unwrap();
    let name = |name: Option<String>| name.unwrap_or_else(|| "-".to_owned());
    let words = entries.into_iter().map(|entry| {
        assert_eq!(entry.at, app.state.context.clock.now());
        format!("{} {} {} {}", name(entry.actor), entry.action, name(entry.subject), name(entry.detail))
    });
    words.collect()
}

async fn updated_at(app: &TestApp) -> i64 {
    let sql = "SELECT updated_at FROM system_settings WHERE id = 'system'";
    query_scalar(sql).fetch_one(&mut app.state.context.db.read().await.unwrap()).await.unwrap()
}

#[tokio::test]
async fn there_is_no_admin_until_a_user_claims_the_role() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let unset = json!({ "deploymentAdminEmail": null, "autoCheckUpdates": true, "adminSecondFactor": false });
    assert_eq!(settings(&ada).await, unset);
    for email in ["bob@example.org", "nobody@example.org"] {
        ada.patch(PATH, admin(email)).await.expect_problem(422, "CLAIM_FOR_SELF_ONLY");
    }
    assert_eq!(ada.patch(PATH, json!({})).await.expect(200), unset);
    assert_eq!(settings(&bob).await, unset);

    let set = ada.patch(PATH, admin(" ADA@example.org ")).await.expect(200);
    assert_eq!(
        set,
        json!({ "deploymentAdminEmail": "ada@example.org", "autoCheckUpdates": true, "adminSecondFactor": false })
    );
    assert_eq!(settings(&bob).await, set);
    assert_eq!(log(&app).await, ["ada CLAIMED - -"]);
}

#[tokio::test]
async fn one_of_many_concurrent_claims_wins() {
    let app = TestApp::start().await;
    claim_at_once(&app, &[&app]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_claims_at_two_servers_wins() {
    let app = TestApp::start_on_postgres().await;
    let other = app.another().await;
    claim_at_once(&app, &[&app, &other]).await;
}

async fn claim_at_once(app: &TestApp, servers: &[&TestApp]) {
    let mut claims = tokio::task::JoinSet::new();
    for n in 0..20 {
        let name = format!("user{n}");
        let client = app.user(&name).await.at(servers[n % servers.len()].address);
        claims.spawn(async move {
            let email = format!("{name}@example.org");
            let answer = client.patch(PATH, admin(&email)).await;
            if answer.status == 200 {
                return Some(email);
            }
            answer.expect_problem(403, "DEPLOYMENT_ADMIN_TAKEN");
            None
        });
    }
    let winners: Vec<String> = claims.join_all().await.into_iter().flatten().collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    let late = app.user("late").await;
    assert_eq!(settings(&late).await["deploymentAdminEmail"], winners[0]);
    assert_eq!(log(app).await.len(), 1);
}

#[tokio::test]
async fn only_the_account_that_the_operator_has_named_may_claim() {
    let app = TestApp::start_with(|settings| settings.admin_email = "ADA@example.org".parse().ok()).await;
    let bob = app.user("bob").await;
    for email in ["bob@example.org", "ada@example.org", ""] {
        bob.patch(PATH, admin(email)).await.expect_problem(403, "FORBIDDEN");
    }
    assert_eq!(bob.patch(PATH, json!({})).await.expect(200)["deploymentAdminEmail"], json!(null));
    let ada = app.user("ada").await;
    // Without mail anybody can register with this e-mail: the code proves who it is.
    ada.patch(PATH, admin("ada@example.org")).await.expect_problem(403, "CLAIM_CODE_REQUIRED");
    let code = issue_claim_code(&app.state.context.db, app.clock.now()).await.unwrap().unwrap();
    let with_code = |email: &str| json!({ "deploymentAdminEmail": email, "claimCode": code.as_str() });
    bob.patch(PATH, with_code("bob@example.org")).await.expect_problem(403, "FORBIDDEN");
    ada.patch(PATH, with_code("bob@example.org")).await.expect_problem(422, "CLAIM_FOR_SELF_ONLY");
    ada.patch(PATH, with_code("ada@example.org")).await.expect(200);
    // The setting is about the first Deployment Admin.
    ada.patch(PATH, admin("bob@example.org")).await.expect(200);
    ada.patch(PATH, admin("ada@example.org")).await.expect_problem(403, "DEPLOYMENT_ADMIN_TAKEN");
}

#[tokio::test]
async fn a_claim_needs_the_code_if_the_operator_requires_it() {
    let app = TestApp::start_with(|settings| settings.claim_code = Switch::On).await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let with = |code: Value| json!({ "deploymentAdminEmail": "ada@example.org", "claimCode": code });
    ada.patch(PATH, with(json!("00000-00000-00000-00000"))).await.expect_problem(403, "CLAIM_CODE_REQUIRED");

    let (db, now) = (&app.state.context.db, app.clock.now());
    let code = issue_claim_code(db, now).await.unwrap().unwrap();
    assert_eq!(issue_claim_code(db, now).await.unwrap().unwrap().as_str(), code.as_str(), "it stays");
    for wrong in [json!(null), json!(""), json!(1), json!("00000-00000-00000-00000")] {
        ada.patch(PATH, with(wrong)).await.expect_problem(403, "CLAIM_CODE_REQUIRED");
    }
    ada.patch(PATH, admin("ada@example.org")).await.expect_problem(403, "CLAIM_CODE_REQUIRED");
    let with_code = with(json!(code.as_str()));
    bob.patch(PATH, with_code.clone()).await.expect_problem(422, "CLAIM_FOR_SELF_ONLY");
    assert_eq!(settings(&bob).await["deploymentAdminEmail"], json!(null));

    ada.patch(PATH, with_code.clone()).await.expect(200);
    assert!(issue_claim_code(db, now).await.unwrap().is_none());
    let sql = "SELECT count(*) FROM system_settings WHERE claim_code IS NOT NULL";
    assert_eq!(query_scalar(sql).fetch_one::<i64>(&mut db.read().await.unwrap()).await.unwrap(), 0);
    bob.patch(PATH, with_code).await.expect_problem(403, "DEPLOYMENT_ADMIN_TAKEN");
    ada.patch(PATH, admin("bob@example.org")).await.expect(200);
}

#[tokio::test]
async fn the_admin_transfers_the_role_at_once() {
    let (app, ada, bob) = administered().await;
    ada.patch(PATH, admin("nobody@example.org")).await.expect_problem(422, "USER_NOT_REGISTERED");
    let before = updated_at(&app).await;
    app.clock.advance_seconds(1);
    assert_eq!(ada.patch(PATH, admin("ADA@example.org")).await.expect(200), settings(&bob).await);
    assert_eq!(updated_at(&app).await, before, "nothing has changed");

    let set = ada.patch(PATH, admin("BOB@example.org")).await.expect(200);
    assert_eq!(set["deploymentAdminEmail"], "bob@example.org");
    assert_eq!(updated_at(&app).await, before + 1000);
    for body in [admin("ada@example.org"), admin("bob@example.org"), admin("eve@example.org")] {
        let problem = ada.patch(PATH, body).await.expect_problem(403, "DEPLOYMENT_ADMIN_TAKEN");
        assert_eq!(problem["detail"], "Another user is the Deployment Admin");
    }
    ada.patch(PATH, json!({ "autoCheckUpdates": false })).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(settings(&ada).await, set);
    bob.patch(PATH, json!({ "autoCheckUpdates": false })).await.expect(200);
}

#[tokio::test]
async fn only_the_admin_switches_automatic_checks() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let off = json!({ "autoCheckUpdates": false });
    ada.patch(PATH, off.clone()).await.expect_problem(403, "FORBIDDEN");
    // The stricter check applies to both.
    let both = json!({ "deploymentAdminEmail": "ada@example.org", "autoCheckUpdates": false });
    ada.patch(PATH, both).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(settings(&ada).await["deploymentAdminEmail"], json!(null));

    ada.patch(PATH, admin("ada@example.org")).await.expect(200);
    bob.patch(PATH, off.clone()).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(ada.patch(PATH, off).await.expect(200)["autoCheckUpdates"], false);
    let both = json!({ "deploymentAdminEmail": "bob@example.org", "autoCheckUpdates": true });
    let problem = bob.patch(PATH, both.clone()).await.expect_problem(403, "DEPLOYMENT_ADMIN_TAKEN");
    assert_eq!(problem["detail"], "Another user is the Deployment Admin");
    let set = ada.patch(PATH, both).await.expect(200);
    assert_eq!(
        set,
        json!({ "deploymentAdminEmail": "bob@example.org", "autoCheckUpdates": true, "adminSecondFactor": false })
    );
    let acts =
        ["ada TRANSFERRED bob -", "ada AUTO_CHECK_ON - -", "ada AUTO_CHECK_OFF - -", "ada CLAIMED - -"];
    assert_eq!(log(&app).await, acts);
}

#[tokio::test]
async fn an_invalid_patch_changes_nothing() {
    let (app, ada, bob) = administered().await;
    let (before, entries) = (settings(&ada).await, log(&app).await);
    for body in [
        json!({ "deploymentAdminEmail": null }),
        json!({ "deploymentAdminEmail": "" }),
        json!({ "deploymentAdminEmail": " " }),
        json!({ "deploymentAdminEmail": "bob" }),
        json!({ "deploymentAdminEmail": 1 }),
        json!({ "deploymentAdminEmail": ["bob@example.org"] }),
        json!({ "autoCheckUpdates": null }),
        json!({ "autoCheckUpdates": "false" }),
        json!({ "autoCheckUpdates": 0 }),
        json!({ "deploymentAdminEmail": "bob@example.org", "autoCheckUpdates": "x" }),
        json!({ "deploymentAdminEmail": null, "autoCheckUpdates": false }),
        json!({ "autoCheckUpdates": false, "id": "system" }),
        json!({ "deploymentAdminEmail": "bob@example.org", "updatedAt": "2026-05-01T18:00:00Z" }),
        json!([]),
    ] {
        ada.patch(PATH, body.clone()).await.expect_problem(422, "INVALID_BODY");
        // Missing permission is reported first.
        let status = bob.patch(PATH, body).await.status;
        assert_eq!(status, 403);
    }
    ada.send_text("PATCH", PATH, "{").await.expect_problem(400, "MALFORMED_JSON");
    bob.send_text("PATCH", PATH, "{").await.expect_problem(403, "FORBIDDEN");
    let twice = r#"{"autoCheckUpdates": false, "autoCheckUpdates": true}"#;
    ada.send_text("PATCH", PATH, twice).await.expect_problem(422, "INVALID_BODY");
    app.anonymous().patch(PATH, admin("ada@example.org")).await.expect_problem(401, "UNAUTHENTICATED");
    assert_eq!(settings(&ada).await, before);
    assert_eq!(log(&app).await, entries);

    let unset = TestApp::start().await;
    let eve = unset.user("eve").await;
    for body in [json!({ "deploymentAdminEmail": null }), json!({ "deploymentAdminEmail": "" })] {
        eve.patch(PATH, body).await.expect_problem(422, "INVALID_BODY");
    }
    eve.send_text("PATCH", PATH, "{").await.expect_problem(400, "MALFORMED_JSON");
    assert_eq!(settings(&eve).await["deploymentAdminEmail"], json!(null));
}

#[tokio::test]
async fn the_setting_follows_a_change_of_the_admins_email() {
    let (app, ada, bob) = administered().await;
    let before = updated_at(&app).await;
    app.clock.advance_seconds(1);
    ada.patch("/api/user", json!({ "email": "Ada.L@example.org", "currentPassword": PASSWORD }))
        .await
        .expect(200);
    assert_eq!(settings(&bob).await["deploymentAdminEmail"], "Ada.L@example.org");
    assert_eq!(updated_at(&app).await, before + 1000);
    bob.patch("/api/user", json!({ "email": "b@example.org", "currentPassword": PASSWORD }))
        .await
        .expect(200);
    assert_eq!(updated_at(&app).await, before + 1000);
    // A user who takes the old e-mail does not get the role.
    let heir = app.user("ada").await;
    heir.patch(PATH, json!({ "autoCheckUpdates": false })).await.expect_problem(403, "FORBIDDEN");
    ada.patch(PATH, json!({ "autoCheckUpdates": false })).await.expect(200);
}

#[tokio::test]
async fn the_admins_account_cannot_be_deleted_before_a_transfer() {
    let (app, ada, bob) = administered().await;
    let delete =
        async |client: &Client| client.send("DELETE", "/api/user", json!({ "password": PASSWORD })).await;
    // This reason is reported before others, with an exact text.
    ada.post("/api/auctions", json!({ "name": "Attic" })).await.expect(201);
    let wrong = ada.send("DELETE", "/api/user", json!({ "password": "wrong horse" })).await;
    wrong.expect_problem(403, "WRONG_PASSWORD");
    let problem = delete(&ada).await.expect_problem(409, "DEPLOYMENT_ADMIN");
    assert_eq!(problem["detail"], "You must transfer deployment admin rights before deleting your account");
    ada.get("/api/user").await.expect(200);
    ada.patch(PATH, admin("bob@example.org")).await.expect(200);
    delete(&ada).await.expect_problem(409, "OWNS_AUCTIONS");
    delete(&bob).await.expect_problem(409, "DEPLOYMENT_ADMIN");

    // A deleted account cannot get the role and leaves no name in the log.
    let eve = app.user("eve").await;
    bob.patch(PATH, admin("eve@example.org")).await.expect(200);
    delete(&bob).await.expect(204);
    eve.patch(PATH, admin("bob@example.org")).await.expect_problem(422, "USER_NOT_REGISTERED");
    assert_eq!(log(&app).await[0], "deleted user TRANSFERRED eve -");
}

/// Either the transfer succeeds and the account stays, or the account is deleted and the transfer fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_role_is_never_transferred_to_a_deleted_account() {
    let app = TestApp::start_on_postgres().await;
    let ada = app.user("ada").await;
    ada.patch(PATH, admin("ada@example.org")).await.expect(200);
    for n in 0..8 {
        let name = format!("heir{n}");
        let heir = app.user(&name).await;
        let email = format!("{name}@example.org");
        let hand_on = ada.patch(PATH, admin(&email));
        let delete = heir.send("DELETE", "/api/user", json!({ "password": PASSWORD }));
        let (handed, deleted) = tokio::join!(hand_on, delete);
        if handed.status == 200 {
            deleted.expect_problem(409, "DEPLOYMENT_ADMIN");
            heir.patch(PATH, admin("ada@example.org")).await.expect(200);
        } else {
            handed.expect_problem(422, "USER_NOT_REGISTERED");
            deleted.expect(204);
        }
    }
}

#[tokio::test]
async fn only_the_admin_is_authorized() {
    let (app, ada, bob) = administered().await;
    for (client, passes) in [(&ada, true), (&bob, false)] {
        let user = client.get("/api/user").await.expect(200);
        let id: UserId = user["user"]["id"].as_str().unwrap().parse().unwrap();
        assert_eq!(accounts::administration::require(&app.state.context.db, id).await.is_ok(), passes);
    }
}

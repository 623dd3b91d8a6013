//! The page of the Deployment Admin without JavaScript.

use accounts::administration::issue_claim_code;
use installation::config::Switch;
use platform::time::Clock;
use serde_json::json;

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auctions::user_id;
use crate::routes::system::settings::claim;

const ANOTHER: &str = "Another user is the Deployment Admin";

fn location(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.header("location"))
}

async fn page(client: &Client, subject: &str) -> String {
    let page = client.get(&format!("/admin?subject={subject}")).await;
    assert_eq!(page.status, 200);
    page.text
}

#[tokio::test]
async fn forms_claim_and_transfer_the_role() {
    let app = TestApp::start().await;
    assert_eq!(location(&app.anonymous().get("/admin").await), (303, "/sign-in?next=/admin"));
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    assert!(page(&bob, "").await.contains("Become Deployment Admin"));
    assert_eq!(location(&ada.post_form("/admin/claim", &[]).await), (303, "/admin?done=claimed"));
    let mine = page(&ada, "").await;
    assert!(mine.contains("Settings in force") && mine.contains("Anyone may register."), "{mine}");
    assert!(page(&ada, "transfer").await.contains("Yes, transfer the role"));
    assert!(page(&ada, "log").await.contains("became the Deployment Admin"));

    // A user who claims too late sees that on the page.
    for (path, fields) in [
        ("/admin/claim", &[][..]),
        ("/admin/transfer", &[("email", "bob@example.org")]),
        ("/admin/checks", &[("autoCheckUpdates", "true")]),
    ] {
        assert_eq!(location(&bob.post_form(path, fields).await), (303, "/admin"), "{path}");
    }
    let others = page(&bob, "log").await;
    assert!(others.contains(ANOTHER) && !others.contains("Audit log"), "{others}");

    let refused = ada.post_form("/admin/transfer", &[("email", "bob@example.org")]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("Confirm that you give up the role."), "{}", refused.text);
    let unproven = [("email", "bob@example.org"), ("transferConfirmed", "true")];
    let refused = ada.post_form("/admin/transfer", &unproven).await;
    assert!(refused.status == 422 && refused.text.contains("Enter your password."), "{}", refused.text);
    let wrong = [unproven[0], unproven[1], ("transferPassword", "wrong horse")];
    assert_eq!(ada.post_form("/admin/transfer", &wrong).await.status, 403);
    let proof = ("transferPassword", PASSWORD);
    let stranger = [("email", "eve@example.org"), ("transferConfirmed", "true"), proof];
    let refused = ada.post_form("/admin/transfer", &stranger).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("Nobody has an account with this e-mail"), "{}", refused.text);
    assert!(refused.text.contains("value=\"eve@example.org\""));
    let refused = ada.post_form("/admin/transfer", &[proof]).await;
    assert!(refused.text.contains("Enter an e-mail address, such as ada@example.org."), "{}", refused.text);

    assert_eq!(
        location(&ada.post_form("/admin/checks", &[]).await),
        (303, "/admin?subject=version&done=checks-off")
    );
    let fields = [("email", "BOB@example.org"), ("transferConfirmed", "true"), proof];
    assert_eq!(location(&ada.post_form("/admin/transfer", &fields).await), (303, "/admin?done=transferred"));
    assert!(page(&ada, "").await.contains(ANOTHER));
    assert!(page(&bob, "log").await.contains("made bob the Deployment Admin"));
}

#[tokio::test]
async fn the_form_asks_for_the_claim_code() {
    let app = TestApp::start_with(|settings| settings.claim_code = Switch::On).await;
    let ada = app.user("ada").await;
    assert!(page(&ada, "").await.contains("Claim code"));
    for fields in [&[][..], &[("claimCode", "abc")]] {
        let refused = ada.post_form("/admin/claim", fields).await;
        assert_eq!(refused.status, 403);
        assert!(refused.text.contains("id=\"field-claimCode-error\""), "{}", refused.text);
    }
    let code = issue_claim_code(&app.state.context.db, app.clock.now()).await.unwrap().unwrap();
    let claimed = ada.post_form("/admin/claim", &[("claimCode", code.as_str())]).await;
    assert_eq!(location(&claimed), (303, "/admin?done=claimed"));
}

#[tokio::test]
async fn other_accounts_than_the_named_one_see_no_form() {
    let app = TestApp::start_with(|settings| settings.admin_email = "ada@example.org".parse().ok()).await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    assert!(!page(&bob, "").await.contains("Become Deployment Admin"));
    assert_eq!(location(&bob.post_form("/admin/claim", &[]).await), (303, "/admin"));
    assert!(page(&ada, "").await.contains("Become Deployment Admin"));
    assert_eq!(
        ada.post_form("/admin/claim", &[]).await.status,
        403,
        "without mail the code proves who it is"
    );
    let code = issue_claim_code(&app.state.context.db, app.clock.now()).await.unwrap().unwrap();
    let claimed = ada.post_form("/admin/claim", &[("claimCode", code.as_str())]).await;
    assert_eq!(location(&claimed), (303, "/admin?done=claimed"));
}

#[tokio::test]
async fn the_admin_helps_and_stops_users_on_a_page() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    claim(&ada, "ada@example.org").await;
    let id = user_id(&bob).await;
    let press =
        async |button: &str| ada.post_form(&format!("/admin/users/{id}/{button}"), &[("sure", "true")]).await;
    let page = ada.get("/admin/users?q=BOB").await;
    assert!(page.text.contains("bob@") && !page.text.contains("ada@example"), "{}", page.text);

    let link = press("reset-link").await;
    assert_eq!(link.status, 200);
    assert!(link.text.contains("/reset-password/"), "{}", link.text);
    assert_eq!(press("end-sessions").await.status, 303);
    bob.get("/api/user/sessions").await.expect_problem(401, "UNAUTHENTICATED");
    assert_eq!(press("disable").await.status, 303);
    assert!(ada.get("/admin/users").await.text.contains("Disabled"));
    assert_eq!(press("enable").await.status, 303);
    assert!(!ada.get("/admin/users").await.text.contains("Disabled"));
}

#[tokio::test]
async fn the_page_of_users_offers_nothing_that_is_refused() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    let group = ada.post("/api/groups", json!({"name": "Class 4b"})).await.expect(201);
    let people = format!("/api/groups/{}/people", group["id"].as_str().unwrap());
    let request = ada.request("POST", &people).header("content-type", "application/json");
    let dan = json!({"people": [{"name": "Dan", "number": 17}]}).to_string();
    Answer::of(request.header("idempotency-key", "people").body(dan)).await.expect(201);
    let page = ada.get("/admin/users").await.text;
    let offered = |name: &str| -> Vec<&str> {
        let labels = ["New password link", "Sign out everywhere", "Disable"];
        labels.into_iter().filter(|label| page.contains(&format!("aria-label=\"{label}: {name}, "))).collect()
    };
    assert_eq!(offered("ada"), ["New password link", "Sign out everywhere"]);
    assert_eq!(offered("Dan"), ["Sign out everywhere", "Disable"]);
}

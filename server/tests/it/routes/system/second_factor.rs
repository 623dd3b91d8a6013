//! The Deployment Admin needs a second factor, if the setting says so.

use accounts::second_factor::turn_off::turn_off_by_shell;
use serde_json::{Value, json};

use super::settings::administered;
use crate::harness::{Client, PASSWORD};
use crate::routes::auctions::user_id;
use crate::routes::user::second_factor::App;

const PATH: &str = "/api/system/settings";
const OWN: &str = "/api/user/second-factor";

fn needed(is_needed: bool) -> Value {
    json!({ "adminSecondFactor": is_needed })
}

async fn transfer(from: &Client, to: &str) -> crate::harness::Answer {
    from.patch(PATH, json!({ "deploymentAdminEmail": format!("{to}@example.org") })).await
}

#[tokio::test]
async fn an_admin_who_has_one_makes_it_a_condition_and_keeps_it_meanwhile() {
    let (app, ada, bob) = administered().await;
    bob.patch(PATH, needed(true)).await.expect_problem(403, "FORBIDDEN");
    ada.patch(PATH, needed(true)).await.expect_problem(409, "SECOND_FACTOR_NEEDED");
    assert_eq!(ada.get(PATH).await.expect(200)["adminSecondFactor"], false);
    let (_, codes) = App::turn_on(&app, &ada).await;
    assert_eq!(ada.patch(PATH, needed(true)).await.expect(200)["adminSecondFactor"], true);

    let off = json!({ "password": PASSWORD, "code": codes[0] });
    ada.send("DELETE", OWN, off.clone()).await.expect_problem(409, "SECOND_FACTOR_NEEDED");
    ada.patch(PATH, needed(false)).await.expect(200);
    ada.send("DELETE", OWN, off).await.expect(204);
}

#[tokio::test]
async fn the_role_goes_to_an_account_with_a_second_factor_only() {
    let (app, ada, bob) = administered().await;
    App::turn_on(&app, &ada).await;
    ada.patch(PATH, needed(true)).await.expect(200);
    transfer(&ada, "bob").await.expect_problem(409, "SECOND_FACTOR_NEEDED");
    App::turn_on(&app, &bob).await;
    transfer(&ada, "bob").await.expect(200);

    app.write("UPDATE system_settings SET deployment_admin_id = NULL").await;
    let carol = app.user("carol").await;
    carol.patch(PATH, needed(false)).await.expect_problem(403, "FORBIDDEN");
    transfer(&carol, "carol").await.expect_problem(409, "SECOND_FACTOR_NEEDED");
    transfer(&ada, "ada").await.expect(200);
}

#[tokio::test]
async fn a_transfer_that_makes_it_a_condition_asks_it_of_the_new_admin() {
    let (app, ada, bob) = administered().await;
    let both = json!({ "deploymentAdminEmail": "bob@example.org", "adminSecondFactor": true });
    ada.patch(PATH, both.clone()).await.expect_problem(409, "SECOND_FACTOR_NEEDED");
    App::turn_on(&app, &bob).await;
    assert_eq!(ada.patch(PATH, both).await.expect(200)["adminSecondFactor"], true);
}

#[tokio::test]
async fn the_owner_of_the_machine_turns_it_off_for_an_admin_who_has_lost_it() {
    let (app, ada, _) = administered().await;
    App::turn_on(&app, &ada).await;
    ada.patch(PATH, needed(true)).await.expect(200);
    let id = user_id(&ada).await.parse().unwrap();
    assert!(turn_off_by_shell(&app.state.accounts, id).await.unwrap());
    assert!(!turn_off_by_shell(&app.state.accounts, id).await.unwrap());
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let login = json!({ "email": "ada@example.org", "password": PASSWORD });
    ada.post("/api/auth/login", login).await.expect(200);
    ada.patch(PATH, json!({ "autoCheckUpdates": false })).await.expect(200);
    ada.patch(PATH, needed(false)).await.expect(200);
    ada.patch(PATH, needed(true)).await.expect_problem(409, "SECOND_FACTOR_NEEDED");
    let page = ada.get("/admin?subject=second-factor").await.text;
    assert!(page.contains("Your account has no second factor."), "{page}");
    let logs = ["log", "log-of-people"].map(|log| format!("/admin?subject={log}"));
    let page = ada.get(&logs[0]).await.text + &ada.get(&logs[1]).await.text;
    for words in [
        "turned the second factor of ada off",
        "turned their second factor on",
        "made a second factor a condition of the role",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[tokio::test]
async fn the_page_says_what_to_do_first() {
    let (app, ada, _) = administered().await;
    let fields = [("adminSecondFactor", "true")];
    let refused = ada.post_form("/admin/second-factor", &fields).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("the account has to turn it on first"), "{}", refused.text);
    App::turn_on(&app, &ada).await;
    let set = ada.post_form("/admin/second-factor", &fields).await;
    assert_eq!(set.header("location"), "/admin?subject=second-factor&done=second-factor-on");
    let transfer =
        [("email", "bob@example.org"), ("transferConfirmed", "true"), ("transferPassword", PASSWORD)];
    let refused = ada.post_form("/admin/transfer", &transfer).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("id=\"field-email-error\""), "{}", refused.text);
}

use serde_json::{Value, json};

use crate::harness::{Client, TestApp};

const PATH: &str = "/api/user/preferences";

async fn preferences(client: &Client) -> Value {
    client.get(PATH).await.expect(200)
}

#[tokio::test]
async fn a_user_has_the_defaults_and_changes_some() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let had = preferences(&ada).await;
    assert_eq!((&had["timeZone"], &had["theme"]), (&Value::Null, &json!("SYSTEM")));
    assert_eq!((&had["notify"]["NEW_ITEM"], &had["notify"]["BALANCE"]), (&json!(false), &json!(true)));
    assert_eq!((&had["mail"]["WON"], &had["mail"]["ENDS_SOON"]), (&json!(true), &json!(false)));
    let patch = json!({"timeZone": "Europe/Berlin", "theme": "DARK", "mail": {"WON": false}});
    let changed = ada.patch(PATH, patch).await.expect(200);
    assert_eq!(changed, preferences(&ada).await);
    assert_eq!((&changed["timeZone"], &changed["theme"]), (&json!("Europe/Berlin"), &json!("DARK")));
    assert_eq!((&changed["mail"]["WON"], &changed["mail"]["SOLD"]), (&json!(false), &json!(true)));
    assert_eq!(changed["notify"], had["notify"]);
    let cleared = ada.patch(PATH, json!({"timeZone": null})).await.expect(200);
    assert_eq!((&cleared["timeZone"], &cleared["theme"]), (&Value::Null, &json!("DARK")));
    for wrong in [
        json!({"timeZone": "Berlin"}),
        json!({"theme": "BLUE"}),
        json!({"mail": {"ALL": true}}),
        json!({"notify": {"WON": "yes"}}),
        json!({"sound": true}),
    ] {
        ada.patch(PATH, wrong).await.expect_problem(422, "INVALID_BODY");
    }
}

#[tokio::test]
async fn pages_have_the_theme_and_the_zone_of_their_viewer() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let first = ada.get("/account").await.text;
    assert!(!first.contains("data-theme") && !first.contains("data-zone"), "{first}");
    let form = [("timeZone", "Europe/Berlin"), ("theme", "DARK"), ("notify.WON", "true")];
    let saved = ada.post_form("/account/preferences", &form).await;
    assert_eq!(saved.header("location"), "/account?subject=preferences&done=preferences");
    assert!(ada.get("/account?subject=sessions").await.text.contains("1 May 2026, 20:00"));
    let page = ada.get("/account?subject=preferences").await;
    for part in [
        "data-theme=\"dark\" data-zone=\"preferred\"",
        "value=\"Europe/Berlin\" selected",
        "This site sends no mail",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let found = preferences(&ada).await;
    assert_eq!((&found["notify"]["WON"], &found["notify"]["OUTBID"]), (&json!(true), &json!(false)));
    assert_eq!(found["mail"]["WON"], true, "without mail the form does not change it");
    let refused = ada.post_form("/account/preferences", &[("timeZone", "Berlin"), ("theme", "DARK")]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("Choose a time zone of the list."), "{}", refused.text);
    let theme = ada.post_form("/account/preferences", &[("theme", "LIGHT")]).await;
    assert_eq!(theme.status, 303);
    assert!(ada.get("/account").await.text.contains("data-theme=\"light\""));
}

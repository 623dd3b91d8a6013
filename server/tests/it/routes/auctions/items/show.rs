use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::routes::auctions::{auction, give_role, join};

fn names(listed: &Value) -> Vec<&str> {
    listed["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_draft_is_visible_to_its_creator_and_managers_only() {
    let app = TestApp::start().await;
    let (ada, bob, eve) = (app.user("ada").await, app.user("bob").await, app.user("eve").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    for member in [&bob, &eve] {
        join(member, &path).await;
        give_role(&ada, &path, member, "CREATOR").await;
    }

    let items = format!("{path}/items");
    let draft = bob.post(&items, json!({"name": "draft", "currencyCode": "EUR"})).await.expect(201);
    let shown = json!({"name": "shown", "currencyCode": "EUR", "isPublished": true});
    ada.post(&items, shown).await.expect(201);
    let draft = format!("{items}/{}", draft["id"].as_str().unwrap());
    for (who, sees) in [(&ada, true), (&bob, true), (&eve, false)] {
        let listed = who.get(&items).await.expect(200);
        assert_eq!(names(&listed).contains(&"draft"), sees);
        assert_eq!(who.get(&draft).await.status.as_u16(), if sees { 200 } else { 404 });
    }
}

#[tokio::test]
async fn the_clock_decides_the_status_of_an_item() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    let body = json!({
        "name": "A vase", "currencyCode": "EUR", "isPublished": true, "startsAt": "2026-05-01T18:00:10Z",
        "endDate": "2026-05-01T18:00:20Z",
    });
    let item = ada.post(&items, body).await.expect(201);
    let path = format!("{items}/{}", item["id"].as_str().unwrap());
    for (seconds, status) in [(9, "SCHEDULED"), (1, "OPEN"), (9, "OPEN"), (1, "CLOSED")] {
        app.clock.advance_seconds(seconds);
        assert_eq!(ada.get(&path).await.expect(200)["status"], status);
    }
    let draft = ada.post(&items, json!({"name": "B", "currencyCode": "EUR"})).await.expect(201);
    assert_eq!(draft["status"], "DRAFT");
}

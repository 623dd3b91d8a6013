//! `/api/auctions/{auction_id}/transfer`

use serde_json::{Value, json};

use super::{NO_ID, auction, give_role, join, user_id, wrong_fields};
use crate::harness::{Client, TestApp};

async fn role(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200)["myRole"].clone()
}

#[tokio::test]
async fn the_owner_hands_the_auction_over_and_becomes_admin() {
    let app = TestApp::start().await;
    let (ada, bob, eve) = (app.user("ada").await, app.user("bob").await, app.user("eve").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let transfer = format!("{path}/transfer");
    join(&bob, &path).await;
    give_role(&ada, &path, &bob, "ADMIN").await;
    let to = async |client: &Client| json!({"userId": user_id(client).await});
    bob.post(&transfer, to(&bob).await).await.expect_problem(403, "FORBIDDEN");
    for (body, field) in [
        (to(&eve).await, "userId"),
        (json!({"userId": NO_ID}), "userId"),
        (json!({"userId": "x"}), "userId"),
        (json!({}), "userId"),
        (json!({"userId": null}), "userId"),
    ] {
        assert_eq!(wrong_fields(&ada.post(&transfer, body).await), [field]);
    }
    assert_eq!(ada.post(&transfer, to(&ada).await).await.expect(200)["myRole"], "OWNER");
    assert_eq!(ada.post(&transfer, to(&bob).await).await.expect(200)["myRole"], "ADMIN");
    assert_eq!((role(&ada, &path).await, role(&bob, &path).await), (json!("ADMIN"), json!("OWNER")));
    ada.post(&transfer, to(&ada).await).await.expect_problem(403, "FORBIDDEN");

    // A closed auction is handed over, too: an account that owns one can't be deleted.
    bob.post(&format!("{path}/close"), json!({})).await.expect(200);
    bob.post(&transfer, to(&ada).await).await.expect(200);
    assert_eq!((role(&ada, &path).await, role(&bob, &path).await), (json!("OWNER"), json!("ADMIN")));
}

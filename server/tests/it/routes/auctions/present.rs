//! `PUT /api/auctions/{auction_id}/present`

use serde_json::{Value, json};

use crate::harness::Client;
use crate::routes::auctions::{NO_ID, auction, join, user_id, wrong_fields};
use crate::routes::groups::Group;

async fn present(client: &Client, auction: &str) -> Vec<String> {
    let found = client.get(&format!("{auction}/members")).await.expect(200);
    let members = found["members"].as_array().unwrap().iter();
    let here = members.filter(|member| member["present"] == true);
    let mut names: Vec<_> = here.map(|member| member["user"]["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

async fn set(client: &Client, auction: &str, body: Value) -> crate::harness::Answer {
    let request = client.request("PUT", &format!("{auction}/present"));
    crate::harness::Answer::of(request.header("content-type", "application/json").body(body.to_string()))
        .await
}

#[tokio::test]
async fn members_come_and_go_by_number_and_by_user() {
    let group = Group::start().await;
    group.add(&["Ada", "Ben", "Cleo"]).await;
    let sale = auction(&group.keeper, json!({"groupId": group.id})).await;
    let here = set(&group.keeper, &sale, json!({"numbers": [2, 4, 4], "present": true})).await.expect(200);
    assert_eq!(here["members"].as_array().unwrap().len(), 2);
    assert_eq!(present(&group.keeper, &sale).await, ["Ada", "Cleo"]);
    let keeper = user_id(&group.keeper).await;
    set(&group.keeper, &sale, json!({"userIds": [keeper], "present": true})).await.expect(200);
    set(&group.keeper, &sale, json!({"numbers": [2], "present": false})).await.expect(200);
    assert_eq!(present(&group.keeper, &sale).await.len(), 2);
    // One who is unknown changes nothing for the others.
    let wrong = json!({"numbers": [3, 99], "userIds": [NO_ID, "x"], "present": true});
    assert_eq!(
        wrong_fields(&set(&group.keeper, &sale, wrong).await),
        ["numbers.1", "userIds.0", "userIds.1"]
    );
    assert_eq!(present(&group.keeper, &sale).await.len(), 2);
    let nobody = set(&group.keeper, &sale, json!({"present": true})).await;
    assert_eq!(wrong_fields(&nobody), ["numbers"]);
    let neither = set(&group.keeper, &sale, json!({"numbers": [2]})).await;
    assert_eq!(wrong_fields(&neither), ["present"]);
    let many = json!({"numbers": vec![1; 1_001], "present": true});
    assert_eq!(wrong_fields(&set(&group.keeper, &sale, many).await), ["numbers"]);
}

#[tokio::test]
async fn a_member_learns_of_nobody_else_who_is_present() {
    let app = crate::harness::TestApp::start().await;
    let (owner, ada, ben) = (app.user("owner").await, app.user("ada").await, app.user("ben").await);
    let sale = auction(&owner, json!({"joinMode": "FREE"})).await;
    join(&ada, &sale).await;
    join(&ben, &sale).await;
    let both = json!({"userIds": [user_id(&ada).await, user_id(&ben).await], "present": true});
    set(&ada, &sale, both.clone()).await.expect_problem(403, "FORBIDDEN");
    set(&owner, &sale, both).await.expect(200);
    assert_eq!(present(&owner, &sale).await, ["ada", "ben"]);
    assert_eq!(present(&ada, &sale).await, ["ada"]);
}

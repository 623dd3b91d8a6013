//! Groups themselves: `/api/groups`, `/api/groups/{group_id}`, `…/code`, `/api/groups/join`

use serde_json::json;

use super::{Group, item, members};

#[tokio::test]
async fn a_group_is_known_to_its_people_and_its_code_to_its_keepers() {
    let group = Group::start().await;
    let eve = group.app.user("eve").await;
    let found = group.keeper.get(&group.path).await.expect(200);
    assert_eq!(found["myRole"], "KEEPER");
    assert_eq!((&found["peopleCount"], &found["joinable"]), (&json!(1), &json!(false)));
    assert_eq!(group.code.len(), 6);
    eve.get(&group.path).await.expect_problem(404, "NOT_FOUND");
    let people = group.add(&["Ada"]).await;
    let ada = group.signed_in(&people[0]).await;
    let seen = ada.get(&group.path).await.expect(200);
    assert_eq!((&seen["code"], &seen["myRole"]), (&json!(null), &json!("PERSON")));
    assert_eq!(ada.get("/api/groups").await.expect(200)["groups"].as_array().unwrap().len(), 1);
    ada.get(&format!("{}/people", group.path)).await.expect_problem(403, "FORBIDDEN");
    let changed = group.keeper.patch(&group.path, json!({"name": "Class 5b"})).await.expect(200);
    assert_eq!(changed["name"], "Class 5b");
    group.keeper.patch(&group.path, json!({"name": null})).await.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn a_user_joins_with_the_code_that_the_group_has_now() {
    let group = Group::start().await;
    let eve = group.app.user("eve").await;
    let auction = group.auction(json!({})).await;
    let join = |code: &str| {
        let body = json!({"code": format!(" {} {}", &code[..2].to_ascii_lowercase(), &code[2..])});
        let eve = &eve;
        async move { eve.post("/api/groups/join", body).await }
    };
    join(&group.code).await.expect_problem(403, "FORBIDDEN");
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    let renewed = group.keeper.post(&format!("{}/code", group.path), json!({})).await.expect(200);
    let code = renewed["code"].as_str().unwrap();
    join(&group.code).await.expect_problem(404, "NOT_FOUND");
    let joined = join(code).await.expect(200);
    assert_eq!((&joined["myRole"], &joined["peopleCount"]), (&json!("PERSON"), &json!(2)));
    join(code).await.expect(200);
    assert_eq!(members(&eve, &auction).await, ["eve BIDDER", "keeper OWNER"]);
    group.keeper.delete(&group.person(2)).await.expect(204);
    eve.get(&auction).await.expect_problem(404, "NOT_FOUND");
    eve.get(&group.path).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_group_goes_once_no_open_auction_has_it_and_nobody_leads() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let ada = group.signed_in(&people[0]).await;
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    group.keeper.delete(&group.path).await.expect_problem(409, "IN_USE");
    group.keeper.patch(&auction, json!({"groupId": null})).await.expect(200);
    group.keeper.delete(&group.path).await.expect_problem(409, "LEADS_OPEN_ITEMS");
    group.keeper.post(&format!("{auction}/close"), json!({})).await.expect(200);
    group.keeper.delete(&group.path).await.expect(204);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    group.keeper.get(&group.path).await.expect_problem(404, "NOT_FOUND");
    let outcomes = group.keeper.get(&format!("{auction}/outcomes")).await.expect(200);
    assert_eq!(outcomes["outcomes"][0]["winner"]["name"], "Ada", "the record keeps the name");
    let bids = group.keeper.get(&format!("{lot}/bids")).await.expect(200);
    assert_eq!(bids["bids"][0]["bidder"]["name"], "deleted user");
}

#[tokio::test]
async fn the_last_keeper_stays() {
    let group = Group::start().await;
    let other = group.app.user("other").await;
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    other.post("/api/groups/join", json!({"code": group.code})).await.expect(200);
    let demote = json!({"role": "PERSON"});
    group.keeper.patch(&group.person(1), demote.clone()).await.expect_problem(409, "LAST_KEEPER");
    group.keeper.delete(&group.person(1)).await.expect_problem(409, "LAST_KEEPER");
    let delete = json!({"password": crate::harness::PASSWORD});
    group.keeper.send("DELETE", "/api/user", delete.clone()).await.expect_problem(409, "LAST_KEEPER");
    group.keeper.patch(&group.person(2), json!({"role": "KEEPER"})).await.expect(200);
    group.keeper.patch(&group.person(1), demote).await.expect(200);
    group.keeper.get(&format!("{}/people", group.path)).await.expect_problem(403, "FORBIDDEN");
    group.keeper.send("DELETE", "/api/user", delete).await.expect(204);
    let found = other.get(&group.path).await.expect(200);
    assert_eq!(found["peopleCount"], 1);
}

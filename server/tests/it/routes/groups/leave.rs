//! `DELETE /api/groups/{group_id}/membership`, and who comes back

use serde_json::json;

use super::{Group, item, members};

#[tokio::test]
async fn a_person_leaves_and_comes_back_with_the_code_and_after_a_removal_does_not() {
    let group = Group::start().await;
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    let auction = group.auction(json!({})).await;
    let zoe = group.app.user("zoe").await;
    let membership = format!("{}/membership", group.path);
    zoe.delete(&membership).await.expect_problem(404, "NOT_FOUND");
    let code = json!({"code": group.code});
    zoe.post("/api/groups/join", code.clone()).await.expect(200);
    assert_eq!(members(&group.keeper, &auction).await, ["keeper OWNER", "zoe BIDDER"]);
    zoe.delete(&membership).await.expect(204);
    zoe.get(&group.path).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(members(&group.keeper, &auction).await, ["keeper OWNER"]);

    let joined = zoe.post("/api/groups/join", code.clone()).await.expect(200);
    assert_eq!(joined["myRole"], "PERSON");
    group.keeper.delete(&group.person(2)).await.expect(204);
    zoe.post("/api/groups/join", code.clone()).await.expect_problem(403, "FORBIDDEN");
    group.keeper.delete(&membership).await.expect_problem(409, "LAST_KEEPER");
}

#[tokio::test]
async fn a_managed_user_who_leaves_is_erased_once_nobody_depends_on_it() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob", "Cleo"]).await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let (ada, bob) = (group.signed_in(&people[0]).await, group.signed_in(&people[1]).await);
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    let membership = format!("{}/membership", group.path);
    ada.delete(&membership).await.expect_problem(409, "LEADS_OPEN_ITEMS");
    bob.post(&format!("{lot}/bids"), json!({"amount": 4})).await.expect(201);
    ada.delete(&membership).await.expect(204);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let bids = bob.get(&format!("{lot}/bids")).await.expect(200);
    assert_eq!(bids["bids"][1]["bidder"]["name"], "deleted user");

    let cleo = group.signed_in(&people[2]).await;
    let page = format!("/groups/{}", group.id);
    assert!(cleo.get(&page).await.text.contains("Your account is deleted."));
    let wrong = cleo.post_form(&format!("{page}/leave"), &[("pin", "0000")]).await;
    assert!(wrong.text.contains("The PIN is wrong."), "{}", wrong.text);
    cleo.get("/api/user").await.expect(200);
    let left = cleo.post_form(&format!("{page}/leave"), &[("pin", people[2]["pin"].as_str().unwrap())]).await;
    assert_eq!((left.status.as_u16(), left.header("location")), (303, "/go"));
    assert_eq!(group.people().await.len(), 2);
}

/// A book that a person has left is not entered by the act of a keeper.
#[tokio::test]
async fn a_holder_who_has_left_a_book_comes_back_by_an_own_act_alone() {
    let group = Group::start().await;
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    let unit = json!({"name": "Point", "symbol": "P"});
    let book = group.keeper.post("/api/books", json!({"name": "Points", "baseUnit": unit})).await.expect(201);
    let path = format!("/api/books/{}", book["id"].as_str().unwrap());
    let zoe = group.app.user("zoe").await;
    zoe.post("/api/groups/join", json!({"code": group.code})).await.expect(200);
    let id = zoe.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    let first = group.auction(json!({"bookId": book["id"]})).await;
    zoe.get(&path).await.expect(200);
    group.keeper.post(&format!("{first}/close"), json!({})).await.expect(200);
    zoe.delete(&format!("{path}/holders/{id}")).await.expect(204);
    let second = group.auction(json!({"bookId": book["id"]})).await;
    assert_eq!(members(&group.keeper, &second).await, ["keeper OWNER", "zoe BIDDER"]);
    zoe.get(&path).await.expect_problem(404, "NOT_FOUND");
}

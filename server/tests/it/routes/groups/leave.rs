//! `DELETE /api/groups/{group_id}/membership`, and who comes back

use serde_json::json;

use super::{Group, item, members};
use crate::harness::Client;
use crate::routes::auctions::user_id;

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

/// After a removal the keeper allows the code again, and the user comes back by using it.
#[tokio::test]
async fn a_removed_person_comes_back_once_a_keeper_allows_it() {
    let group = Group::start().await;
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    let (zoe, yan) = (group.app.user("zoe").await, group.app.user("yan").await);
    let code = json!({"code": group.code});
    for user in [&zoe, &yan] {
        user.post("/api/groups/join", code.clone()).await.expect(200);
    }
    for number in [2, 3] {
        group.keeper.delete(&group.person(number)).await.expect(204);
    }
    let removed = format!("{}/removed", group.path);
    let listed = async || {
        let found = group.keeper.get(&removed).await.expect(200);
        let people = found["people"].as_array().unwrap().iter();
        people.map(|one| one["user"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, ["zoe", "yan"]);
    let first = group.keeper.get(&format!("{removed}?limit=1")).await.expect(200);
    assert!(first["people"][0]["removedAt"].is_string(), "{first}");
    let rest = format!("{removed}?cursor={}", first["nextCursor"].as_str().unwrap());
    assert_eq!(group.keeper.get(&rest).await.expect(200)["people"][0]["user"]["name"], "yan");
    zoe.get(&removed).await.expect_problem(404, "NOT_FOUND");

    let of_zoe = format!("{removed}/{}", user_id(&zoe).await);
    group.keeper.delete(&of_zoe).await.expect(204);
    group.keeper.delete(&of_zoe).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(listed().await, ["yan"]);
    assert_eq!(group.people().await.len(), 1, "nobody comes back by the keeper's act");
    zoe.post("/api/groups/join", code.clone()).await.expect(200);
    yan.post("/api/groups/join", code.clone()).await.expect_problem(403, "FORBIDDEN");

    let page = format!("/groups/{}", group.id);
    assert!(group.keeper.get(&page).await.text.contains("Let yan join again"));
    let form = format!("{page}/removed/{}/readmit", user_id(&yan).await);
    let done = group.keeper.post_form(&form, &[]).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, &*format!("{page}?done=readmitted")));
    assert!(!group.keeper.get(&page).await.text.contains("Removed people"));
    yan.post("/api/groups/join", code).await.expect(200);
}

/// The page offers what the viewer can do.
#[tokio::test]
async fn the_page_says_how_its_viewer_leaves_and_comes_back() {
    let group = Group::start().await;
    let page = format!("/groups/{}", group.id);
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    let zoe = group.app.user("zoe").await;
    zoe.post("/api/groups/join", json!({"code": group.code})).await.expect(200);
    let shown = async |client: &Client| client.get(&page).await.text;
    let members = shown(&zoe).await;
    assert!(members.contains("The code of the group lets you come back."));
    let waits = "Auctions of the group will stand here.";
    assert!(members.contains(waits) && !shown(&group.keeper).await.contains(waits));
    let alone = shown(&group.keeper).await;
    assert!(alone.contains("You are the only keeper") && !alone.contains(&format!("{page}/leave")));
    group.keeper.patch(&group.path, json!({"joinable": false})).await.expect(200);
    assert!(shown(&zoe).await.contains("only if a keeper allows that people join with the code"));
    group.keeper.patch(&group.person(2), json!({"role": "KEEPER"})).await.expect(200);
    assert!(shown(&group.keeper).await.contains(&format!("{page}/leave")));
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

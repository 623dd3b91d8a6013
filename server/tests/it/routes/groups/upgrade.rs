//! `POST /api/user/upgrade`, and `…/people/{number}/undo-upgrade`

use installation::config::RegistrationPolicy;
use serde_json::{Value, json};

use super::{Group, item, members};
use crate::harness::TestApp;

#[tokio::test]
async fn an_older_pupil_becomes_a_full_account_and_keeps_everything() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let ada = group.signed_in(&people[0]).await;
    let elsewhere = group.signed_in(&people[0]).await;
    ada.post(&format!("{lot}/bids"), json!({"amount": 3})).await.expect(201);
    let pin = &people[0]["pin"];
    let upgrade = |email: &str| json!({"email": email, "password": "a long pass phrase", "pin": pin});
    let taken = ada.post("/api/user/upgrade", upgrade("KEEPER@example.org")).await;
    taken.expect_problem(409, "EMAIL_TAKEN");
    let own = json!({"email": "ada@example.org", "password": "ada@example.org", "pin": pin});
    ada.post("/api/user/upgrade", own).await.expect_problem(422, "INVALID_BODY");
    let code = json!({"email": "ada@example.org", "password": format!("{} 2026", group.code), "pin": pin});
    ada.post("/api/user/upgrade", code).await.expect(422);
    let without = json!({"email": "ada@example.org", "password": "a long pass phrase"});
    ada.post("/api/user/upgrade", without).await.expect_problem(422, "INVALID_BODY");
    let user = ada.post("/api/user/upgrade", upgrade("ada@example.org")).await.expect(200)["user"].clone();
    assert_eq!((&user["managed"], &user["email"]), (&json!(false), &json!("ada@example.org")));
    assert_eq!(user["id"], people[0]["user"]["id"]);
    elsewhere.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let pin = group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await;
    pin.expect_problem(401, "INVALID_CREDENTIALS");
    assert_eq!(members(&ada, &auction).await, ["Ada BIDDER", "keeper OWNER"]);
    ada.post("/api/auctions", json!({"name": "My own"})).await.expect(201);
    ada.post("/api/user/upgrade", upgrade("other@example.org")).await.expect_problem(403, "FORBIDDEN");
    let again = group.app.anonymous();
    let login = json!({"email": "ada@example.org", "password": "a long pass phrase"});
    again.post("/api/auth/login", login).await.expect(200);
    group.keeper.patch(&group.person(2), json!({"pin": "NEW"})).await.expect_problem(422, "INVALID_BODY");
    group.keeper.patch(&group.person(2), json!({"disabled": true})).await.expect(200);
    again.get("/api/user").await.expect(200);
    group.keeper.delete(&group.person(2)).await.expect(204);
    again.get(&group.path).await.expect_problem(404, "NOT_FOUND");
    again.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn closed_registration_forbids_it_and_does_not_concern_the_keeper() {
    let app = TestApp::start().await;
    let group = Group::start_in(app).await;
    let people = group.add(&["Ada"]).await;
    let app = group.app.restart_with(|settings| settings.registration = RegistrationPolicy::Closed).await;
    let group = Group { app, ..group };
    let ada = group.signed_in(&people[0]).await;
    let pin = &people[0]["pin"];
    let body = json!({"email": "ada@example.org", "password": "a long pass phrase", "pin": pin});
    ada.post("/api/user/upgrade", body).await.expect_problem(403, "REGISTRATION_CLOSED");
}

/// What keepers can undo is not out of their reach.
#[tokio::test]
async fn for_a_day_an_upgraded_user_neither_leaves_nor_is_deleted() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let password = "a long pass phrase";
    let mut upgraded = Vec::new();
    for (person, email) in people.iter().zip(["ada@example.org", "bob@example.org"]) {
        let user = group.signed_in(person).await;
        let body = json!({"email": email, "password": password, "pin": person["pin"]});
        user.post("/api/user/upgrade", body).await.expect(200);
        upgraded.push(user);
    }
    let membership = format!("{}/membership", group.path);
    let delete = json!({"password": password});
    let [ada, bob] = [&upgraded[0], &upgraded[1]];
    ada.delete(&membership).await.expect_problem(409, "TOO_EARLY");
    ada.send("DELETE", "/api/user", delete.clone()).await.expect_problem(409, "TOO_EARLY");
    group.app.clock.advance_seconds(24 * 3600 - 1);
    ada.delete(&membership).await.expect_problem(409, "TOO_EARLY");
    group.app.clock.advance_seconds(1);
    ada.delete(&membership).await.expect(204);
    bob.send("DELETE", "/api/user", delete).await.expect(204);
}

/// An open phone is not enough.
#[tokio::test]
async fn a_wrong_pin_is_refused_and_counts_as_a_failed_sign_in() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let ada = group.signed_in(&people[0]).await;
    let upgrade =
        |pin: &Value| json!({"email": "a@example.org", "password": "a long pass phrase", "pin": pin});
    for _ in 0..10 {
        let wrong = ada.post("/api/user/upgrade", upgrade(&json!("0000"))).await;
        wrong.expect_problem(403, "WRONG_PASSWORD");
    }
    assert_eq!(group.people().await[1]["failures"], 10);
    let right = &people[0]["pin"];
    ada.post("/api/user/upgrade", upgrade(right)).await.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(ada.get("/api/user").await.expect(200)["user"]["managed"], true);
    group.keeper.post(&format!("{}/open", group.path), json!({})).await.expect(204);
    ada.post("/api/user/upgrade", upgrade(right)).await.expect(200);
}

#[tokio::test]
async fn the_keepers_are_told_and_undo_an_upgrade_within_a_day() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let auction = group.auction(json!({})).await;
    let ada = group.signed_in(&people[0]).await;
    let body =
        json!({"email": "thief@example.org", "password": "a long pass phrase", "pin": people[0]["pin"]});
    ada.post("/api/user/upgrade", body.clone()).await.expect(200);
    let told = group.keeper.get("/api/user/notifications").await.expect(200);
    let upgraded: Vec<_> =
        told["notifications"].as_array().unwrap().iter().filter(|one| one["kind"] == "UPGRADED").collect();
    assert_eq!(upgraded.len(), 1, "{told}");
    assert_eq!(upgraded[0]["title"], "Class 4b");
    assert!(upgraded[0]["text"].as_str().unwrap().contains("Number 2, Ada"), "{told}");

    let own = ada.post("/api/auctions", json!({"name": "My own"})).await.expect(201);
    let own = format!("/api/auctions/{}", own["id"].as_str().unwrap());
    let groups = ada.post("/api/groups", json!({"name": "Mine"})).await.expect(201);
    let undo = |number| format!("{}/undo-upgrade", group.person(number));
    group.keeper.post(&undo(3), json!({})).await.expect_problem(409, "NOT_UPGRADED");
    group.keeper.post(&undo(1), json!({})).await.expect_problem(409, "NOT_UPGRADED");
    group.keeper.post(&undo(9), json!({})).await.expect_problem(404, "NOT_FOUND");
    ada.post(&undo(2), json!({})).await.expect_problem(403, "FORBIDDEN");
    let undone = group.keeper.post(&undo(2), json!({})).await.expect(200);
    assert_eq!((&undone["managed"], &undone["number"]), (&json!(true), &json!(2)));
    assert_eq!(undone["user"]["id"], people[0]["user"]["id"]);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    let login = json!({"email": "thief@example.org", "password": "a long pass phrase"});
    let stranger = group.app.anonymous();
    stranger.post("/api/auth/login", login).await.expect_problem(401, "INVALID_CREDENTIALS");
    let again = group.signed_in(&undone).await;
    let card = json!({"code": group.code, "number": 2, "cardSecret": undone["cardSecret"]});
    group.app.anonymous().post("/api/auth/number", card).await.expect(200);
    assert_eq!(again.get("/api/user").await.expect(200)["user"]["email"], Value::Null);
    assert_eq!(members(&again, &auction).await, ["Ada BIDDER", "Bob BIDDER", "keeper OWNER"]);
    assert_eq!(members(&group.keeper, &own).await, ["Ada BIDDER", "keeper OWNER"], "the keeper's now");
    let theirs = format!("/api/groups/{}", groups["id"].as_str().unwrap());
    assert_eq!(group.keeper.get(&theirs).await.expect(200)["myRole"], "KEEPER");
    again.get(&theirs).await.expect_problem(404, "NOT_FOUND");
    group.keeper.post(&undo(2), json!({})).await.expect_problem(409, "NOT_UPGRADED");

    let mut body = body;
    body["pin"] = undone["pin"].clone();
    again.post("/api/user/upgrade", body).await.expect(200);
    group.app.clock.advance_seconds(24 * 60 * 60);
    group.keeper.post(&undo(2), json!({})).await.expect_problem(409, "TOO_LATE");
}

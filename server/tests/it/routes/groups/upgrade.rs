//! `POST /api/user/upgrade`

use installation::config::Registration;
use serde_json::json;

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
    let upgrade = |email: &str| json!({"email": email, "password": "a long pass phrase"});
    let taken = ada.post("/api/user/upgrade", upgrade("KEEPER@example.org")).await;
    taken.expect_problem(409, "EMAIL_TAKEN");
    let own = json!({"email": "ada@example.org", "password": "ada@example.org"});
    ada.post("/api/user/upgrade", own).await.expect_problem(422, "INVALID_BODY");
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
    let app = group.app.restart_with(|settings| settings.registration = Registration::Closed).await;
    let group = Group { app, ..group };
    let ada = group.signed_in(&people[0]).await;
    let body = json!({"email": "ada@example.org", "password": "a long pass phrase"});
    ada.post("/api/user/upgrade", body).await.expect_problem(403, "REGISTRATION_CLOSED");
}

//! `POST /api/auth/number`

use installation::config::Switch;
use serde_json::json;

use super::Group;
use crate::harness::TestApp;

#[tokio::test]
async fn a_managed_user_signs_in_with_code_number_and_pin() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let client = group.app.anonymous();
    let code = format!(" {} {}", group.code[..3].to_lowercase(), &group.code[3..]);
    let body = json!({"code": code, "number": 2, "pin": people[0]["pin"]});
    let user = client.post("/api/auth/number", body).await.expect(200)["user"].clone();
    assert_eq!(
        (&user["email"], &user["managed"], &user["name"]),
        (&json!(null), &json!(true), &json!("Ada"))
    );
    assert_eq!(client.get("/api/user").await.expect(200)["user"], user);
    let keeper = group.keeper.get("/api/user").await.expect(200);
    assert_eq!(keeper["user"]["managed"], false);

    let refusals =
        [("AAAAAA", 2, "123456"), (&group.code, 7, "123456"), (&group.code, 2, "12345"), ("?", 0, "")];
    let mut bodies = Vec::new();
    for (code, number, pin) in refusals {
        let body = json!({"code": code, "number": number, "pin": pin});
        let problem = group.app.anonymous().post("/api/auth/number", body).await;
        let mut problem = problem.expect_problem(401, "INVALID_CREDENTIALS");
        problem["requestId"] = json!(null);
        bodies.push(problem);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    // The keeper has no PIN.
    let keeper = group.sign_in(&group.app.anonymous(), &json!(1), &json!("000000")).await;
    keeper.expect_problem(401, "INVALID_CREDENTIALS");
}

#[tokio::test]
async fn ten_wrong_pins_lock_a_number_for_fifteen_minutes_and_nobody_else() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let known = group.signed_in(&people[0]).await;
    let guesser = group.app.anonymous();
    for _ in 0..10 {
        let wrong = group.sign_in(&guesser, &json!(2), &json!("999")).await;
        wrong.expect_problem(401, "INVALID_CREDENTIALS");
    }
    let right = &people[0]["pin"];
    let locked = group.sign_in(&group.app.anonymous(), &json!(2), right).await;
    locked.expect_problem(429, "TOO_MANY_REQUESTS");
    let wait: i64 = locked.header("retry-after").parse().unwrap();
    assert!((890..=901).contains(&wait), "{wait}");
    assert_eq!(group.people().await[1]["locked"], true);
    group.sign_in(&group.app.anonymous(), &json!(3), &people[1]["pin"]).await.expect(200);
    group.sign_in(&known, &json!(2), right).await.expect(200);

    let app = group.app.restart().await;
    let group = Group { app, ..group };
    let keeper = group.app.anonymous();
    let credentials = json!({"email": "keeper@example.org", "password": crate::harness::PASSWORD});
    keeper.post("/api/auth/login", credentials).await.expect(200);
    let group = Group { keeper, ..group };
    let still = group.sign_in(&group.app.anonymous(), &json!(2), right).await;
    still.expect_problem(429, "TOO_MANY_REQUESTS");
    group.keeper.patch(&group.person(2), json!({"disabled": false})).await.expect(200);
    group.sign_in(&group.app.anonymous(), &json!(2), right).await.expect(200);

    for _ in 0..10 {
        group.sign_in(&group.app.anonymous(), &json!(2), &json!("999")).await.expect(401);
    }
    group.app.clock.advance_seconds(15 * 60 - 1);
    group.sign_in(&group.app.anonymous(), &json!(2), right).await.expect(429);
    group.app.clock.advance_seconds(2);
    group.sign_in(&group.app.anonymous(), &json!(2), right).await.expect(200);
}

#[tokio::test]
async fn a_guesser_at_all_numbers_locks_the_group_but_not_known_browsers() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let known = group.signed_in(&people[0]).await;
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..300 {
        let client = group.app.anonymous();
        let body = json!({"code": group.code, "number": 100 + number, "pin": "0000"});
        guesses.spawn(async move { client.post("/api/auth/number", body).await.status.as_u16() });
        if guesses.len() == 16 {
            assert_eq!(guesses.join_next().await.unwrap().unwrap(), 401);
        }
    }
    while let Some(guess) = guesses.join_next().await {
        assert_eq!(guess.unwrap(), 401);
    }
    let shut = group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await;
    shut.expect_problem(429, "TOO_MANY_REQUESTS");
    group.sign_in(&known, &json!(2), &people[0]["pin"]).await.expect(200);
}

#[tokio::test]
async fn thirty_children_behind_one_address_sign_in_within_a_minute() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let group = Group::start_in(app).await;
    let names: Vec<String> = (0..30).map(|n| format!("Child {n}")).collect();
    let people = group.add(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut children = tokio::task::JoinSet::new();
    for person in people {
        let client = group.app.anonymous();
        let wrong = json!({"code": group.code, "number": person["number"], "pin": "0"});
        let right = json!({"code": group.code, "number": person["number"], "pin": person["pin"]});
        children.spawn(async move {
            client.post("/api/auth/number", wrong).await.expect(401);
            client.post("/api/auth/number", right).await.expect(200);
        });
    }
    while let Some(child) = children.join_next().await {
        child.unwrap();
    }
}

#[tokio::test]
async fn many_guesses_at_once_are_no_more_than_the_limit() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let client = group.app.anonymous();
        let body = json!({"code": group.code, "number": 2, "pin": "0000"});
        guesses.spawn(async move { client.post("/api/auth/number", body).await.status.as_u16() });
    }
    let mut verified = 0;
    while let Some(guess) = guesses.join_next().await {
        verified += usize::from(guess.unwrap() == 401);
    }
    assert_eq!(verified, 10);
}

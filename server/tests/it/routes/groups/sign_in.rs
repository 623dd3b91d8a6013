//! `POST /api/auth/number`

use futures::{StreamExt, stream};
use installation::config::Switch;
use platform::db::Sql;
use serde_json::json;

use super::Group;
use crate::harness::TestApp;
use crate::routes::auctions::wrong_fields;

/// People who sign in at the same time.
const AT_ONCE: usize = 8;

#[tokio::test]
async fn a_managed_user_signs_in_with_code_number_and_pin() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let client = group.app.anonymous();
    let code = format!(" {} {}", group.code[..3].to_ascii_lowercase(), &group.code[3..]);
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

/// The statuses of sign-ins with these numbers and a wrong secret, of which several run at once.
async fn guess_all(group: &Group, numbers: impl Iterator<Item = i64>) -> Vec<u16> {
    let mut guesses = tokio::task::JoinSet::new();
    let mut statuses = Vec::new();
    for number in numbers {
        let client = group.app.anonymous();
        let body = json!({"code": group.code, "number": number, "cardSecret": "0000000000000000"});
        guesses.spawn(async move { client.post("/api/auth/number", body).await.status.as_u16() });
        if guesses.len() == 32 {
            statuses.push(guesses.join_next().await.unwrap().unwrap());
        }
    }
    statuses.extend(guesses.join_all().await);
    statuses
}

#[tokio::test]
async fn guesses_at_numbers_that_nobody_has_lock_nobody_out() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let statuses = guess_all(&group, (0..320).map(|n| 1000 + n % 5)).await;
    assert!(statuses.iter().all(|status| *status == 401));
    group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await.expect(200);
    let added = group.add_people("k", json!([{"number": 1000}])).await.expect(201);
    assert_eq!(added["people"][0]["failures"], 0);
    assert_eq!(added["people"][0]["locked"], false);
    group.signed_in(&added["people"][0]).await;
}

#[tokio::test]
async fn a_card_signs_in_however_locked_the_number_is() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let secret = people[0]["cardSecret"].as_str().unwrap();
    assert_eq!(secret.len(), 16, "{secret}");
    let card = async |secret: &str| {
        let body = json!({"code": group.code, "number": 2, "cardSecret": secret});
        group.app.anonymous().post("/api/auth/number", body).await
    };
    for wrong in ["0000000000000000", "", "?", people[1]["cardSecret"].as_str().unwrap()].repeat(3) {
        let refused = card(wrong).await;
        assert!(matches!(refused.status.as_u16(), 401 | 429));
    }
    let listed = &group.people().await[1];
    assert_eq!((&listed["failures"], &listed["locked"]), (&json!(10), &json!(true)));
    assert!(listed["cardSecret"].is_null() && listed["pin"].is_null());
    card("0000000000000000").await.expect_problem(429, "TOO_MANY_REQUESTS");
    group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await.expect(429);
    card(secret).await.expect(200);
    card(&format!("{}-{}", secret[..8].to_ascii_lowercase(), &secret[8..])).await.expect(200);

    let changed = group.keeper.patch(&group.person(2), json!({"pin": "NEW"})).await.expect(200);
    assert_eq!(changed["failures"], 0);
    card(secret).await.expect_problem(401, "INVALID_CREDENTIALS");
    card(changed["cardSecret"].as_str().unwrap()).await.expect(200);
    let both = json!({"code": group.code, "number": 2, "pin": "1", "cardSecret": secret});
    for (body, field) in [(both, "cardSecret"), (json!({"code": group.code, "number": 2}), "pin")] {
        let answer = group.app.anonymous().post("/api/auth/number", body).await;
        assert_eq!(wrong_fields(&answer), [field]);
    }
}

/// All are behind one address, the guesser too.
#[tokio::test]
async fn a_hall_with_a_guesser_gets_in_by_card_and_by_pin_once_the_keeper_opens_the_numbers() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let group = Group::start_in(app).await;
    let names: Vec<String> = (0..40).map(|n| format!("Child {n}")).collect();
    let people = group.add(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut statuses = guess_all(&group, (2..42).flat_map(|number| [number; 10])).await;
    statuses.extend(guess_all(&group, 5000..5400).await);
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 700, "then the address is refused");
    let listed = group.people().await;
    assert!(listed[1..].iter().all(|person| person["failures"] == 10 && person["locked"] == true));
    for person in &people {
        let body =
            json!({"code": group.code, "number": person["number"], "cardSecret": person["cardSecret"]});
        group.app.anonymous().post("/api/auth/number", body).await.expect(200);
        group.sign_in(&group.app.anonymous(), &person["number"], &person["pin"]).await.expect(429);
    }

    let page = group.path.trim_start_matches("/api");
    let shown = group.keeper.get(page).await.text;
    let failures = shown.split("id=\"failures\"").nth(1).and_then(|rest| rest.split("</section>").next());
    let failures = failures.unwrap_or_else(|| panic!("{shown}"));
    assert!(failures.contains("Child 39") && failures.contains("Open all numbers"), "{failures}");
    let pressed = group.keeper.post_form(&format!("{page}/open"), &[]).await;
    assert_eq!(pressed.status, 303, "{}", pressed.text);
    let shown = group.keeper.get(page).await.text;
    assert!(shown.contains("All numbers are open until"), "{shown}");
    let listed = group.people().await;
    assert!(listed.iter().all(|person| person["failures"] == 0 && person["locked"] == false));
    assert_eq!(guess_all(&group, [2; 20].into_iter()).await, [401; 20]);
    assert_eq!(group.people().await[1]["failures"], 20);
    let mut children = tokio::task::JoinSet::new();
    for person in people.clone() {
        let client = group.app.anonymous();
        let body = json!({"code": group.code, "number": person["number"], "pin": person["pin"]});
        children.spawn(async move { client.post("/api/auth/number", body).await.expect(200) });
    }
    while let Some(child) = children.join_next().await {
        child.unwrap();
    }
    assert_eq!(guess_all(&group, 5000..5080).await, [401; 80]);
    assert_eq!(guess_all(&group, [2].into_iter()).await, [429], "100 failures of the address");
    group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await.expect(429);
    let card = json!({"code": group.code, "number": 2, "cardSecret": people[0]["cardSecret"]});
    group.app.anonymous().post("/api/auth/number", card).await.expect(200);
    group.keeper.post(&format!("{}/open", group.path), json!({})).await.expect(204);
    group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await.expect(200);
}

/// The numbers from 3 to 201, whose people have the PIN and the card of the one with the number 2.
const HALL: [Sql; 3] = {
    macro_rules! users {
        ($new_id:literal) => {
            concat!(
                "INSERT INTO users (id, name, password_hash, device_key, created_at)
                 WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 201)
                 SELECT ",
                $new_id,
                ", 'Number ' || i, 'none', 'none', 0 FROM n"
            )
        };
    }
    macro_rules! same {
        ($sql:literal) => {
            Sql { sqlite: $sql, postgres: $sql }
        };
    }
    [
        Sql { sqlite: users!("randomblob(16)"), postgres: users!("gen_random_uuid()") },
        same!(
            "INSERT INTO group_people (group_id, number, user_id, role, list_id, created_at)
             SELECT g.id, CAST(substr(u.name, 8) AS BIGINT), u.id, 'PERSON', u.id, 0
             FROM groups g, users u WHERE u.password_hash = 'none'"
        ),
        same!(
            "UPDATE users SET password_hash = ada.password_hash, card_hash = ada.card_hash,
                 device_key = ada.device_key
             FROM users ada WHERE ada.name = 'Ada' AND users.password_hash = 'none'"
        ),
    ]
};

/// All are behind one address.
#[tokio::test]
async fn all_two_hundred_of_a_hall_get_in_by_card_and_by_pin_while_one_of_them_guesses() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let group = Group::start_in(app).await;
    let ada = group.add(&["Ada"]).await.remove(0);
    for statement in HALL {
        group.app.write(statement).await;
    }
    let numbers = 2..202;
    let guesses = guess_all(&group, [2; 15].into_iter()).await;
    assert_eq!(guesses.iter().filter(|status| **status == 429).count(), 5, "the number is locked");
    assert_eq!(guess_all(&group, 5000..5020).await, [401; 20]);
    for number in numbers.clone() {
        let body = json!({"code": group.code, "number": number, "cardSecret": ada["cardSecret"]});
        group.app.anonymous().post("/api/auth/number", body).await.expect(200);
    }
    group.sign_in(&group.app.anonymous(), &json!(2), &ada["pin"]).await.expect(429);
    group.keeper.post(&format!("{}/open", group.path), json!({})).await.expect(204);
    assert_eq!(guess_all(&group, [2; 20].into_iter()).await, [401; 20]);
    // A hash that waits for ten seconds is refused: other tests have the machine as well.
    let signed_in = stream::iter(numbers).map(async |number| {
        let body = json!({"code": group.code, "number": number, "pin": ada["pin"]});
        group.app.anonymous().post("/api/auth/number", body).await.expect(200)
    });
    assert_eq!(signed_in.buffer_unordered(AT_ONCE).count().await, 200);
}

#[tokio::test]
async fn failures_while_the_numbers_are_open_lock_none_of_them_afterwards() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    group.keeper.post(&format!("{}/open", group.path), json!({})).await.expect(204);
    let wrong = async || group.sign_in(&group.app.anonymous(), &json!(2), &json!("999")).await;
    for _ in 0..12 {
        wrong().await.expect_problem(401, "INVALID_CREDENTIALS");
    }
    group.app.clock.advance_seconds(10 * 60 + 1);
    wrong().await.expect_problem(401, "INVALID_CREDENTIALS");
    assert_eq!(group.people().await[1]["failures"], 13);
    group.sign_in(&group.app.anonymous(), &json!(2), &people[0]["pin"]).await.expect(200);
    for _ in 0..9 {
        wrong().await.expect_problem(401, "INVALID_CREDENTIALS");
    }
    wrong().await.expect_problem(429, "TOO_MANY_REQUESTS");
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

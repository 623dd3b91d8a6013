//! The keeper who made a group has no number until one is given.

use serde_json::{Value, json};

use super::{Group, members};
use crate::harness::{Answer, TestApp};

async fn start() -> Group {
    Group::of_new_keeper(TestApp::start().await).await
}

async fn import(group: &Group, query: &str, table: &str) -> Answer {
    let path = format!("{}/import{query}", group.path);
    let request = group.keeper.request("POST", &path).header("content-type", "text/csv");
    Answer::of(request.header("idempotency-key", table.replace('\n', ";")).body(table.to_owned())).await
}

/// The numbers of all people with their names.
async fn numbers(group: &Group) -> Vec<(Value, String)> {
    let people = group.people().await.into_iter();
    people.map(|one| (one["number"].clone(), one["user"]["name"].as_str().unwrap().to_owned())).collect()
}

#[tokio::test]
async fn a_class_list_from_one_on_goes_into_a_new_group() {
    let group = start().await;
    assert_eq!(numbers(&group).await, [(Value::Null, "keeper".to_owned())]);
    let auction = group.auction(json!({})).await;
    import(&group, "", "number,name\n1,Ada\n2,Bob\n").await.expect(201);
    let expected = [(json!(1), "Ada"), (json!(2), "Bob"), (Value::Null, "keeper")];
    assert_eq!(numbers(&group).await, expected.map(|(number, name)| (number, name.to_owned())));
    assert_eq!(members(&group.keeper, &auction).await.len(), 3);
    let table = group.keeper.get(&format!("{}/export?format=csv", group.path)).await;
    assert_eq!(table.text.trim_start_matches('\u{feff}'), "number,name\r\n1,Ada\r\n2,Bob\r\n,keeper\r\n");
    let again = import(&group, "?dryRun=true", "number,name\n1,Ada\n2,Bob\n,keeper\n").await.expect(200);
    let rows = again["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["action"] == "NONE") && rows.len() == 3, "{again}");
}

#[tokio::test]
async fn the_number_of_a_keeper_goes_to_the_person_who_is_given_it() {
    let group = Group::start().await;
    let auction = group.auction(json!({})).await;
    let shown = import(&group, "?dryRun=true", "number,name\n1,Ada\n").await.expect(200);
    let row = json!({"row": 2, "number": 1, "takenFrom": "keeper", "name": "Ada", "action": "CREATE"});
    assert_eq!((&shown["rows"], &shown["errors"]), (&json!([row]), &json!([])));
    let own = import(&group, "?dryRun=true", "number,name\n1,Keeper\n").await.expect(200);
    assert_eq!(own["rows"][0]["action"], "NONE", "the name is the keeper's");
    import(&group, "", "number,name\n1,Ada\n").await.expect(201);
    assert_eq!(numbers(&group).await, [(json!(1), "Ada".to_owned()), (Value::Null, "keeper".to_owned())]);
    let found = group.keeper.get(&format!("{auction}/members")).await.expect(200);
    let member = |name: &str| {
        let found = found["members"].as_array().unwrap().iter().find(|one| one["user"]["name"] == name);
        found.unwrap()["user"]["number"].clone()
    };
    assert_eq!((member("Ada"), member("keeper")), (json!(1), Value::Null));
    // A list, too.
    let keeper = group.people().await[1]["user"]["id"].as_str().unwrap().to_owned();
    let path = format!("{}/people/{keeper}", group.path);
    group.keeper.patch(&path, json!({"number": 7})).await.expect(200);
    group.add_people("k", json!([{"number": 7, "name": "Bob"}])).await.expect(201);
    assert_eq!(numbers(&group).await.last(), Some(&(Value::Null, "keeper".to_owned())));
    group.keeper.patch(&path, json!({"number": 7})).await.expect_problem(409, "NUMBER_TAKEN");
}

#[tokio::test]
async fn who_keeps_the_group_no_longer_gets_a_number() {
    let group = start().await;
    group.add(&["Ada"]).await;
    group.keeper.patch(&group.path, json!({"joinable": true})).await.expect(200);
    let bob = group.app.user("bob").await;
    bob.post("/api/groups/join", json!({"code": group.code})).await.expect(200);
    group.keeper.patch(&group.person(2), json!({"role": "KEEPER"})).await.expect(200);
    let people = group.people().await;
    let keeper = format!("{}/people/{}", group.path, people[2]["user"]["id"].as_str().unwrap());
    let person = group.keeper.patch(&keeper, json!({"role": "PERSON"})).await.expect(200);
    assert_eq!((&person["number"], &person["role"]), (&json!(3), &json!("PERSON")));
    let paged = bob.get(&format!("{}/people?limit=2", group.path)).await.expect(200);
    let next = paged["nextCursor"].as_str().unwrap();
    let rest = bob.get(&format!("{}/people?limit=2&cursor={next}", group.path)).await.expect(200);
    assert_eq!(rest["people"].as_array().unwrap().len(), 1);
    for wrong in ["0", "x", "10000"] {
        group
            .keeper
            .patch(&format!("{}/people/{wrong}", group.path), json!({}))
            .await
            .expect_problem(404, "NOT_FOUND");
    }
}

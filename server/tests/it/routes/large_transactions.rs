//! Requests that change many rows, and the transactions in which they do it: bids wait for each of them.

use platform::db::Sql;
use platform::touched_rows::ROWS_OF_A_PART;
use serde_json::{Value, json};

use super::auctions::auction;
use super::groups::Group;
use crate::harness::{Answer, Client, large_transactions};

const ITEMS: usize = 450;

/// The last number of the people of the group.
const PEOPLE: usize = 450;

/// People of the group besides the keeper, each with a number.
fn people() -> [Sql; 2] {
    macro_rules! numbers {
        ($new_id:literal) => {
            concat!(
                "INSERT INTO users (id, name, password_hash, device_key, created_at)
                 WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
                 SELECT ",
                $new_id,
                ", 'Number ' || i, 'none', 'none', 0 FROM n"
            )
        };
    }
    let users = Sql { sqlite: numbers!("randomblob(16)"), postgres: numbers!("gen_random_uuid()") };
    let people = "INSERT INTO group_people (group_id, number, user_id, role, list_id, created_at)
         SELECT g.id, CAST(substr(u.name, 8) AS BIGINT), u.id, 'PERSON', u.id, 0
         FROM groups g, users u WHERE u.password_hash = 'none'";
    [users, people.into()]
}

async fn table(client: &Client, path: &str, csv: String) -> Answer {
    let request = client.request("POST", path).header("content-type", "text/csv");
    let key = format!("{:x}", csv.len() * 31 + path.len());
    Answer::of(request.header("idempotency-key", key).body(csv)).await
}

async fn keyed(client: &Client, path: &str, body: &Value) -> Answer {
    let request = client.request("POST", path).header("content-type", "application/json");
    Answer::of(request.header("idempotency-key", "one").body(body.to_string())).await
}

fn lots(name: &str) -> String {
    let rows: String = (1..=ITEMS).map(|lot| format!("{lot},{name} {lot},EUR,yes\n")).collect();
    format!("lot,name,currency,published\n{rows}")
}

/// What the request was, once for each of its transactions that has changed more rows than a part has.
fn large(what: &'static str, path: &str) -> Vec<&'static str> {
    let path = path.split('?').next().unwrap_or(path);
    let mut found = large_transactions::take(path);
    found.retain(|one| one.rows > ROWS_OF_A_PART);
    assert!(found.iter().all(|one| one.in_turn), "{what} does not wait for its turn");
    found.iter().map(|_| what).collect()
}

/// Requests that change more rows of a table in one transaction than a part has, and why.
const LARGE: &[(&str, &str)] = &[
    ("import", "all lots of a table or none"),
    ("import of names", "all lots of a table or none"),
    ("undo of an import", "all that an import has written, or nothing"),
    ("schedule", "each end follows from the one before"),
    ("endDate", "no item outlasts its auction"),
    ("itemEndMode", "no item has an end that the auction grants no more"),
    ("groupId", "the people of a group are members, or none is"),
    ("no groupId", "no number is that of another group"),
    ("groupId again", "the people of a group are members, or none is"),
    ("order", "an order has each item once"),
    ("group import", "all people of a table or none"),
    ("auction of a group with a book", "the people of a group are members, or none is"),
    ("grant to all", "all holders are granted the same, or nothing"),
    ("book import", "all entries of a table or none"),
    ("deletion of an auction", "an auction without members is seen by nobody"),
    ("deletion of an auction of a group", "an auction without members is seen by nobody"),
    ("deletion of a group", "a person without a group can't sign in, and is erased with it"),
];

#[tokio::test]
async fn whatever_is_not_all_or_nothing_is_written_in_parts() {
    let group = Group::start().await;
    for statement in people() {
        group.app.write(statement).await;
    }
    let ada = &group.keeper;
    let mut found = Vec::new();

    let path = auction(ada, json!({"itemEndMode": "CUSTOM", "endDate": "2026-06-02T18:00:00Z"})).await;
    let import = format!("{path}/items/import");
    table(ada, &import, lots("Lot")).await.expect(201);
    found.extend(large("import", &import));
    let named = table(ada, &import, lots("Named")).await.expect(201);
    found.extend(large("import of names", &import));
    table(ada, &format!("{import}?again=true"), lots("Named") + "\n").await.expect(201);
    found.extend(large("import of nothing", &import));
    let undo = format!("{path}/items/imports/{}/undo", named["importId"].as_str().unwrap());
    ada.post(&undo, Value::Null).await.expect(200);
    found.extend(large("undo of an import", &undo));
    let schedule = format!("{path}/schedule");
    ada.post(&schedule, json!({"firstEnd": "2026-05-02T18:00:00Z", "intervalSeconds": 300}))
        .await
        .expect(200);
    found.extend(large("schedule", &schedule));
    for (what, change) in [
        ("readableBy", json!({"readableBy": "ANYONE"})),
        ("endDate", json!({"endDate": "2026-05-03T12:45:00Z"})),
        ("itemEndMode", json!({"itemEndMode": "AUCTION_END"})),
        ("groupId", json!({"groupId": group.id})),
        ("no groupId", json!({"groupId": null})),
        ("groupId again", json!({"groupId": group.id})),
    ] {
        ada.patch(&path, change).await.expect(200);
        found.extend(large(what, &path));
    }
    let person = group.person(2);
    ada.patch(&person, json!({"number": 9_000})).await.expect(200);
    found.extend(large("number", &person));
    let order = format!("{path}/running-order");
    let items = ada.get(&format!("{path}/items?limit=2")).await.expect(200);
    ada.send("PUT", &order, json!({"itemId": items["items"][0]["id"]})).await.expect(204);
    found.extend(large("order", &order));
    let numbers: String = (3..=PEOPLE).map(|n| format!("{n},Named {n}\n")).collect();
    let import = format!("{}/import", group.path);
    table(ada, &import, format!("number,name\n{numbers}")).await.expect(201);
    found.extend(large("group import", &import));

    let book = ada
        .post("/api/books", json!({"name": "Points", "baseUnit": {"name": "Point", "symbol": "P"}}))
        .await
        .expect(201);
    let book = book["id"].as_str().unwrap();
    let terms = json!({"name": "With a book", "groupId": group.id, "bookId": book});
    let made = ada.post("/api/auctions", terms).await.expect(201);
    found.extend(large("auction of a group with a book", "/api/auctions"));
    let second = format!("/api/auctions/{}", made["id"].as_str().unwrap());
    let entries = format!("/api/books/{book}/entries");
    keyed(ada, &entries, &json!({"holders": "ALL", "amount": 5, "reason": "Cakes"})).await.expect(201);
    found.extend(large("grant to all", &entries));
    let beyond = json!({"holders": "ALL", "amount": "1000000000000000", "reason": "Cakes"});
    keyed(ada, &entries, &beyond).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    let request = ada.request("POST", &entries).header("idempotency-key", "beyond");
    Answer::of(request.json(&beyond)).await.expect_problem(422, "INVALID_BODY");
    found.extend(large("grant beyond the bounds", &entries));
    let rows: String = (0..1_000).map(|n| format!("{},1,Cakes\n", 3 + n % (PEOPLE - 2))).collect();
    let import = format!("/api/books/{book}/import");
    table(ada, &format!("{import}?groupId={}", group.id), format!("number,amount,reason\n{rows}"))
        .await
        .expect(201);
    found.extend(large("book import", &import));
    let copy = format!("{path}/copy");
    ada.post(&copy, json!({"name": "Copy", "items": true})).await.expect(201);
    found.extend(large("copy", &copy));
    let profile =
        json!({"code": "PTS", "name": "Point", "symbol": "P", "rateToBase": 1, "inputMode": "SCALAR"});
    let currencies = format!("{path}/currencies");
    ada.post(&currencies, profile).await.expect(201);
    found.extend(large("first currency", &currencies));

    for (what, path) in [("deletion of an auction", &path), ("deletion of an auction of a group", &second)] {
        ada.delete(path).await.expect(204);
        found.extend(large(what, path));
    }
    ada.delete(&group.path).await.expect(204);
    found.extend(large("deletion of a group", &group.path));
    let right: Vec<&str> = LARGE.iter().map(|(what, _)| *what).collect();
    assert_eq!(found, right, "{LARGE:#?}");
}

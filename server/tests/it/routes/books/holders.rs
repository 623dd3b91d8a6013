//! `/api/books/{book_id}/holders`

use serde_json::{Value, json};

use super::{Class, add, balances, book, each, entries, grant, meet, names};
use crate::harness::{PASSWORD, TestApp};
use crate::routes::auctions::{NO_ID, user_id, wrong_fields};

#[tokio::test]
async fn a_new_holder_gets_the_starting_balance_once() {
    let class = Class::start().await;
    let expected = names(&[("owner", "0"), ("teller", "300"), ("holder", "300")]);
    assert_eq!(balances(&class.owner, &class.book).await, expected);
    add(&class.owner, &class.book, &class.holder).await;
    assert_eq!(balances(&class.teller, &class.book).await, expected);
    let written = entries(&class.owner, &class.book).await;
    assert_eq!(each(&written, "kind"), ["GRANT", "GRANT"]);
    assert_eq!(each(&written, "sequence"), [1, 2]);
    let first = class.owner.get(&class.path("holders")).await.expect(200)["holders"][1].clone();
    let id = user_id(&class.teller).await;
    assert_eq!(
        first,
        json!({"user": {"id": id, "name": "teller"}, "role": "TELLER", "balance": "300", "committed": "0",
               "available": "300"})
    );
}

#[tokio::test]
async fn a_holder_is_added_by_id_or_by_email() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    meet(&ada, &[&bob]).await;
    let path = book(&ada, json!({"creditLimit": 5})).await;
    let holders = format!("{path}/holders");
    let made = ada.post(&holders, json!({"email": " BOB@example.org "})).await.expect(201);
    assert_eq!(
        (&made["role"], &made["balance"], &made["available"]),
        (&json!("HOLDER"), &json!("0"), &json!("5"))
    );
    assert_eq!(made["user"]["id"], json!(user_id(&bob).await));
    bob.get(&path).await.expect(200);
    let nobody = json!({"email": "nobody@example.org"});
    ada.post(&holders, nobody).await.expect_problem(422, "USER_NOT_REGISTERED");
    for (body, field) in [
        (json!({}), "email"),
        (json!({"userId": NO_ID}), "userId"),
        (json!({"userId": "x"}), "userId"),
        (json!({"email": "x"}), "email"),
        (json!({"userId": user_id(&bob).await, "email": "bob@example.org"}), "email"),
    ] {
        assert_eq!(wrong_fields(&ada.post(&holders, body.clone()).await), [field], "{body}");
    }
}

#[tokio::test]
async fn balances_of_others_are_visible_to_keepers_and_under_members_to_all() {
    let class = Class::start().await;
    class.teller.get(&class.path("holders")).await.expect(200);
    class.holder.get(&class.path("holders")).await.expect_problem(403, "FORBIDDEN");
    class.owner.patch(&class.book, json!({"visibility": "MEMBERS"})).await.expect(200);
    class.holder.get(&class.path("holders")).await.expect(200);
    let eve = class.app.user("eve").await;
    eve.get(&class.path("holders")).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn holders_are_listed_in_pages_and_found_by_a_part_of_their_names() {
    let class = Class::start().await;
    let mut path = class.path("holders?limit=2");
    let mut pages: Vec<Vec<Value>> = Vec::new();
    loop {
        let found = class.owner.get(&path).await.expect(200);
        let holders = found["holders"].as_array().unwrap();
        pages.push(holders.iter().map(|holder| holder["user"]["name"].clone()).collect());
        let Some(cursor) = found["nextCursor"].as_str() else { break };
        path = class.path(&format!("holders?limit=2&cursor={cursor}"));
    }
    assert_eq!(pages, [vec!["owner", "teller"], vec!["holder"]]);
    class.owner.patch("/api/user", json!({"name": "Éva 50%_off"})).await.expect(200);
    for (search, expected) in
        [("LL", vec!["teller"]), ("%25", vec!["Éva 50%_off"]), ("éVA", vec!["Éva 50%_off"]), ("zz", vec![])]
    {
        let found = class.owner.get(&class.path(&format!("holders?q={search}"))).await.expect(200);
        let holders = found["holders"].as_array().unwrap().iter();
        let found: Vec<_> = holders.map(|holder| holder["user"]["name"].clone()).collect();
        assert_eq!(found, expected, "{search}");
    }
    let long = class.path(&format!("holders?q={}", "x".repeat(201)));
    assert_eq!(wrong_fields(&class.owner.get(&long).await), ["q"]);
}

#[tokio::test]
async fn the_owner_changes_roles_and_hands_the_book_over() {
    let class = Class::start().await;
    let (owner, teller, holder) =
        (user_id(&class.owner).await, user_id(&class.teller).await, user_id(&class.holder).await);
    let path = |id: &str| class.path(&format!("holders/{id}"));
    let role = |role: &str| json!({ "role": role });
    class.teller.patch(&path(&holder), role("TELLER")).await.expect_problem(403, "FORBIDDEN");
    class.owner.patch(&path(&owner), role("TELLER")).await.expect_problem(403, "FORBIDDEN");
    class.owner.patch(&path(NO_ID), role("TELLER")).await.expect_problem(404, "NOT_FOUND");
    for body in [json!({}), json!({"role": null}), role("ADMIN")] {
        assert_eq!(wrong_fields(&class.owner.patch(&path(&holder), body).await), ["role"]);
    }
    assert_eq!(class.owner.patch(&path(&holder), role("TELLER")).await.expect(200)["role"], "TELLER");
    assert_eq!(class.owner.patch(&path(&teller), role("HOLDER")).await.expect(200)["role"], "HOLDER");

    let answer = class.owner.patch(&path(&holder), role("OWNER")).await.expect(200);
    assert_eq!((&answer["role"], &answer["balance"]), (&json!("OWNER"), &json!("300")));
    assert_eq!(class.owner.get(&class.book).await.expect(200)["myRole"], "TELLER");
    assert_eq!(class.holder.get(&class.book).await.expect(200)["myRole"], "OWNER");
    class.owner.patch(&path(&teller), role("TELLER")).await.expect_problem(403, "FORBIDDEN");
}

#[tokio::test]
async fn an_account_that_owns_a_book_stays_and_others_keep_their_entries_as_deleted_user() {
    let class = Class::start().await;
    let delete = async |client: &crate::harness::Client| {
        client.send("DELETE", "/api/user", json!({"password": PASSWORD})).await
    };
    delete(&class.owner).await.expect_problem(409, "OWNS_BOOKS");
    let holder = user_id(&class.holder).await;
    delete(&class.holder).await.expect(204);
    assert_eq!(
        balances(&class.owner, &class.book).await,
        names(&[("owner", "0"), ("teller", "300"), ("deleted user", "300")])
    );
    let last = entries(&class.owner, &class.book).await.pop().unwrap();
    assert_eq!(last["holder"], json!({"id": holder, "name": "deleted user"}));

    // A deleted account neither gets nor owns anything.
    let written = grant(&class.owner, &class.book, json!("ALL"), json!(1)).await.expect(201);
    assert_eq!(written["entries"].as_array().unwrap().len(), 2);
    let chosen = grant(&class.owner, &class.book, json!([holder]), json!(1)).await;
    assert_eq!(wrong_fields(&chosen), ["holders.0"]);
    let role = class.owner.patch(&class.path(&format!("holders/{holder}")), json!({"role": "OWNER"})).await;
    role.expect_problem(404, "NOT_FOUND");
    let again = class.owner.post(&class.path("holders"), json!({"userId": holder})).await;
    assert_eq!(wrong_fields(&again), ["userId"]);

    let teller = class.path(&format!("holders/{}", user_id(&class.teller).await));
    class.owner.patch(&teller, json!({"role": "OWNER"})).await.expect(200);
    delete(&class.owner).await.expect(204);
}

#[tokio::test]
async fn a_book_has_at_most_10000_holders() {
    let class = Class::start().await;
    class
        .app
        .write(platform::db::Sql {
            sqlite: "INSERT INTO users (id, name, created_at, erased_at)
                     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9997)
                     SELECT randomblob(16), 'deleted user', 0, 0 FROM n",
            postgres: "INSERT INTO users (id, name, created_at, erased_at)
                       SELECT gen_random_uuid(), 'deleted user', 0, 0 FROM generate_series(1, 9997)",
        })
        .await;
    class
        .app
        .write(
            "INSERT INTO book_holders (book_id, user_id, role, joined_at)
             SELECT b.id, u.id, 'HOLDER', 0 FROM books b, users u WHERE u.erased_at IS NOT NULL",
        )
        .await;
    let eve = class.app.user("eve").await;
    meet(&class.owner, &[&eve]).await;
    let body = json!({"userId": user_id(&eve).await});
    class.owner.post(&class.path("holders"), body).await.expect_problem(409, "LIMIT_REACHED");
    // A holder stays as they are.
    add(&class.owner, &class.book, &class.holder).await;
    let table = "email,amount,reason\neve@example.org,1,Cakes\n";
    super::import::table(&class.owner, &class.book, "k1", table).await.expect_problem(409, "LIMIT_REACHED");
}

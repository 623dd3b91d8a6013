//! Creates, reads, changes, lists and deletes books.

use platform::db::query_scalar;
use serde_json::{Value, json};

use super::{Class, book, grant, keyed, raffle};
use crate::harness::{TestApp, times};
use crate::routes::auctions::{NO_ID, auction, wrong_fields};

#[tokio::test]
async fn a_book_is_created_and_read() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let terms = json!({"startingBalance": "300.5", "creditLimit": 20, "visibility": "MEMBERS"});
    let made = ada.post("/api/books", raffle(terms)).await;
    let path = made.header("location").to_owned();
    let etag = made.header("etag").to_owned();
    let made = made.expect(201);
    let expected = json!({
        "id": path.rsplit('/').next().unwrap(), "name": "Class 4b", "baseUnit": {"name": "Tickets", "plural": null, "symbol": "T"},
        "startingBalance": "300.5", "creditLimit": "20", "visibility": "MEMBERS", "status": "OPEN",
        "myRole": "OWNER", "inviteToken": made["inviteToken"], "createdAt": "2026-05-01T18:00:00.000Z", "updatedAt": "2026-05-01T18:00:00.000Z",
    });
    assert_eq!(made, expected);
    let read = ada.get(&path).await;
    assert_eq!((read.header("etag"), read.json()), (etag.as_str(), made));
}

#[tokio::test]
async fn a_user_sees_the_books_in_which_they_are_a_holder_newest_first() {
    let class = Class::start().await;
    let second = book(&class.owner, json!({"name": "Class 5c"})).await;
    let listed = async |client: &crate::harness::Client, query: &str| {
        let found = client.get(&format!("/api/books{query}")).await.expect(200);
        let books = found["books"].as_array().unwrap().iter();
        let books: Vec<_> =
            books.map(|book| (book["name"].as_str().unwrap().to_owned(), book["myRole"].clone())).collect();
        (books, found["nextCursor"].clone())
    };
    let (all, next) = listed(&class.owner, "").await;
    let expected = ["Class 5c", "Class 4b"].map(|name| (name.to_owned(), json!("OWNER")));
    assert_eq!((all.as_slice(), next), (expected.as_slice(), Value::Null));
    let (first, next) = listed(&class.owner, "?limit=1").await;
    assert_eq!(first, expected[..1]);
    let (rest, next) = listed(&class.owner, &format!("?limit=1&cursor={}", next.as_str().unwrap())).await;
    assert_eq!((rest.as_slice(), next), (&expected[1..], Value::Null));
    assert_eq!(listed(&class.teller, "").await.0, [("Class 4b".to_owned(), json!("TELLER"))]);
    assert_eq!(listed(&class.holder, "").await.0, [("Class 4b".to_owned(), json!("HOLDER"))]);
    class.holder.get(&second).await.expect_problem(404, "NOT_FOUND");
    class.holder.get(&format!("/api/books/{NO_ID}")).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn amounts_are_exact_up_to_their_bounds() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    assert_eq!(wrong_fields(&ada.post("/api/books", json!({})).await), ["name", "baseUnit"]);
    for amount in ["1000000000000000", "0.1234567890123", "0"] {
        let changes = json!({"startingBalance": amount, "creditLimit": amount});
        let made = ada.post("/api/books", raffle(changes)).await.expect(201);
        assert_eq!((&made["startingBalance"], &made["creditLimit"]), (&json!(amount), &json!(amount)));
    }
}

#[tokio::test]
async fn a_book_that_is_created_twice_with_one_key_is_one_book() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let first = keyed(&ada, "/api/books", "k1", &raffle(json!({}))).await;
    let again = keyed(&ada, "/api/books", "k1", &raffle(json!({}))).await;
    assert_eq!(first.expect(201), again.expect(201));
    assert_eq!(again.header("idempotent-replayed"), "true");
    let other = keyed(&ada, "/api/books", "k1", &raffle(json!({"name": "Other"}))).await;
    other.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(ada.get("/api/books").await.expect(200)["books"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_book_is_deleted_while_it_has_neither_entries_nor_auctions() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = book(&ada, json!({})).await;
    ada.delete(&path).await.expect(204);
    ada.get(&path).await.expect_problem(404, "NOT_FOUND");

    let path = book(&ada, json!({})).await;
    grant(&ada, &path, json!("ALL"), json!(1)).await.expect(201);
    ada.delete(&path).await.expect_problem(409, "IN_USE");

    let path = book(&ada, json!({})).await;
    let id = path.rsplit('/').next().unwrap();
    let sale = auction(&ada, json!({"bookId": id})).await;
    ada.delete(&path).await.expect_problem(409, "IN_USE");
    ada.delete(&sale).await.expect(204);
    ada.delete(&path).await.expect(204);
}

#[tokio::test]
async fn a_book_closes_once_its_auctions_are_closed_and_takes_nothing_then() {
    let class = Class::start().await;
    let id = class.book.rsplit('/').next().unwrap().to_owned();
    let sale = auction(&class.owner, json!({"bookId": id})).await;
    let close = json!({"status": "CLOSED"});
    class.owner.patch(&class.book, close.clone()).await.expect_problem(409, "IN_USE");
    class.owner.post(&format!("{sale}/close"), json!({})).await.expect(200);
    assert_eq!(class.owner.patch(&class.book, close).await.expect(200)["status"], "CLOSED");

    grant(&class.teller, &class.book, json!("ALL"), json!(1)).await.expect_problem(409, "CLOSED");
    let reason = json!({"reason": "A mistake"});
    class.teller.post(&class.path("entries/1/reverse"), reason).await.expect_problem(409, "CLOSED");
    let dora = class.app.user("dora").await;
    let found = class.owner.get(&class.book).await.expect(200);
    let join = json!({"inviteToken": found["inviteToken"]});
    dora.post(&class.path("join"), join.clone()).await.expect_problem(409, "CLOSED");
    let auction_terms = json!({"name": "Autumn sale", "bookId": id});
    class.owner.post("/api/auctions", auction_terms).await.expect_problem(409, "CLOSED");

    class.owner.patch(&class.book, json!({"status": "OPEN"})).await.expect(200);
    dora.post(&class.path("join"), join).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auction_has_the_unit_of_its_book_if_both_are_written_at_one_instant() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let points = json!({"name": "Points", "symbol": "P"});
    for _ in 0..times(20, 400) {
        let path = book(&ada, json!({})).await;
        let sale = json!({"name": "A sale", "bookId": path.rsplit('/').next().unwrap()});
        let (sale, _) = tokio::join!(
            ada.post("/api/auctions", sale),
            ada.patch(&path, json!({"baseUnit": points.clone()}))
        );
        let unit = &ada.get(&path).await.expect(200)["baseUnit"];
        if sale.status == 201 {
            assert_eq!(&sale.json()["baseUnit"], unit);
        } else {
            assert_eq!(wrong_fields(&sale), ["baseUnit"]);
        }
    }
}

#[tokio::test]
async fn the_unit_stays_once_there_are_entries() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = book(&ada, json!({})).await;
    let points = json!({"baseUnit": {"name": "Points", "symbol": "P"}});
    ada.patch(&path, points.clone()).await.expect(200);
    grant(&ada, &path, json!("ALL"), json!(1)).await.expect(201);
    let tickets = json!({"baseUnit": {"name": "Tickets", "symbol": "T"}});
    ada.patch(&path, tickets).await.expect_problem(409, "FROZEN");
    ada.patch(&path, points).await.expect(200);
}

#[tokio::test]
async fn a_closed_book_keeps_the_moment_at_which_it_was_closed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = book(&ada, json!({})).await;
    let closed_at = async || {
        let sql = "SELECT closed_at FROM books";
        let found: Option<i64> =
            query_scalar(sql).fetch_one(&mut app.state.context.db.read().await.unwrap()).await.unwrap();
        found
    };
    ada.patch(&path, json!({"status": "CLOSED"})).await.expect(200);
    let first = closed_at().await;
    assert!(first.is_some());
    app.clock.advance_seconds(1);
    ada.patch(&path, json!({"name": "Class 5b"})).await.expect(200);
    assert_eq!(closed_at().await, first);
    ada.patch(&path, json!({"status": "OPEN"})).await.expect(200);
    assert_eq!(closed_at().await, None);
}

#[tokio::test]
async fn a_user_owns_at_most_1000_books() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let first = book(&ada, json!({})).await;
    app.write(platform::db::Sql {
        sqlite: "INSERT INTO books (id, name, base_unit_name, base_unit_symbol, starting_balance, credit_limit, visibility,
                                    link_token, created_at, updated_at)
                 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
                 SELECT randomblob(16), 'Book', 'Point', '', '0', '0', 'PRIVATE', 'token' || i, 0, 0 FROM n",
        postgres: "INSERT INTO books (id, name, base_unit_name, base_unit_symbol, starting_balance, credit_limit,
                                      visibility, link_token, created_at, updated_at)
                   SELECT gen_random_uuid(), 'Book', 'Point', '', '0', '0', 'PRIVATE', 'token' || n, 0, 0
                   FROM generate_series(1, 999) AS n",
    })
    .await;
    app.write(
        "INSERT INTO book_holders (book_id, user_id, role, joined_at)
         SELECT b.id, h.user_id, 'OWNER', 0 FROM books b, book_holders h WHERE b.name = 'Book'",
    )
    .await;
    ada.post("/api/books", raffle(json!({}))).await.expect_problem(409, "LIMIT_REACHED");
    ada.delete(&first).await.expect(204);
    ada.post("/api/books", raffle(json!({}))).await.expect(201);
}

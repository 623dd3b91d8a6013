//! Who becomes a holder of an auction's book, and which book an auction may have.

use auction_house::ids::UserId;
use platform::db::{for_each_row, query, rows};
use serde_json::json;

use super::{BookSale, open_book, short_of, text};
use crate::harness::TestApp;
use crate::routes::auctions::user_id;

#[tokio::test]
async fn a_bid_that_joins_is_judged_with_the_starting_balance() {
    let opened = BookSale::open("50").await;
    let sale = &opened.sale;
    let ada = sale.app.user("ada").await;
    assert_eq!(short_of(&sale.bid(&ada, json!({"amount": 51})).await).1, "50");
    assert_eq!(opened.entries_of(&ada).await, [], "a refused bid joins nothing");
    ada.get(&format!("/api/auctions/{}/balance", sale.auction)).await.expect_problem(403, "FORBIDDEN");
    sale.bid(&ada, json!({"amount": 50})).await.expect(201);
    assert_eq!(opened.entries_of(&ada).await, [("GRANT".to_owned(), "50".to_owned())]);
    assert_eq!(opened.funds(&ada).await, ["50", "50", "0"]);
    sale.bid(&ada, json!({"amount": 51})).await.expect_problem(422, "BID_REJECTED");
}

#[tokio::test]
async fn a_user_gets_the_starting_balance_once() {
    let opened = BookSale::open("50").await;
    let sale = &opened.sale;
    let (auction, _) = opened.another_auction().await;
    let ada = sale.bidder("ada").await;
    ada.post(&format!("/api/auctions/{auction}/join"), json!({})).await.expect(200);
    let path = format!("/api/auctions/{}/members/{}", sale.auction, user_id(&ada).await);
    ada.delete(&path).await.expect(204);
    let invite = json!({"email": "ada@example.org", "role": "BIDDER"});
    let invites = format!("/api/auctions/{}/invites", sale.auction);
    let invite = sale.owner.post(&invites, invite).await.expect(201);
    ada.post(&format!("/api/invites/{}", invite["token"].as_str().unwrap()), json!({})).await.expect(200);
    assert_eq!(opened.entries_of(&ada).await, [("GRANT".to_owned(), "50".to_owned())]);
}

#[tokio::test]
async fn members_become_holders_when_the_auction_gets_a_book() {
    let opened = BookSale::open("50").await;
    let sale = &opened.sale;
    let other =
        sale.owner.post("/api/auctions", json!({"name": "Other", "joinMode": "FREE"})).await.expect(201);
    let auction = other["id"].as_str().unwrap();
    let ada = sale.app.user("ada").await;
    ada.post(&format!("/api/auctions/{auction}/join"), json!({})).await.expect(200);
    assert_eq!(opened.entries_of(&ada).await, []);
    opened.set_book(auction).await;
    assert_eq!(opened.entries_of(&ada).await, [("GRANT".to_owned(), "50".to_owned())]);
}

#[tokio::test]
async fn the_owner_chooses_a_book_before_the_first_bid() {
    let opened = BookSale::open("50").await;
    let sale = &opened.sale;
    let (path, owner) = (format!("/api/auctions/{}", sale.auction), &sale.owner);
    owner
        .patch(&path, json!({"baseUnit": {"name": "Euro", "symbol": "€"}}))
        .await
        .expect_problem(422, "INVALID_BODY");
    let ada = sale.bidder("ada").await;
    sale.give_role(&ada, "ADMIN").await;
    ada.patch(&path, json!({"bookId": null})).await.expect_problem(403, "FORBIDDEN");
    let of_ada = open_book(&sale.app, &ada, "0").await;
    owner.patch(&path, json!({"bookId": of_ada})).await.expect_problem(422, "INVALID_BODY");
    let removed = owner.patch(&path, json!({"bookId": null})).await.expect(200);
    assert_eq!((&removed["bookId"], &removed["baseUnit"]["name"]), (&json!(null), &json!("Point")));
    owner.get(&format!("{path}/balance")).await.expect_problem(404, "NOT_FOUND");
    opened.set_book(&sale.auction).await;
    let other = json!({"name": "Sale", "bookId": opened.book, "baseUnit": {"name": "Euro", "symbol": "€"}});
    owner.post("/api/auctions", other).await.expect_problem(422, "INVALID_BODY");
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    owner.patch(&path, json!({"bookId": null})).await.expect_problem(409, "HAS_BIDS");
    sale.app.write("UPDATE books SET closed_at = 1, revision = revision + 1").await;
    let closed = json!({"name": "Sale", "bookId": opened.book});
    owner.post("/api/auctions", closed).await.expect_problem(409, "CLOSED");
}

/// Adds users with deleted accounts to all books, as another process would.
async fn fill(app: &TestApp, count: u64) {
    let mut db = app.state.context.db.write().await.unwrap();
    let now = app.state.context.clock.now();
    let ids: Vec<UserId> = (0..count).map(|_| UserId::new(now)).collect();
    let users = for_each_row!(
        "INSERT INTO users (id, name, created_at, erased_at) SELECT given.id, 'deleted user', 0, 0 FROM",
        [id id],
        ""
    );
    let holders = for_each_row!(
        "INSERT INTO book_holders (book_id, user_id, role, joined_at) SELECT b.id, given.id, 'HOLDER', 0 FROM",
        [id id],
        "CROSS JOIN books b"
    );
    for statement in [users, holders] {
        query(statement).bind(rows(ids.iter().map(|id| [id])).unwrap()).execute(&mut db).await.unwrap();
    }
    query("UPDATE books SET revision = revision + 1").execute(&mut db).await.unwrap();
    db.commit().await.unwrap();
}

#[tokio::test]
async fn nobody_joins_an_auction_whose_book_has_10000_holders() {
    let opened = BookSale::open("50").await;
    let sale = &opened.sale;
    let (ada, ben, cleo) =
        (sale.app.user("ada").await, sale.app.user("ben").await, sale.app.user("cleo").await);
    let other = text(
        &sale.owner.post("/api/auctions", json!({"name": "Other", "joinMode": "FREE"})).await.expect(201)["id"],
    );
    ben.post(&format!("/api/auctions/{other}/join"), json!({})).await.expect(200);
    fill(&sale.app, 9_998).await;
    let join = format!("/api/auctions/{}/join", sale.auction);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    for _ in 0..2 {
        ben.post(&join, json!({})).await.expect_problem(409, "LIMIT_REACHED");
        sale.bid(&cleo, json!({"amount": 6})).await.expect_problem(409, "LIMIT_REACHED");
    }
    let path = format!("/api/auctions/{other}");
    let refused = sale.owner.patch(&path, json!({"bookId": opened.book})).await;
    refused.expect_problem(409, "LIMIT_REACHED");
    sale.bid(&ada, json!({"amount": 7})).await.expect(201);
    let page = ben.post_form(&format!("/auctions/{}/join", sale.auction), &[]).await;
    assert!(page.status == 409 && page.text.contains("10,000 holders"), "{}", page.text);
}

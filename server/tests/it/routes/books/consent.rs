//! Nobody is drawn into a stranger's book, and no book turns e-mails into names.

use serde_json::{Value, json};

use super::import::table;
use super::{Class, add, balances, book, grant, meet, names};
use crate::harness::{Client, TestApp};
use crate::routes::auctions::{auction, user_id};

async fn notifications(client: &Client) -> Vec<Value> {
    let found = client.get("/api/user/notifications?limit=100").await.expect(200);
    found["notifications"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_stranger_becomes_a_holder_by_the_link_of_the_book_only() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = book(&ada, json!({"startingBalance": 3})).await;
    let holders = format!("{path}/holders");
    let email = json!({"email": "bob@example.org"});
    ada.post(&holders, email.clone()).await.expect_problem(422, "USER_NOT_REGISTERED");
    let by_id = json!({"userId": user_id(&bob).await});
    ada.post(&holders, by_id).await.expect_problem(422, "INVALID_BODY");
    let rows = "email,amount,reason\nbob@example.org,1,Account suspended\n";
    table(&ada, &path, "k1", rows).await.expect_problem(422, "INVALID_BODY");
    assert_eq!(notifications(&bob).await.len(), 0);
    bob.get(&path).await.expect_problem(404, "NOT_FOUND");

    let join = format!("{path}/join");
    bob.post(&join, json!({"inviteToken": "guess"})).await.expect_problem(403, "FORBIDDEN");
    let old = ada.get(&path).await.expect(200)["inviteToken"].clone();
    let new = ada.post(&format!("{path}/invite-token"), json!({})).await.expect(200)["inviteToken"].clone();
    bob.post(&join, json!({ "inviteToken": old })).await.expect_problem(403, "FORBIDDEN");
    let joined = bob.post(&join, json!({ "inviteToken": new })).await.expect(200);
    assert_eq!((&joined["myRole"], &joined["inviteToken"]), (&json!("HOLDER"), &Value::Null));
    assert_eq!(balances(&ada, &path).await, names(&[("ada", "0"), ("bob", "3")]));
    ada.post(&holders, email).await.expect(201);
}

#[tokio::test]
async fn a_holder_leaves_and_returns_with_the_balance_from_before() {
    let class = Class::start().await;
    let id = user_id(&class.holder).await;
    let own = class.path(&format!("holders/{id}"));
    class.owner.delete(&own).await.expect_problem(403, "FORBIDDEN");
    let owner = class.path(&format!("holders/{}", user_id(&class.owner).await));
    class.owner.delete(&owner).await.expect_problem(403, "FORBIDDEN");
    grant(&class.owner, &class.book, json!([id]), json!(5)).await.expect(201);
    class.holder.delete(&own).await.expect(204);
    class.holder.get(&class.book).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(class.holder.get("/api/books").await.expect(200)["books"], json!([]));
    assert_eq!(balances(&class.owner, &class.book).await, names(&[("owner", "0"), ("teller", "300")]));
    grant(&class.owner, &class.book, json!([id]), json!(5)).await.expect_problem(422, "INVALID_BODY");
    // No act of a keeper brings back who has left.
    meet(&class.owner, &[&class.holder]).await;
    let holders = class.path("holders");
    class.owner.post(&holders, json!({"userId": id})).await.expect_problem(422, "INVALID_BODY");
    let by_email = json!({"email": "holder@example.org"});
    class.owner.post(&holders, by_email).await.expect_problem(422, "USER_NOT_REGISTERED");
    let rows = "email,amount,reason\nholder@example.org,1,Back\n";
    table(&class.owner, &class.book, "back", rows).await.expect_problem(422, "INVALID_BODY");
    class.holder.get(&class.book).await.expect_problem(404, "NOT_FOUND");
    add(&class.owner, &class.book, &class.holder).await;
    let expected = names(&[("owner", "0"), ("teller", "300"), ("holder", "305")]);
    assert_eq!(balances(&class.owner, &class.book).await, expected);
}

/// To take part in the same sale is no consent to a stranger's book.
#[tokio::test]
async fn a_keeper_reaches_members_of_own_auctions_and_of_those_of_the_book_only() {
    let app = TestApp::start().await;
    let (eve, ada, owner) = (app.user("eve").await, app.user("ada").await, app.user("owner").await);
    meet(&owner, &[&eve, &ada]).await;
    let path = book(&eve, json!({})).await;
    let by_id = json!({"userId": user_id(&ada).await});
    eve.post(&format!("{path}/holders"), by_id.clone()).await.expect_problem(422, "INVALID_BODY");
    let rows = "email,amount,reason\nada@example.org,1,Hello\n";
    table(&eve, &path, "k1", rows).await.expect_problem(422, "INVALID_BODY");
    meet(&eve, &[&ada]).await;
    eve.post(&format!("{path}/holders"), by_id).await.expect(201);
}

#[tokio::test]
async fn unread_a_balance_is_told_once_an_hour() {
    let class = Class::start().await;
    let id = user_id(&class.holder).await;
    for amount in 1..=5 {
        grant(&class.owner, &class.book, json!([id]), json!(amount)).await.expect(201);
    }
    assert_eq!(notifications(&class.holder).await.len(), 1);
    class.holder.post("/api/user/notifications/read", json!({"all": true})).await.expect(204);
    grant(&class.owner, &class.book, json!([id]), json!(7)).await.expect(201);
    assert_eq!(notifications(&class.holder).await.len(), 2, "the first one is read");
    class.app.clock.advance_seconds(3601);
    grant(&class.owner, &class.book, json!([id]), json!(9)).await.expect(201);
    assert_eq!(notifications(&class.holder).await.len(), 3, "an hour has passed");
}

#[tokio::test]
async fn a_member_of_an_open_auction_of_the_book_stays_a_holder() {
    let class = Class::start().await;
    let id = class.book.rsplit('/').next().unwrap();
    let sale = auction(&class.owner, json!({"joinMode": "FREE", "bookId": id})).await;
    crate::routes::auctions::join(&class.holder, &sale).await;
    let user = user_id(&class.holder).await;
    let own = class.path(&format!("holders/{user}"));
    class.holder.delete(&own).await.expect_problem(409, "IN_USE");
    class.holder.delete(&format!("{sale}/members/{user}")).await.expect(204);
    class.holder.delete(&own).await.expect(204);
    // Joining again brings the balance back, without another start.
    crate::routes::auctions::join(&class.holder, &sale).await;
    assert_eq!(balances(&class.owner, &class.book).await[2], names(&[("holder", "300")])[0]);
}

#[tokio::test]
async fn a_table_notifies_each_holder_once() {
    let class = Class::start().await;
    let rows: String = (0..50).map(|n| format!("holder@example.org,1,Round {n}\n")).collect();
    table(&class.owner, &class.book, "k1", &format!("email,amount,reason\n{rows}")).await.expect(201);
    let told = notifications(&class.holder).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["text"], "Your balance changed by 50\u{a0}Tickets, in 50 entries.");
}

/// Each e-mail that is not a holder's counts, whether or not it has an account.
#[tokio::test]
async fn e_mails_are_looked_up_a_hundred_at_once_and_then_one_in_two_seconds() {
    let app = TestApp::start_with(|_| {}).await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    meet(&ada, &[&bob]).await;
    let path = book(&ada, json!({})).await;
    let dry = async |rows: String| {
        let request = ada.request("POST", &format!("{path}/import?dryRun=true"));
        let body = format!("email,amount,reason\n{rows}");
        crate::harness::Answer::of(request.header("content-type", "text/csv").body(body)).await
    };
    let strangers = |count: usize| -> String {
        (0..count).map(|n| format!("stranger{n}@example.org,1,Cakes\n")).collect()
    };
    let many = dry(format!("bob@example.org,1,Cakes\n{}", strangers(50))).await.expect(200);
    assert_eq!((&many["rows"], &many["errors"][0]["path"]), (&json!([]), &json!("row 1")));
    for _ in 0..2 {
        let shown = dry(format!("bob@example.org,1,Cakes\n{}", strangers(49))).await.expect(200);
        assert_eq!(shown["rows"][0]["name"], "bob");
    }
    dry("bob@example.org,1,Cakes\n".to_owned()).await.expect_problem(429, "TOO_MANY_REQUESTS");
    let one = json!({"email": "bob@example.org"});
    ada.post(&format!("{path}/holders"), one.clone()).await.expect_problem(429, "TOO_MANY_REQUESTS");
    app.clock.advance_seconds(4);
    ada.post(&format!("{path}/holders"), one).await.expect(201);
    dry("bob@example.org,1,Cakes\n".to_owned()).await.expect(200);
}

#[tokio::test]
async fn a_book_of_a_hidden_auction_shows_balances_to_its_keepers_only() {
    let class = Class::with(json!({"startingBalance": 300, "visibility": "MEMBERS"})).await;
    class.holder.get(&class.path("holders")).await.expect(200);
    let id = class.book.rsplit('/').next().unwrap();
    auction(&class.owner, json!({"bookId": id, "bidderVisibility": "ANONYMOUS"})).await;
    class.holder.get(&class.path("holders")).await.expect_problem(403, "FORBIDDEN");
    class.teller.get(&class.path("holders")).await.expect(200);
}

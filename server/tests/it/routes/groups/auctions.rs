//! `groupId` of an auction: its people are members and holders.

use serde_json::json;

use super::{Group, item, members};
use crate::harness::{Answer, Client};
use crate::routes::auctions::{tickets, wrong_fields};

#[tokio::test]
async fn the_people_of_the_group_are_members_of_its_open_auctions() {
    let group = Group::start().await;
    group.add(&["Ada"]).await;
    let auction = group.auction(json!({})).await;
    assert_eq!(members(&group.keeper, &auction).await, ["Ada BIDDER", "keeper OWNER"]);
    let closed = group.auction(json!({"name": "Last year"})).await;
    group.keeper.post(&format!("{closed}/close"), json!({})).await.expect(200);
    group.add(&["Bob"]).await;
    assert_eq!(members(&group.keeper, &auction).await, ["Ada BIDDER", "Bob BIDDER", "keeper OWNER"]);
    assert_eq!(members(&group.keeper, &closed).await, ["Ada BIDDER", "keeper OWNER"]);
    group.keeper.delete(&group.person(3)).await.expect(204);
    assert_eq!(members(&group.keeper, &auction).await, ["Ada BIDDER", "keeper OWNER"]);
    let without = group.keeper.patch(&auction, json!({"groupId": null})).await.expect(200);
    assert_eq!(without["groupId"], json!(null));
    assert_eq!(members(&group.keeper, &auction).await, ["Ada BIDDER", "keeper OWNER"], "the members stay");
    group.add(&["Cleo"]).await;
    let back = group.keeper.patch(&auction, json!({"groupId": group.id})).await.expect(200);
    assert_eq!(back["groupId"], group.id.as_str());
    assert_eq!(members(&group.keeper, &auction).await, ["Ada BIDDER", "Cleo BIDDER", "keeper OWNER"]);
}

#[tokio::test]
async fn the_owner_chooses_a_group_that_they_keep() {
    let group = Group::start().await;
    let eve = group.app.user("eve").await;
    let answer = eve.post("/api/auctions", json!({"name": "Sale", "groupId": group.id})).await;
    assert_eq!(wrong_fields(&answer), ["groupId"]);
    let auction = group.auction(json!({"joinMode": "FREE"})).await;
    eve.post(&format!("{auction}/join"), json!({})).await.expect(200);
    let id = eve.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    group.keeper.patch(&format!("{auction}/members/{id}"), json!({"role": "ADMIN"})).await.expect(200);
    eve.patch(&auction, json!({"groupId": null})).await.expect_problem(403, "FORBIDDEN");
    eve.patch(&auction, json!({"name": "Spring sale"})).await.expect(200);
}

#[tokio::test]
async fn the_people_become_holders_of_the_book() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let unit = json!({"name": "Ticket", "symbol": ""});
    let book = json!({"name": "Tickets", "baseUnit": unit, "startingBalance": 30});
    let book = group.keeper.post("/api/books", book).await.expect(201)["id"].clone();
    let auction = group.auction(json!({"bookId": book})).await;
    group.keeper.post(&format!("{auction}/currencies"), tickets(json!({}))).await.expect(201);
    let more = group.add(&["Bob"]).await;
    for person in [&people[0], &more[0]] {
        let child = group.signed_in(person).await;
        assert_eq!(child.get(&format!("{auction}/balance")).await.expect(200)["available"], "30");
    }
    let holders =
        group.keeper.get(&format!("/api/books/{}/holders", book.as_str().unwrap())).await.expect(200);
    assert_eq!(holders["holders"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_managed_user_bids_as_a_member_and_joins_nothing() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let ada = group.signed_in(&people[0]).await;
    let mine = group.auction(json!({})).await;
    let lot = item(&group.keeper, &mine, "Cake").await;
    let bid = json!({"amount": 3});
    ada.post(&format!("{lot}/bids/validate"), bid.clone()).await.expect(200);
    ada.post(&format!("{lot}/bids"), bid.clone()).await.expect(201);
    ada.post(&format!("{lot}/bids/1/withdraw"), json!({"reason": "MISTYPED"})).await.expect(200);
    ada.send("PUT", &format!("{lot}/watch"), json!({})).await.expect(204);
    ada.delete(&format!("{lot}/watch")).await.expect(204);

    let free = json!({"name": "Free", "joinMode": "FREE"});
    let free = group.keeper.post("/api/auctions", free).await.expect(201)["id"].as_str().unwrap().to_owned();
    let free = format!("/api/auctions/{free}");
    let other = item(&group.keeper, &free, "Pie").await;
    ada.get(&other).await.expect(200);
    ada.post(&format!("{other}/bids"), bid.clone()).await.expect_problem(403, "MANAGED_USER");
    ada.post(&format!("{other}/bids/validate"), bid).await.expect_problem(403, "MANAGED_USER");
    ada.post(&format!("{free}/join"), json!({})).await.expect_problem(403, "MANAGED_USER");
    assert_eq!(members(&group.keeper, &free).await, ["keeper OWNER"]);
    let offers = async |client: &Client| client.get("/auctions").await.text.contains("Open to join");
    assert!(offers(&group.keeper).await && !offers(&ada).await, "nothing that is refused");
}

#[tokio::test]
async fn a_managed_user_has_no_role_above_bidder_and_holder() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let id = people[0]["user"]["id"].as_str().unwrap().to_owned();
    let auction = group.auction(json!({})).await;
    let member = format!("{auction}/members/{id}");
    let refused = group.keeper.patch(&member, json!({"role": "CREATOR"})).await;
    assert_eq!(wrong_fields(&refused), ["role"]);
    let refused = group.keeper.post(&format!("{auction}/transfer"), json!({"userId": id})).await;
    assert_eq!(wrong_fields(&refused), ["userId"]);
    let unit = json!({"name": "Ticket", "symbol": ""});
    let book =
        group.keeper.post("/api/books", json!({"name": "Tickets", "baseUnit": unit})).await.expect(201);
    let holders = format!("/api/books/{}/holders", book["id"].as_str().unwrap());
    group.keeper.post(&holders, json!({"userId": id})).await.expect(201);
    let refused = group.keeper.patch(&format!("{holders}/{id}"), json!({"role": "TELLER"})).await;
    assert_eq!(wrong_fields(&refused), ["role"]);
}

#[tokio::test]
async fn a_managed_user_changes_the_locale_and_nothing_else_of_the_account() {
    let group = Group::start().await;
    let people = group.add(&["Ada"]).await;
    let ada = group.signed_in(&people[0]).await;
    let changed = ada.patch("/api/user", json!({"locale": "de-CH"})).await.expect(200);
    assert_eq!(changed["user"]["locale"], "de-CH");
    ada.patch("/api/user", json!({"name": "Ada L."})).await.expect_problem(403, "MANAGED_USER");
    let email = json!({"email": "ada@example.org", "currentPassword": people[0]["pin"]});
    ada.patch("/api/user", email).await.expect_problem(403, "MANAGED_USER");
    ada.patch("/api/user/preferences", json!({"theme": "DARK"})).await.expect(200);
    let pin = &people[0]["pin"];
    let password = json!({"currentPassword": pin, "newPassword": "a long pass phrase"});
    ada.post("/api/user/password", password).await.expect_problem(403, "MANAGED_USER");
    ada.send("DELETE", "/api/user", json!({"password": pin})).await.expect_problem(403, "MANAGED_USER");
    ada.post("/api/user/second-factor", json!({"password": pin})).await.expect_problem(403, "MANAGED_USER");
    let claim = json!({"deploymentAdminEmail": "ada@example.org"});
    ada.patch("/api/system/settings", claim).await.expect_problem(403, "MANAGED_USER");
}

#[tokio::test]
async fn a_table_of_items_names_sellers_by_their_numbers() {
    let group = Group::start().await;
    let people = group.add(&["Bo", "Cy"]).await;
    let auction = group.auction(json!({})).await;
    let number = people[1]["number"].as_i64().unwrap();
    let table = format!("name,currency,seller\nA vase,EUR,{number}\nA lamp,EUR,999\n");
    let import = async |table: &str| {
        let request = group.keeper.request("POST", &format!("{auction}/items/import"));
        let request = request.header("content-type", "text/csv").header("idempotency-key", "k");
        Answer::of(request.body(table.to_owned())).await
    };
    assert_eq!(wrong_fields(&import(&table).await), ["row 3"]);
    import(table.trim_end().rsplit_once('\n').unwrap().0).await.expect(201);
    let items = group.keeper.get(&format!("{auction}/items")).await.expect(200);
    assert_eq!(items["items"][0]["seller"]["number"], number);
}

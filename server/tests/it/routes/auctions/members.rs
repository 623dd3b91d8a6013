//! `/api/auctions/{auction_id}/members`

use serde_json::{Value, json};

use super::{
    NO_ID, accept, add_405_members, auction, give_role, invite, join, remove, user_id, wrong_fields,
};
use crate::harness::{Client, Events, TestApp};

/// Name and role of each member, in the order of the list.
async fn listed(client: &Client, auction: &str) -> Vec<(String, String)> {
    let list = client.get(&format!("{auction}/members")).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let members = list["members"].as_array().unwrap().iter();
    members.map(|member| (text(&member["user"]["name"]), text(&member["role"]))).collect()
}

fn pairs(members: &[(&str, &str)]) -> Vec<(String, String)> {
    members.iter().map(|(name, role)| ((*name).to_owned(), (*role).to_owned())).collect()
}

#[tokio::test]
async fn members_are_listed_without_e_mails_and_for_members_alone() {
    let app = TestApp::start().await;
    let (bob, ada, eve) = (app.user("bob").await, app.user("ada").await, app.user("eve").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let members = format!("{path}/members");
    bob.get(&members).await.expect_problem(403, "FORBIDDEN");
    join(&bob, &path).await;
    let list = bob.get(&members).await;
    assert!(!list.text.contains("example.org"), "{}", list.text);
    let list = list.expect(200);
    assert_eq!(list["nextCursor"], Value::Null);
    assert_eq!(
        list["members"],
        json!([
            {"user": {"id": user_id(&ada).await, "name": "ada"}, "role": "OWNER", "joinedAt": "2026-05-01T00:00:00.000Z"},
            {"user": {"id": user_id(&bob).await, "name": "bob"}, "role": "BIDDER", "joinedAt": "2026-05-01T18:00:00.000Z"},
        ])
    );
    ada.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    eve.get(&members).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(wrong_fields(&ada.get(&format!("{members}?cursor=x")).await), ["cursor"]);
}

#[tokio::test]
async fn a_long_list_of_members_has_several_pages() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    add_405_members(&app).await;
    let members = format!("{path}/members");
    let first = ada.get(&members).await;
    assert!(first.text.len() < 256 * 1024);
    let first = first.expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = ada.get(&format!("{members}?cursor={cursor}")).await.expect(200);
    let count = |page: &Value| page["members"].as_array().unwrap().len();
    assert_eq!((count(&first), count(&second), &second["nextCursor"]), (400, 6, &Value::Null));
}

#[tokio::test]
async fn the_page_shows_80_members_in_less_than_100_kb() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    add_405_members(&app).await;
    let page = ada.get(&format!("{}/members", path.trim_start_matches("/api"))).await;
    assert_eq!(page.text.matches("class=\"member-name\"").count(), 80);
    assert!(page.text.len() < 100_000, "{}", page.text.len());
    assert!(page.text.contains("members?cursor="));
}

#[tokio::test]
async fn managers_change_roles_but_only_the_owner_those_of_admins() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let (cleo, dan) = (app.user("cleo").await, app.user("dan").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    for member in [&bob, &cleo, &dan] {
        join(member, &path).await;
    }
    let of = async |client: &Client| format!("{path}/members/{}", user_id(client).await);
    let (adas, bobs, cleos) = (of(&ada).await, of(&bob).await, of(&cleo).await);
    let member = ada.patch(&bobs, json!({"role": "ADMIN"})).await.expect(200);
    assert_eq!((&member["user"]["name"], &member["role"]), (&json!("bob"), &json!("ADMIN")));
    bob.patch(&cleos, json!({"role": "CREATOR"})).await.expect(200);
    cleo.patch(&of(&dan).await, json!({"role": "CREATOR"})).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(
        listed(&dan, &path).await,
        pairs(&[("ada", "OWNER"), ("bob", "ADMIN"), ("cleo", "CREATOR"), ("dan", "BIDDER")])
    );
    assert_eq!(bob.patch(&cleos, json!({})).await.expect(200)["role"], "CREATOR", "an empty patch");

    // An ADMIN acts on no ADMIN, and nobody on the OWNER.
    bob.patch(&cleos, json!({"role": "ADMIN"})).await.expect(200);
    for target in [&cleos, &bobs, &adas] {
        bob.patch(target, json!({"role": "BIDDER"})).await.expect_problem(403, "FORBIDDEN");
    }
    bob.delete(&cleos).await.expect_problem(403, "FORBIDDEN");
    bob.delete(&adas).await.expect_problem(403, "FORBIDDEN");
    ada.patch(&adas, json!({"role": "ADMIN"})).await.expect_problem(403, "FORBIDDEN");
    ada.delete(&adas).await.expect_problem(403, "FORBIDDEN");
    ada.delete(&cleos).await.expect(204);

    for role in [json!("OWNER"), json!("bidder"), json!(""), json!(null), json!(1)] {
        assert_eq!(wrong_fields(&ada.patch(&bobs, json!({ "role": role })).await), ["role"], "{role}");
    }
    assert_eq!(wrong_fields(&ada.patch(&bobs, json!({"name": "Rob"})).await), ["name"]);
    let nobody = format!("{path}/members/{NO_ID}");
    ada.patch(&nobody, json!({"role": "BIDDER"})).await.expect_problem(404, "NOT_FOUND");
    ada.delete(&nobody).await.expect_problem(404, "NOT_FOUND");
    ada.delete(&cleos).await.expect_problem(404, "NOT_FOUND");
    let eve = app.user("eve").await;
    eve.delete(&bobs).await.expect_problem(403, "FORBIDDEN");
    eve.patch(&nobody, json!({"role": "BIDDER"})).await.expect_problem(403, "FORBIDDEN");
}

#[tokio::test]
async fn every_member_but_the_owner_may_leave() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    for role in ["ADMIN", "CREATOR", "BIDDER"] {
        join(&bob, &path).await;
        give_role(&ada, &path, &bob, role).await;
        remove(&bob, &path, &bob).await;
    }
    assert_eq!(listed(&ada, &path).await, pairs(&[("ada", "OWNER")]));
    let owner = format!("{path}/members/{}", user_id(&ada).await);
    let refused = ada.delete(&owner).await.expect_problem(403, "FORBIDDEN");
    assert!(refused["detail"].as_str().unwrap().contains("You own the auction"), "{refused}");
}

#[tokio::test]
async fn a_removed_user_returns_with_a_new_invite_only() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE", "memberCanInvite": true})).await;
    let earlier = invite(&ada, &path, "bob@example.org", "CREATOR").await;
    join(&bob, &path).await;
    let sent = invite(&bob, &path, "bobs-friend@example.org", "BIDDER").await;
    remove(&ada, &path, &bob).await;
    accept(&bob, &earlier).await.expect_problem(404, "NOT_FOUND");
    let friend = app.user("bobs-friend").await;
    accept(&friend, &sent).await.expect_problem(404, "NOT_FOUND");
    let again = invite(&ada, &path, "bob@example.org", "CREATOR").await;
    assert_eq!(accept(&bob, &again).await.expect(200)["myRole"], "CREATOR");
    // The removal is forgotten.
    remove(&bob, &path, &bob).await;
    join(&bob, &path).await;
}

#[tokio::test]
async fn the_streams_of_a_removed_member_end() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    ada.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    let item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
    let item = ada.post(&format!("{path}/items"), item).await.expect(201);
    let of_item = format!("{path}/items/{}/events", item["id"].as_str().unwrap());
    let mut item_events = Events::open(&bob, &of_item).await;
    assert_eq!(item_events.next().await.unwrap().kind, "item");
    let mut auction_events = Events::open(&bob, &format!("{path}/events")).await;
    assert_eq!(auction_events.next().await.unwrap().kind, "item");
    remove(&ada, &path, &bob).await;
    assert_eq!(item_events.next().await, None);
    assert_eq!(auction_events.next().await, None);
    bob.get(&of_item).await.expect_problem(404, "NOT_FOUND");
}

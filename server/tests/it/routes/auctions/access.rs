//! Access to auctions and what belongs to them, for each row of the tables in SPEC, section 3.

use serde_json::{Value, json};

use super::{NO_ID, auction, give_role, join, tickets};
use crate::harness::{Client, TestApp};

/// Paths below an auction, each with the body of a POST that its owner may send.
fn below() -> Vec<(&'static str, Value)> {
    vec![
        ("/currencies", tickets(json!({}))),
        ("/currency-rules", json!({"type": "MIN_INCREMENT", "params": {"amount": 1}})),
        ("/items", json!({"name": "A vase", "currencyCode": "EUR"})),
    ]
}

/// Paths of resources below an auction, each with a PATCH that its owner may send.
const ONES: [(&str, &str); 2] =
    [("/currencies", r#"{"name": "Changed"}"#), ("/currency-rules", r#"{"enabled": false}"#)];

/// Every change of a resource is refused with this status and code, also with an invalid body.
async fn no_change(client: &Client, path: &str, patch: &str, status: u16, code: &str) {
    for body in [patch, "{"] {
        client.send_text("PATCH", path, body).await.expect_problem(status, code);
    }
    client.delete(path).await.expect_problem(status, code);
}

/// Every request to an auction and below it is refused with this status and code.
async fn all_get(client: &Client, path: &str, status: u16, code: &str) {
    client.get(path).await.expect_problem(status, code);
    no_change(client, path, r#"{"name": "Changed"}"#, status, code).await;
    for (part, body) in below() {
        client.get(&format!("{path}{part}")).await.expect_problem(status, code);
        client.post(&format!("{path}{part}"), body).await.expect_problem(status, code);
        // The refusal does not depend on the body.
        client.send_text("POST", &format!("{path}{part}"), "{").await.expect_problem(status, code);
    }
    for (part, patch) in ONES.into_iter().chain([("/items", r#"{"name": "Changed"}"#)]) {
        let one = format!("{path}{part}/{NO_ID}");
        client.get(&one).await.expect_problem(status, code);
        no_change(client, &one, patch, status, code).await;
    }
}

#[tokio::test]
async fn an_auction_by_invitation_is_hidden_from_others() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    for mode in ["INVITE_ONLY", "LINK"] {
        let path = auction(&ada, json!({"joinMode": mode})).await;
        all_get(&bob, &path, 404, "NOT_FOUND").await;
        all_get(&app.anonymous(), &path, 401, "UNAUTHENTICATED").await;
    }
    for nothing in [NO_ID, "7", "x"] {
        all_get(&ada, &format!("/api/auctions/{nothing}"), 404, "NOT_FOUND").await;
    }
    app.anonymous().get("/api/auctions").await.expect_problem(401, "UNAUTHENTICATED");
    app.anonymous().post("/api/auctions", json!({"name": "x"})).await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn viewers_and_bidders_of_a_free_auction_only_read() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    let mut made = Vec::new();
    for (part, patch) in ONES {
        let body = below().into_iter().find(|(other, _)| *other == part).unwrap().1;
        let answer = ada.post(&format!("{path}{part}"), body).await;
        made.push((answer.header("location").to_owned(), patch, answer.expect(201)));
    }
    for _ in 0..2 {
        bob.get(&path).await.expect(200);
        no_change(&bob, &path, r#"{"name": "Changed"}"#, 403, "FORBIDDEN").await;
        for (one, patch, document) in &made {
            assert_eq!(bob.get(one).await.expect(200), *document);
            no_change(&bob, one, patch, 403, "FORBIDDEN").await;
            no_change(&bob, &one.replace(document["id"].as_str().unwrap(), NO_ID), patch, 403, "FORBIDDEN")
                .await;
        }
        for (part, body) in below() {
            bob.get(&format!("{path}{part}")).await.expect(200);
            bob.post(&format!("{path}{part}"), body).await.expect_problem(403, "FORBIDDEN");
            bob.send_text("POST", &format!("{path}{part}"), "{").await.expect_problem(403, "FORBIDDEN");
        }
        // Then as a bidder.
        join(&bob, &path).await;
    }
    assert_eq!(ada.get(&format!("{path}/items")).await.expect(200)["items"], json!([]));
    for (one, _, document) in made {
        assert_eq!(ada.get(&one).await.expect(200), document, "unchanged");
    }
}

#[tokio::test]
async fn each_role_has_its_permissions() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    for (role, currencies, rules, items) in
        [("ADMIN", 201, 201, 201), ("CREATOR", 403, 403, 201), ("BIDDER", 403, 403, 403)]
    {
        let path = auction(&ada, json!({"joinMode": "FREE"})).await;
        join(&bob, &path).await;
        give_role(&ada, &path, &bob, role).await;

        // Items first: after a profile exists, no item can have a price in euros.
        for ((part, body), status) in below().into_iter().rev().zip([items, rules, currencies]) {
            let answer = bob.post(&format!("{path}{part}"), body).await;
            assert_eq!(answer.status.as_u16(), status, "{role} {part}: {}", answer.text);
            let Some((_, patch)) = ONES.iter().find(|(other, _)| *other == part) else { continue };
            if status == 201 {
                let one = answer.header("location");
                bob.send_text("PATCH", one, patch).await.expect(200);
                bob.delete(one).await.expect(204);
            }
        }
        let changed = bob.patch(&path, json!({"name": "Changed"})).await;
        assert_eq!(changed.status.as_u16(), if currencies == 201 { 200 } else { 403 }, "{role}");
        bob.delete(&path).await.expect_problem(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn an_item_is_found_in_its_own_auction_only() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let hidden = auction(&ada, json!({})).await;
    let own = auction(&bob, json!({})).await;
    let item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
    let item = ada.post(&format!("{hidden}/items"), item).await.expect(201);
    let id = item["id"].as_str().unwrap();
    ada.get(&format!("{hidden}/items/{id}")).await.expect(200);
    bob.get(&format!("{own}/items/{id}")).await.expect_problem(404, "NOT_FOUND");
    bob.get(&format!("{hidden}/items/{id}")).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn other_methods_are_refused_with_the_allowed_ones() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    for (part, allowed) in [("/currencies", "GET,HEAD,POST"), ("/items", "GET,HEAD,POST"), ("/join", "POST")]
    {
        let answer = ada.delete(&format!("{path}{part}")).await;
        answer.expect_problem(405, "METHOD_NOT_ALLOWED");
        assert_eq!(answer.header("allow"), allowed, "{part}");
    }
}

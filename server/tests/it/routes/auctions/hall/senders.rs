//! Calls of a clerk name the user who entered them, and count once whichever clerk sends them.

use serde_json::{Value, json};

use super::{Hall, hammer, named, outcome};
use crate::harness::{Answer, Client};
use crate::routes::auctions::user_id;

/// Sends a request as the outbox of a browser does: in the session of `client`, for the user `of`.
async fn send_for(client: &Client, of: &str, method: &str, path: &str, body: &Value) -> Answer {
    let request = client.request(method, path).header("farthing-for", of).header("idempotency-key", "k");
    Answer::of(request.json(body)).await
}

#[tokio::test]
async fn a_call_is_executed_in_the_session_of_its_user_only() {
    let hall = Hall::open().await;
    let other = hall.sale.bidder("other").await;
    hall.sale.give_role(&other, "CLERK").await;
    let stranger = hall.sale.app.user("stranger").await;
    let clerk = user_id(&hall.clerk).await;
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    let path = format!("{}/hammer", hall.sale.item_path());
    for client in [&other, &stranger, &hall.ada] {
        send_for(client, &clerk, "POST", &path, &body).await.expect_problem(409, "OTHER_USER");
        // Also where nothing of the auction exists, and before any other answer.
        let missing = "/api/auctions/00000000-0000-7000-8000-000000000000/block";
        send_for(client, &clerk, "PUT", missing, &json!({})).await.expect_problem(409, "OTHER_USER");
        send_for(client, &clerk, "GET", "/api/user", &json!({})).await.expect_problem(409, "OTHER_USER");
    }
    let anonymous = hall.sale.app.anonymous();
    send_for(&anonymous, &clerk, "POST", &path, &body).await.expect_problem(401, "UNAUTHENTICATED");
    let malformed =
        send_for(&hall.clerk, "me", "POST", &path, &body).await.expect_problem(422, "INVALID_BODY");
    assert_eq!(malformed["details"]["fields"][0]["path"], "Farthing-For");
    assert!(hall.sale.bids().await.is_empty(), "nothing is done");
    let sold = send_for(&hall.clerk, &clerk, "POST", &path, &body).await.expect(200);
    assert_eq!(outcome(&sold), json!(["SOLD", 1, "7", "ada"]));
    send_for(&other, &clerk, "POST", &path, &body).await.expect_problem(409, "OTHER_USER");
}

#[tokio::test]
async fn a_key_counts_whichever_clerk_sends_it() {
    let hall = Hall::open().await;
    let other = hall.sale.bidder("other").await;
    hall.sale.give_role(&other, "CLERK").await;
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    hall.hammer("1", body.clone()).await.expect(200);
    let again = hammer(&other, &hall.sale.item_path(), "1", body.clone()).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.expect(200)["outcome"]["by"]["name"], "carl");

    let correction = json!({"for": named(&hall.bob).await, "amount": 6, "reason": "17, not 71"});
    for (client, is_repeat) in [(&hall.clerk, false), (&hall.clerk, true), (&other, true)] {
        let answer = hall.correct_keyed(client, "c", correction.clone()).await;
        assert_eq!(answer.headers.contains_key("idempotent-replayed"), is_repeat);
        assert_eq!(answer.expect(200)["outcome"]["number"], 2);
    }
    let reused = hall.correct_keyed(&other, "1", correction.clone()).await;
    reused.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    let jug = json!({"name": "A jug", "isPublished": true});
    let second = hall.sale.owner.post(&format!("{}/items", hall.auction()), jug).await.expect(201);
    hammer(&other, &hall.item(second["id"].as_str().unwrap()), "1", body).await.expect(200);
    let decided = json!({"sequence": null, "reason": "gone"});
    hall.correct_keyed(&hall.sale.owner, "c", decided).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_winner_learns_which_clerk_has_entered_the_bid() {
    let hall = Hall::open().await;
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    hall.hammer("1", body).await.expect(200);
    let told = hall.ada.get("/api/user/notifications").await.expect(200);
    let text = told["notifications"][0]["text"].as_str().unwrap().replace('\u{a0}', " ");
    assert!(text.ends_with(", a bid that carl entered for you."), "{text}");
}

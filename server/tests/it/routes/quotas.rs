//! What one user may write.

use futures::StreamExt;
use installation::config::Switch;
use serde_json::json;

use super::auctions::items::bids::Sale;
use super::auctions::{auction, user_id};
use crate::harness::{Answer, Client, TestApp};

/// A request that changes something, which the server refuses once it has read it.
async fn write(client: &Client) -> Answer {
    client.send_text("PATCH", "/api/user", "{").await
}

/// Sends writes at once until none is left.
async fn use_up(client: &Client) {
    use_up_some(client, 600).await;
}

async fn use_up_some(client: &Client, count: usize) {
    let writes = futures::stream::iter(0..count).map(|_| write(client)).buffer_unordered(20);
    writes.for_each(async |answer| drop(answer.expect_problem(400, "MALFORMED_JSON"))).await;
}

#[tokio::test]
async fn writes_of_one_user_are_limited_and_those_of_others_and_reads_are_not() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    use_up(&ada).await;
    let refused = write(&ada).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), "1");
    let form = ada.post_form("/auctions/new/settings", &[("name", "Spring sale")]).await;
    assert!(form.status == 429 && form.text.contains("Too many attempts"), "{}", form.text);
    ada.get("/api/auctions").await.expect(200);
    write(&bob).await.expect_problem(400, "MALFORMED_JSON");
    app.clock.advance_seconds(1);
    for _ in 0..10 {
        write(&ada).await.expect_problem(400, "MALFORMED_JSON");
    }
    write(&ada).await.expect_problem(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn writes_of_the_administration_count() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    use_up(&ada).await;
    for (method, path) in
        [("PATCH", "/api/system/settings"), ("POST", "/api/system/update"), ("POST", "/api/system/rollback")]
    {
        ada.send_text(method, path, "{").await.expect_problem(429, "TOO_MANY_REQUESTS");
    }
    ada.get("/api/system/settings").await.expect(200);
}

#[tokio::test]
async fn bids_have_a_limit_of_their_own() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let sale = Sale::open_in(app, json!({}), &[], json!({ "currencyCode": "EUR" })).await;
    let bob = sale.app.user("bob").await;
    use_up(&bob).await;
    write(&bob).await.expect_problem(429, "TOO_MANY_REQUESTS");
    sale.bid(&bob, json!({ "amount": "5" })).await.expect(201);
}

/// A clerk who was without a network sends the whole queue at once.
#[tokio::test]
async fn hammers_count_as_writes_and_not_as_bids() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let sale = Sale::open_in(app, json!({}), &[], json!({ "currencyCode": "EUR" })).await;
    let (clerk, ada) = (sale.bidder("carl").await, sale.bidder("ada").await);
    sale.give_role(&clerk, "CLERK").await;
    let to_ada = json!({ "userId": user_id(&ada).await });
    let hammer = async |lot: usize, item: &str| {
        let path = format!("/api/auctions/{}/items/{item}/hammer", sale.auction);
        let request = clerk.request("POST", &path).header("idempotency-key", lot.to_string());
        Answer::of(request.json(&json!({ "result": "SOLD", "for": to_ada, "amount": 5 }))).await
    };
    let items = futures::stream::iter(0..200).then(|_| sale.add_item(json!({ "currencyCode": "EUR" })));
    let items: Vec<String> = items.collect().await;
    for (lot, item) in items.iter().enumerate() {
        hammer(lot, item).await.expect(200);
    }
    sale.bid(&clerk, json!({ "amount": 5, "for": to_ada })).await.expect(201);
    use_up_some(&clerk, 600 - 201).await;
    let refused = hammer(200, &sale.item).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), "1");
    sale.app.clock.advance_seconds(1);
    hammer(200, &sale.item).await.expect(200);
}

#[tokio::test]
async fn a_user_has_at_most_1000_open_auctions() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let first = auction(&ada, json!({})).await;
    let others = futures::stream::iter(1..1000).map(|_| auction(&ada, json!({}))).buffer_unordered(20);
    let others: Vec<_> = others.collect().await;
    let one_more = async || ada.post("/api/auctions", json!({ "name": "One more" })).await;
    one_more().await.expect_problem(409, "LIMIT_REACHED");
    let copy = json!({ "name": "Copy" });
    ada.post(&format!("{first}/copy"), copy.clone()).await.expect_problem(409, "LIMIT_REACHED");
    auction(&bob, json!({})).await;

    ada.delete(&first).await.expect(204);
    one_more().await.expect(201);
    one_more().await.expect_problem(409, "LIMIT_REACHED");
    Answer::of(ada.request("POST", &format!("{}/close", others[0]))).await.expect(200);
    ada.post(&format!("{}/copy", others[0]), copy).await.expect(201);
    one_more().await.expect_problem(409, "LIMIT_REACHED");
}

#[tokio::test]
async fn an_auction_has_at_most_10000_items() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let items = format!("{path}/items");
    let item = json!({ "name": "A vase", "currencyCode": "EUR" });
    let made = ada.post(&items, item.clone()).await.expect(201);
    app.write("UPDATE auctions SET all_items = all_items + 9998").await;
    ada.post(&items, item.clone()).await.expect(201);
    ada.post(&items, item.clone()).await.expect_problem(409, "LIMIT_REACHED");
    let first = format!("{items}/{}", made["id"].as_str().unwrap());
    ada.delete(&first).await.expect(204);
    ada.post(&items, item.clone()).await.expect(201);
    ada.post(&items, item).await.expect_problem(409, "LIMIT_REACHED");
}

#[tokio::test]
async fn copied_items_are_counted() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let item = json!({ "name": "A vase", "currencyCode": "EUR" });
    for _ in 0..3 {
        ada.post(&format!("{path}/items"), item.clone()).await.expect(201);
    }
    let copy = ada.post(&format!("{path}/copy"), json!({ "name": "Copy", "items": true })).await.expect(201);
    app.write("UPDATE auctions SET all_items = all_items + 9997").await;
    let items = format!("/api/auctions/{}/items", copy["id"].as_str().unwrap());
    ada.post(&items, item).await.expect_problem(409, "LIMIT_REACHED");
}

/// Each of them is answered with a whole page, until there are too many from one address.
#[tokio::test]
async fn forms_without_a_session_have_a_limit_by_address() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    let visitor = app.anonymous();
    let typed = [("name", "Spring sale")];
    let forms = futures::stream::iter(0..300).map(|_| visitor.post_form("/auctions/new/settings", &typed));
    forms.buffer_unordered(20).for_each(async |answer| assert_eq!(answer.status, 401)).await;
    let refused = visitor.post_form("/auctions/new/settings", &typed).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "1"));
    assert!(!refused.text.contains("site-header"), "nothing is rendered: {}", refused.text);
    assert_eq!(ada.post_form("/auctions/new/settings", &typed).await.status, 303);
}

use serde_json::json;

use super::auctions::items::bids::Sale;
use super::auctions::user_id;
use crate::harness::{Client, Events};

/// The address of these streams in one response.
fn path(streams: &[String]) -> String {
    let streams: Vec<_> = streams.iter().map(|stream| ("stream", stream)).collect();
    format!("/api/events?{}", serde_urlencoded::to_string(streams).unwrap())
}

/// The stream of an item, its auction and the user, in the user's session.
async fn streams_of(sale: &Sale, client: &Client) -> Vec<String> {
    let (user, auction) = (user_id(client).await, format!("/api/auctions/{}/events?after=0", sale.auction));
    let of = |address: &str| format!("{user} {address}");
    vec![of(&format!("{}/events?after=0", sale.item_path())), of(&auction), of("/api/user/events")]
}

/// The next event of this stream.
async fn next_of(events: &mut Events, stream: usize) -> String {
    loop {
        let (number, event) = events.numbered().await.expect("an event");
        if number == stream {
            return event;
        }
    }
}

/// The next event of this stream of this kind.
async fn next_kind(events: &mut Events, stream: usize, kind: &str) -> String {
    loop {
        let event = next_of(events, stream).await;
        if event.contains(&format!("event: {kind}")) {
            return event;
        }
    }
}

#[tokio::test]
async fn one_response_carries_several_streams() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let mut events = Events::open(&ada, &path(&streams_of(&sale, &ada).await)).await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let of_item = next_kind(&mut events, 0, "bid").await;
    assert!(of_item.starts_with("id|event: bid|id: 1|data: {"), "{of_item}");
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);
    sale.app.tell_leads().await;
    let notification = next_kind(&mut events, 2, "notification").await;
    assert!(notification.contains("\"kind\":\"OUTBID\""), "{notification}");
    let mut events = Events::open(&ada, &path(&streams_of(&sale, &ada).await)).await;
    assert!(next_kind(&mut events, 1, "bid").await.contains("\"normalizedAmount\":\"5\""));
    assert!(next_kind(&mut events, 1, "bid").await.contains("\"normalizedAmount\":\"6\""));
}

#[tokio::test]
async fn each_stream_says_where_it_goes_on() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let item = format!("{} {}/events", user_id(&ada).await, sale.item_path());
    let mut events = Events::open(&ada, &path(&[item])).await;
    assert!(next_of(&mut events, 0).await.starts_with("id|event: item|data: "));
    assert_eq!(next_of(&mut events, 0).await, "id|id: 1");
}

#[tokio::test]
async fn a_refused_stream_is_named_beside_the_others() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let user = user_id(&ada).await;
    let unknown = [format!("{user} /api/auctions/{user}/events"), "/api/auctions".to_owned()];
    let streams = [&unknown[..], &streams_of(&sale, &ada).await].concat();
    let mut events = Events::open(&ada, &path(&streams)).await;
    assert_eq!(events.numbered().await.unwrap(), (0, "id|event: end|data: 404".to_owned()));
    assert_eq!(events.numbered().await.unwrap(), (1, "id|event: end|data: 404".to_owned()));
    assert_eq!(events.numbered().await.unwrap().0, 2);
    ada.get(&path(&unknown)).await.expect_problem(404, "NOT_FOUND");
    for invalid in [vec![], vec!["/api/user/events".to_owned(); 33]] {
        ada.get(&path(&invalid)).await.expect_problem(422, "INVALID_BODY");
    }
    ada.get(&path(&["x /api/user/events".to_owned()])).await.expect_problem(422, "INVALID_BODY");
    ada.get(&path(&["http://[".to_owned()])).await.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn a_stream_of_one_user_is_refused_in_the_session_of_another() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let (of_ada, of_bob) = (streams_of(&sale, &ada).await, streams_of(&sale, &bob).await);
    bob.get(&path(&of_ada)).await.expect_problem(409, "OTHER_USER");
    let mut events = Events::open(&bob, &path(&[of_ada[2].clone(), of_bob[2].clone()])).await;
    assert_eq!(events.numbered().await.unwrap(), (0, "id|event: end|data: 409".to_owned()));
    // What names no user is read without the session.
    bob.get(&path(&["/api/user/events".to_owned()])).await.expect_problem(401, "UNAUTHENTICATED");
    sale.app.anonymous().get(&path(&of_bob)).await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_stream_that_ends_leaves_the_others() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let user = user_id(&ada).await;
    let item = format!("{user} {}/events", sale.item_path());
    let mut events = Events::open(&ada, &path(&[item, format!("{user} /api/user/events")])).await;
    sale.owner.delete(&sale.item_path()).await.expect(204);
    assert!(next_kind(&mut events, 0, "gone").await.contains("itemId"));
    assert_eq!(next_of(&mut events, 0).await, "id|event: end");
    ada.post("/api/auth/logout", json!({})).await.expect(204);
    assert_eq!(events.numbered().await.unwrap(), (1, "id|event: end".to_owned()));
    assert_eq!(events.numbered().await, None);
}

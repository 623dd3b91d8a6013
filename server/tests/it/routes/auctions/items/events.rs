use serde_json::{Value, json};

use super::bids::{Sale, text};
use crate::harness::{Answer, Client, Event, Events, PASSWORD};

fn path(sale: &Sale) -> String {
    format!("{}/events", sale.item_path())
}

/// Opens a stream and reads the item that comes first.
async fn listen(sale: &Sale, client: &Client) -> Events {
    let mut events = Events::open(client, &path(sale)).await;
    events.item().await;
    events
}

#[tokio::test]
async fn a_stream_begins_with_the_item_and_sends_each_bid() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let request = sale.owner.request("GET", &path(&sale)).header("accept-encoding", "gzip, br");
    let mut events = Events::of(request).await;
    let headers = events.response.headers();
    assert_eq!(headers["cache-control"], "no-store");
    assert!(!headers.contains_key("content-encoding"));

    let item = events.item().await;
    assert_eq!(item, sale.owner.get(&sale.item_path()).await.expect(200));
    let placed = sale.bid(&ada, json!({"amount": 5.50})).await.expect(201);
    assert_eq!(events.bid().await, (2, placed));
    let placed = sale.bid(&ada, json!({"amount": 6})).await.expect(201);
    assert_eq!(events.bid().await, (3, placed));
}

#[tokio::test]
async fn many_concurrent_bids_come_in_order() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut events = listen(&sale, &sale.owner).await;
    let bids = (1..=300).map(|amount| sale.bid(&ada, json!({"amount": amount})));
    let answers = futures::future::join_all(bids).await;
    let accepted = answers.iter().filter(|answer| answer.status == 201).count();
    for sequence in 1..=i64::try_from(accepted).unwrap() {
        assert_eq!(events.bid().await.0, sequence);
    }
}

#[tokio::test]
async fn a_stream_resumes_without_gap_or_repeat() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for amount in 1..=3 {
        sale.bid(&ada, json!({"amount": amount})).await.expect(201);
    }
    let mut events = Events::open(&sale.owner, &format!("{}?after=1", path(&sale))).await;
    assert_eq!(events.item().await["bidCount"], 3);
    assert_eq!(events.bid().await.0, 2);
    assert_eq!(events.bid().await.0, 3);
    sale.bid(&ada, json!({"amount": 4})).await.expect(201);
    assert_eq!(events.bid().await.0, 4);

    sale.app = sale.app.restart().await;
    assert_eq!(events.next().await, None, "the server has stopped");
    let (ada, owner) = (ada.at(sale.app.address), sale.owner.at(sale.app.address));
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    // A browser reconnects to the first address and sends the last id in the header.
    let again = owner.request("GET", &format!("{}?after=1", path(&sale))).header("last-event-id", "4");
    let mut events = Events::of(again).await;
    assert_eq!(events.item().await["bidCount"], 5);
    assert_eq!(events.bid().await.0, 5);
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
    assert_eq!(events.bid().await.0, 6);
}

#[tokio::test]
async fn a_stream_that_missed_too_much_is_reset() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid_to_1002().await;

    let mut events = Events::open(&sale.owner, &format!("{}?after=1", path(&sale))).await;
    let Some(Event { kind, id, data }) = events.next().await else { panic!("an event") };
    assert_eq!((kind.as_str(), id), ("reset", Some(1002)));
    assert_eq!(data["item"]["bidCount"], 1002);
    let sequences = data["bids"].as_array().unwrap().iter().map(|bid| bid["sequence"].as_i64().unwrap());
    assert!(sequences.eq((953..=1002).rev()));
    sale.bid(&ada, json!({"amount": 2000})).await.expect(201);
    assert_eq!(events.bid().await.0, 1003);

    let mut kept = Events::open(&sale.owner, &format!("{}?after=702", path(&sale))).await;
    kept.item().await;
    assert_eq!(kept.bid().await.0, 703);

    let mut ahead = Events::open(&sale.owner, &format!("{}?after=1004", path(&sale))).await;
    assert_eq!(ahead.next().await.expect("an event").kind, "reset", "an id of another database");
}

#[tokio::test]
async fn an_id_must_be_a_number() {
    let sale = Sale::legacy(json!({})).await;
    for bad in ["x", "-1", "1.5", "", "99999999999999999999"] {
        let answer = sale.owner.get(&format!("{}?after={bad}", path(&sale))).await;
        let problem = answer.expect_problem(422, "INVALID_BODY");
        assert_eq!(problem["details"]["fields"][0]["path"], "after");
    }
    let request = sale.owner.request("GET", &format!("{}?after=0", path(&sale)));
    let answer = Answer::of(request.header("last-event-id", "x")).await;
    let problem = answer.expect_problem(422, "INVALID_BODY");
    assert_eq!(problem["details"]["fields"][0]["path"], "Last-Event-ID");
}

#[tokio::test]
async fn a_stream_of_a_hidden_item_is_not_found() {
    let mut sale = Sale::open(json!({"joinMode": "INVITE_ONLY"}), &[], json!({"currencyCode": "EUR"})).await;
    let stranger = sale.app.user("stranger").await;
    stranger.get(&path(&sale)).await.expect_problem(404, "NOT_FOUND");
    stranger.get(&format!("{}?after=x", path(&sale))).await.expect_problem(404, "NOT_FOUND");
    sale.app.anonymous().get(&path(&sale)).await.expect_problem(401, "UNAUTHENTICATED");
    sale.item = "019de4b2-8d00-72b4-886e-c524888c51db".to_owned();
    sale.owner.get(&path(&sale)).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_stream_shows_only_the_names_that_its_viewer_may_see() {
    let terms = json!({"bidderVisibility": "ANONYMOUS"});
    let mut sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob, carol) = (sale.bidder("ada").await, sale.bidder("bob").await, sale.bidder("carol").await);
    sale.give_role(&bob, "CREATOR").await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let item = json!({"name": "A jug", "isPublished": true, "currencyCode": "EUR",
                      "endDate": "2026-05-01T19:00:00Z"});
    sale.item = text(&bob.post(&items, item).await.expect(201)["id"]);

    let mut streams = Vec::new();
    for viewer in [&sale.owner, &ada, &bob, &carol] {
        streams.push(listen(&sale, viewer).await);
    }
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let mut names = Vec::new();
    for stream in &mut streams {
        names.push(stream.bid().await.1["bidder"]["name"].clone());
    }
    assert_eq!(names, [json!("ada"), json!("ada"), Value::Null, Value::Null]);

    sale.app.clock.advance_seconds(3600);
    let mut winners = Vec::new();
    for stream in &mut streams {
        let item = stream.item().await;
        assert_eq!(item["status"], "CLOSED");
        winners.push(item["highestBid"]["bidder"]["name"].clone());
    }
    assert_eq!(
        winners,
        [json!("ada"), json!("ada"), json!("ada"), Value::Null],
        "the seller knows the winner"
    );
    let mut again = Events::open(&bob, &format!("{}?after=0", path(&sale))).await;
    again.item().await;
    assert_eq!(again.bid().await.1["bidder"]["name"], "ada");
}

#[tokio::test]
async fn a_late_bid_is_sent_with_the_end_that_it_moved() {
    let item = json!({"endDate": "2026-05-01T18:01:00Z", "antiSnipeEnabled": true});
    let sale = Sale::legacy(item).await;
    let ada = sale.bidder("ada").await;
    let mut events = listen(&sale, &ada).await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert_eq!(events.bid().await.1["itemEndDate"], "2026-05-01T18:05:00.000Z");
    assert_eq!(events.item().await["endDate"], "2026-05-01T18:05:00.000Z");
}

#[tokio::test]
async fn a_stream_reports_that_an_item_opens_and_closes() {
    let sale =
        Sale::legacy(json!({"startsAt": "2026-05-01T18:10:00Z", "endDate": "2026-05-01T18:20:00Z"})).await;
    let mut events = Events::open(&sale.owner, &path(&sale)).await;
    assert_eq!(events.item().await["status"], "SCHEDULED");
    sale.app.clock.advance_seconds(600);
    assert_eq!(events.item().await["status"], "OPEN");
    sale.app.clock.advance_seconds(600);
    assert_eq!(events.item().await["status"], "CLOSED");
}

#[tokio::test]
async fn an_edit_is_sent() {
    let sale = Sale::legacy(json!({})).await;
    let viewer = sale.app.user("viewer").await;
    let mut events = listen(&sale, &viewer).await;
    sale.owner.patch(&sale.item_path(), json!({"name": "A jar"})).await.expect(200);
    assert_eq!(events.item().await["name"], "A jar");
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let mut ada_events = listen(&sale, &ada).await;
    let mut bob_events = listen(&sale, &bob).await;
    let mut owners = listen(&sale, &sale.owner).await;
    ada.post("/api/auth/logout", json!({})).await.expect(204);
    Answer::of(bob.request("DELETE", "/api/user").json(&json!({"password": PASSWORD}))).await.expect(204);
    assert_eq!(ada_events.next().await, None);
    assert_eq!(bob_events.next().await, None);

    let carol = sale.bidder("carol").await;
    sale.bid(&carol, json!({"amount": 1})).await.expect(201);
    assert_eq!(owners.bid().await.0, 1, "other streams continue");
    sale.app.clock.advance_seconds(15 * 24 * 3600);
    assert_eq!(owners.next().await, None, "an unused session ends");
}

#[tokio::test]
async fn a_stream_ends_when_its_user_ends_the_session_elsewhere() {
    let sale = Sale::legacy(json!({})).await;
    let (here, there) = (sale.bidder("ada").await, sale.app.anonymous());
    let login = json!({"email": "ada@example.org", "password": PASSWORD});
    there.post("/api/auth/login", login).await.expect(200);
    let mut here_events = listen(&sale, &here).await;
    let mut there_events = listen(&sale, &there).await;
    let listed = here.get("/api/user/sessions").await.expect(200);
    let mut sessions = listed["sessions"].as_array().unwrap().iter();
    let other = sessions.find(|session| session["current"] == false).unwrap()["id"].as_str().unwrap();
    here.delete(&format!("/api/user/sessions/{other}")).await.expect(204);
    assert_eq!(there_events.next().await, None);
    sale.owner.patch(&sale.item_path(), json!({"name": "A jar"})).await.expect(200);
    assert_eq!(here_events.item().await["name"], "A jar", "other streams continue");
}

#[tokio::test]
async fn a_stream_ends_with_the_permission_to_see() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut ada_events = listen(&sale, &ada).await;
    sale.write("UPDATE auctions SET join_mode = 'INVITE_ONLY'").await;
    sale.write("DELETE FROM members WHERE role = 'BIDDER'").await;
    assert_eq!(ada_events.next().await, None, "Ada is no longer a member");

    let bob = sale.app.user("bob").await;
    sale.write("UPDATE auctions SET join_mode = 'FREE'").await;
    let mut bob_events = listen(&sale, &bob).await;
    let mut owners = listen(&sale, &sale.owner).await;
    sale.owner.patch(&sale.item_path(), json!({"isPublished": false})).await.expect(200);
    assert_eq!(bob_events.gone().await, sale.item, "the item is a draft again");
    assert_eq!(bob_events.next().await, None);
    assert_eq!(owners.item().await["isPublished"], false);
}

#[tokio::test]
async fn a_change_of_role_applies_at_once() {
    let sale =
        Sale::open(json!({"bidderVisibility": "ANONYMOUS"}), &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let mut bob_events = listen(&sale, &bob).await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert_eq!(bob_events.bid().await.1["bidder"], Value::Null);
    sale.give_role(&bob, "ADMIN").await;
    // A change that is sent after the next check, when Bob is an admin.
    sale.write("UPDATE items SET name = 'First'").await;
    bob_events.item().await;
    sale.write("UPDATE items SET name = 'Second'").await;
    assert_eq!(bob_events.item().await["highestBid"]["bidder"]["name"], "ada");
}

#[tokio::test]
async fn streams_end_with_the_server() {
    let sale = Sale::legacy(json!({})).await;
    let mut events = listen(&sale, &sale.owner).await;
    sale.app.state.live.stop();
    assert_eq!(events.next().await, None);
    let refused = sale.owner.get(&path(&sale)).await;
    refused.expect_problem(503, "OVERLOADED");
    assert_eq!(refused.header("retry-after"), "1");
}

#[tokio::test]
async fn the_streams_of_a_user_are_limited() {
    let mut sale = Sale::legacy(json!({})).await;
    sale.app = crate::harness::TestApp::start_with(|_| {}).await;
    sale.owner = sale.app.user("owner").await;
    let auction = sale.owner.post("/api/auctions", json!({"name": "Spring sale"})).await.expect(201);
    sale.auction = text(&auction["id"]);
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    // A page asks why its stream is refused without beginning another one.
    let status = async || sale.owner.request("HEAD", &path(&sale)).send().await.unwrap().status();
    for _ in 0..3 {
        assert_eq!(status().await, 200);
    }
    let mut streams = Vec::new();
    for _ in 0..100 {
        streams.push(Events::open(&sale.owner, &path(&sale)).await);
    }
    assert_eq!(status().await, 429);
    let refused = sale.owner.get(&path(&sale)).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    sale.owner
        .get(&format!("/api/auctions/{}/events", sale.auction))
        .await
        .expect_problem(429, "TOO_MANY_REQUESTS");
}

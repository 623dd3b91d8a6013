use auction_house::events::Signal;
use auction_house::ids::BookId;
use auction_house::notifications::NewNotification;
use platform::time::Clock;
use serde_json::Value;

use crate::harness::{Client, Events, PASSWORD, TestApp};
use crate::routes::auctions::user_id;

const PATH: &str = "/api/user/events";

/// Writes a notification that names this book.
async fn notify(app: &TestApp, user: &Client, book: &str) {
    let user = user_id(user).await.parse().unwrap();
    let (id, text) = (BookId::new(app.clock.now()), "5 Points more: a prize.".to_owned());
    let new = NewNotification::of_balance(user, id, book.to_owned(), text);
    let mut db = app.state.context.db.write().await.unwrap();
    let signal = app.state.context.notifier.notify(&mut db, &[new], app.clock.now()).await.unwrap();
    db.commit().await.unwrap();
    app.state.context.events.publish(&signal);
}

/// The next notification.
async fn next(events: &mut Events) -> Value {
    let event = events.next().await.expect("an event");
    assert_eq!(event.kind, "notification");
    event.data
}

#[tokio::test]
async fn a_stream_sends_the_users_own_notifications_from_now_on() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    notify(&app, &ada, "Before").await;
    let mut events = Events::open(&ada, PATH).await;
    notify(&app, &bob, "Other").await;
    notify(&app, &ada, "Class 5").await;
    let sent = next(&mut events).await;
    assert_eq!((&sent["kind"], &sent["title"]), (&"BALANCE".into(), &"Class 5".into()));
    assert_eq!(sent["text"], "5 Points more: a prize.");
    assert_eq!(sent["readAt"], Value::Null);
    notify(&app, &ada, "Class 6").await;
    assert_eq!(next(&mut events).await["title"], "Class 6");
}

#[tokio::test]
async fn a_stream_resumes_after_the_last_received_notification() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let mut first = Events::open(&ada, PATH).await;
    for book in ["One", "Two", "Three"] {
        notify(&app, &ada, book).await;
    }
    let received = next(&mut first).await;
    assert_eq!(received["title"], "One");
    drop(first);
    let app = app.restart().await;
    let ada = ada.at(app.address);
    let id = received["id"].as_str().unwrap();
    let mut resumed = Events::of(ada.request("GET", PATH).header("last-event-id", id)).await;
    assert_eq!(next(&mut resumed).await["title"], "Two");
    assert_eq!(next(&mut resumed).await["title"], "Three");
    let mut resumed = Events::open(&ada, &format!("{PATH}?after={id}")).await;
    assert_eq!(next(&mut resumed).await["title"], "Two");
    ada.get(&format!("{PATH}?after=12")).await.expect_problem(422, "INVALID_BODY");
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let mut events = Events::open(&ada, PATH).await;
    let there = app.anonymous();
    let login = serde_json::json!({ "email": "ada@example.org", "password": PASSWORD });
    there.post("/api/auth/login", login).await.expect(200);
    let mut other = Events::open(&there, PATH).await;
    ada.post("/api/auth/logout", serde_json::json!({})).await.expect(204);
    assert_eq!(events.next().await, None);
    notify(&app, &there, "Class 5").await;
    assert_eq!(next(&mut other).await["title"], "Class 5");
}

/// A server that gets no signal reads every three seconds.
#[tokio::test]
async fn a_lost_signal_delays_a_notification_only() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let mut events = Events::open(&ada, PATH).await;
    let new = NewNotification::of_balance(
        user_id(&ada).await.parse().unwrap(),
        BookId::new(app.clock.now()),
        "Class 5".to_owned(),
        "Less.".to_owned(),
    );
    let mut db = app.state.context.db.write().await.unwrap();
    let signal = app.state.context.notifier.notify(&mut db, &[new], app.clock.now()).await.unwrap();
    assert!(matches!(signal, Signal::UserEvents(_)));
    db.commit().await.unwrap();
    assert_eq!(next(&mut events).await["title"], "Class 5");
}

#[tokio::test]
async fn a_notification_at_one_server_is_sent_by_the_other() {
    let app = TestApp::start_on_postgres().await;
    let ada = app.user("ada").await;
    let other = app.another().await;
    let mut events = Events::open(&ada.at(other.address), PATH).await;
    notify(&app, &ada, "Class 5").await;
    assert_eq!(next(&mut events).await["title"], "Class 5");
}

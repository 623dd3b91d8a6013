use serde_json::{Value, json};

use super::{Hall, hammer};
use crate::harness::{Answer, Client, Event, Events};
use crate::routes::auctions::{NO_ID, auction, wrong_fields};

async fn put(client: &Client, auction: &str, item: impl Into<Value>) -> Answer {
    client.send("PUT", &format!("{auction}/block"), json!({"itemId": item.into()})).await
}

fn block(item: impl Into<Value>) -> Option<Event> {
    Some(Event { kind: "block".to_owned(), id: None, data: json!({"itemId": item.into()}) })
}

#[tokio::test]
async fn one_item_is_on_the_block_and_stays_there_once_it_is_closed() {
    let hall = Hall::open().await;
    let (path, first) = (hall.auction(), hall.sale.item.as_str());
    assert_eq!(hall.ada.get(&path).await.expect(200)["blockItemId"], Value::Null);
    let mut events = Events::open(&hall.ada, &format!("{path}/events")).await;
    events.item().await;
    let shown = put(&hall.clerk, &path, first).await.expect(200);
    assert_eq!(shown["blockItemId"], first);
    assert_eq!(hall.ada.get(&path).await.expect(200)["blockItemId"], first);
    assert_eq!(events.next().await, block(first));
    put(&hall.clerk, &path, first).await.expect(200);

    hall.hammer("1", json!({"result": "PASSED"})).await.expect(200);
    assert_eq!(events.item().await["status"], "CLOSED");
    assert_eq!(hall.ada.get(&path).await.expect(200)["blockItemId"], first);
    let second = hall.sale.add_item(json!({"name": "A lamp"})).await;
    assert_eq!(events.item().await["name"], "A lamp");
    put(&hall.clerk, &path, second.as_str()).await.expect(200);
    assert_eq!(events.next().await, block(second.as_str()));
    put(&hall.clerk, &path, first).await.expect_problem(409, "ITEM_NOT_OPEN");
    put(&hall.clerk, &path, Value::Null).await.expect(200);
    assert_eq!(events.next().await, block(Value::Null));
}

#[tokio::test]
async fn an_item_that_is_hidden_or_deleted_leaves_the_block() {
    let hall = Hall::open().await;
    let path = hall.auction();
    for change in ["hide", "delete"] {
        let item = hall.sale.add_item(json!({})).await;
        put(&hall.clerk, &path, item.as_str()).await.expect(200);
        match change {
            "hide" => {
                hall.sale.owner.patch(&hall.item(&item), json!({"isPublished": false})).await.expect(200)
            }
            _ => hall.sale.owner.delete(&hall.item(&item)).await.expect(204),
        };
        assert_eq!(hall.ada.get(&path).await.expect(200)["blockItemId"], Value::Null, "{change}");
    }
    put(&hall.clerk, &path, hall.sale.item.as_str()).await.expect(200);
}

#[tokio::test]
async fn what_is_no_open_item_of_the_auction_is_refused() {
    let hall = Hall::open().await;
    let path = hall.auction();
    let other = auction(&hall.sale.owner, json!({"joinMode": "FREE"})).await;
    assert_eq!(wrong_fields(&put(&hall.clerk, &path, NO_ID).await), ["itemId"]);
    assert_eq!(wrong_fields(&put(&hall.sale.owner, &other, hall.sale.item.as_str()).await), ["itemId"]);
    let draft = hall.sale.add_item(json!({"isPublished": false})).await;
    assert_eq!(
        wrong_fields(&put(&hall.clerk, &path, draft.as_str()).await),
        ["itemId"],
        "hidden from the clerk"
    );
    put(&hall.sale.owner, &path, draft.as_str()).await.expect_problem(409, "ITEM_NOT_OPEN");
    put(&hall.ada, &path, hall.sale.item.as_str()).await.expect_problem(403, "FORBIDDEN");
}

/// A stream that begins or resumes says what is on the block.
#[tokio::test]
async fn a_stream_begins_with_the_block() {
    let hall = Hall::open().await;
    let (path, item) = (hall.auction(), hall.sale.item.as_str());
    put(&hall.clerk, &path, item).await.expect(200);
    let mut new = Events::open(&hall.ada, &format!("{path}/events")).await;
    assert_eq!(new.next().await, block(item));
    new.item().await;
    let mut resumed = Events::open(&hall.ada, &format!("{path}/events?after=0")).await;
    while resumed.next().await != block(item) {}
}

#[tokio::test]
async fn a_clerk_adds_items_and_changes_nothing_of_others() {
    let hall = Hall::open().await;
    let (path, item) = (hall.auction(), hall.sale.item_path());
    let own = hall.clerk.post(&format!("{path}/items"), json!({"name": "A jug"})).await.expect(201);
    hall.clerk.delete(&hall.item(own["id"].as_str().unwrap())).await.expect(204);
    for (method, path, body) in [
        ("PATCH", path.clone(), json!({"name": "Mine"})),
        ("PATCH", item.clone(), json!({"name": "Mine"})),
        ("POST", format!("{item}/close"), json!({})),
        ("POST", format!("{path}/close"), json!({})),
        ("POST", format!("{path}/currencies"), json!({})),
        ("POST", format!("{path}/invites"), json!({"email": "eve@example.org", "role": "BIDDER"})),
    ] {
        hall.clerk.send(method, &path, body).await.expect_problem(403, "FORBIDDEN");
    }
    hall.sale.bid(&hall.ada, json!({"amount": 1})).await.expect(201);
    hammer(&hall.clerk, &item, "1", json!({"result": "SOLD"})).await.expect(200);
    let marked = hall.clerk.patch(&format!("{item}/outcome"), json!({"paid": true})).await.expect(200);
    assert!(marked["paidAt"].is_string());
    assert_eq!(hall.clerk.get(&path).await.expect(200)["myRole"], "CLERK");
}

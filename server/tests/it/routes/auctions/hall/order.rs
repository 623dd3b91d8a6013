use auction_house::ids::AuctionId;
use auction_house::locks::LockingWrites;
use futures::future::join_all;
use serde_json::{Value, json};

use super::{Hall, hammer};
use crate::harness::{Answer, Client, Event, Events};
use crate::routes::auctions::{NO_ID, auction, wrong_fields};

/// A hall with the items `1` to `number`, by lot number.
async fn with_items(number: usize) -> (Hall, Vec<String>) {
    let hall = Hall::open().await;
    let mut items = vec![hall.sale.item.clone()];
    while items.len() < number {
        items.push(hall.sale.add_item(json!({"name": format!("Item {}", items.len() + 1)})).await);
    }
    (hall, items)
}

async fn put(client: &Client, hall: &Hall, body: Value) -> Answer {
    client.send("PUT", &format!("{}/running-order", hall.auction()), body).await
}

async fn order(hall: &Hall) -> String {
    order_of(&hall.clerk, &hall.auction()).await
}

/// The lot numbers in order, with a star at held ones.
async fn order_of(client: &Client, auction: &str) -> String {
    let found = client.get(&format!("{auction}/running-order?limit=100")).await.expect(200);
    let lot = |item: &Value| {
        let star = if item["held"] == true { "*" } else { "" };
        format!("{}{star}", item["lotNumber"].as_str().unwrap())
    };
    found["items"].as_array().unwrap().iter().map(lot).collect::<Vec<_>>().join(" ")
}

fn changed() -> Option<Event> {
    Some(Event { kind: "order".to_owned(), id: None, data: json!({}) })
}

#[tokio::test]
async fn items_are_called_by_lot_number_until_a_clerk_moves_them() {
    let (hall, items) = with_items(5).await;
    assert_eq!(order(&hall).await, "1 2 3 4 5");
    put(&hall.clerk, &hall, json!({"itemId": items[3], "before": items[0]})).await.expect(204);
    assert_eq!(order(&hall).await, "4 1 2 3 5");
    put(&hall.sale.owner, &hall, json!({"itemId": items[0], "before": null})).await.expect(204);
    assert_eq!(order(&hall).await, "4 2 3 5 1");
    put(&hall.clerk, &hall, json!({"itemId": items[1], "before": items[4]})).await.expect(204);
    assert_eq!(order(&hall).await, "4 3 2 5 1");
    // A new item is called last, and the lots of an earlier number before it.
    hall.sale.add_item(json!({"lotNumber": "9"})).await;
    hall.sale.add_item(json!({"lotNumber": "7"})).await;
    assert_eq!(order(&hall).await, "4 3 2 5 1 7 9");
}

#[tokio::test]
async fn a_held_item_keeps_its_place_until_it_comes_back() {
    let (hall, items) = with_items(4).await;
    put(&hall.clerk, &hall, json!({"itemId": items[1], "held": true})).await.expect(204);
    assert_eq!(order(&hall).await, "1 2* 3 4");
    put(&hall.clerk, &hall, json!({"itemId": items[3], "before": items[1]})).await.expect(204);
    assert_eq!(order(&hall).await, "1 4 2* 3");
    put(&hall.clerk, &hall, json!({"itemId": items[1], "held": false})).await.expect(204);
    assert_eq!(order(&hall).await, "1 4 2 3");
    // Held or back, and moved in one request.
    put(&hall.clerk, &hall, json!({"itemId": items[1], "before": items[0], "held": true})).await.expect(204);
    assert_eq!(order(&hall).await, "2* 1 4 3");
}

#[tokio::test]
async fn what_is_closed_deleted_or_hidden_leaves_the_order_and_a_copy_has_none() {
    let (hall, items) = with_items(5).await;
    for item in &items {
        put(&hall.clerk, &hall, json!({"itemId": item, "before": null})).await.expect(204);
    }
    put(&hall.clerk, &hall, json!({"itemId": items[4], "before": items[0]})).await.expect(204);
    assert_eq!(order(&hall).await, "5 1 2 3 4");
    hammer(&hall.clerk, &hall.item(&items[4]), "k", json!({"result": "PASSED"})).await.expect(200);
    hall.sale.owner.delete(&hall.item(&items[1])).await.expect(204);
    hall.sale.owner.patch(&hall.item(&items[2]), json!({"isPublished": false})).await.expect(200);
    assert_eq!(order(&hall).await, "1 4");
    hall.sale.owner.patch(&hall.item(&items[2]), json!({"isPublished": true})).await.expect(200);
    assert_eq!(order(&hall).await, "1 3 4");
    put(&hall.clerk, &hall, json!({"itemId": items[3], "before": items[0]})).await.expect(204);
    assert_eq!(order(&hall).await, "4 1 3");
    let copy = json!({"name": "Again", "items": true});
    let copy = hall.sale.owner.post(&format!("{}/copy", hall.auction()), copy).await.expect(201);
    let copy = format!("/api/auctions/{}", copy["id"].as_str().unwrap());
    let copies = hall.sale.owner.get(&format!("{copy}/items")).await.expect(200);
    for item in copies["items"].as_array().unwrap() {
        let item = format!("{copy}/items/{}", item["id"].as_str().unwrap());
        hall.sale.owner.patch(&item, json!({"isPublished": true})).await.expect(200);
    }
    assert_eq!(order_of(&hall.sale.owner, &copy).await, "1 3 4 5");
}

#[tokio::test]
async fn only_changes_are_told_to_listeners() {
    let (hall, items) = with_items(2).await;
    let mut events = Events::open(&hall.ada, &format!("{}/events", hall.auction())).await;
    for _ in &items {
        events.item().await;
    }
    let first = json!({"itemId": items[1], "before": items[0]});
    put(&hall.clerk, &hall, first.clone()).await.expect(204);
    assert_eq!(events.next().await, changed());
    put(&hall.clerk, &hall, first).await.expect(204);
    put(&hall.clerk, &hall, json!({"itemId": items[1], "held": false})).await.expect(204);
    put(&hall.clerk, &hall, json!({"itemId": items[1], "held": true})).await.expect(204);
    assert_eq!(events.next().await, changed(), "nothing for what is so already");
    put(&hall.clerk, &hall, json!({"itemId": items[1], "held": true})).await.expect(204);
    hall.sale.add_item(json!({"name": "A lamp"})).await;
    assert_eq!(events.item().await["name"], "A lamp");
}

#[tokio::test]
async fn what_is_not_to_be_called_is_refused() {
    let (hall, items) = with_items(3).await;
    let fields = async |body: Value| wrong_fields(&put(&hall.clerk, &hall, body).await);
    assert_eq!(fields(json!({})).await, ["itemId"]);
    assert_eq!(fields(json!({"itemId": NO_ID})).await, ["itemId"]);
    assert_eq!(fields(json!({"itemId": items[0], "before": NO_ID})).await, ["before"]);
    assert_eq!(fields(json!({"itemId": items[0], "before": items[0]})).await, ["before"]);
    assert_eq!(fields(json!({"itemId": items[0], "held": "yes"})).await, ["held"]);
    assert_eq!(fields(json!({"itemId": items[0], "position": 1})).await, ["position"]);
    let draft = hall.sale.add_item(json!({"isPublished": false})).await;
    assert_eq!(fields(json!({"itemId": draft})).await, ["itemId"], "hidden from the clerk");
    let mine = put(&hall.sale.owner, &hall, json!({"itemId": draft})).await;
    mine.expect_problem(409, "ITEM_NOT_OPEN");
    let other = auction(&hall.sale.owner, json!({"joinMode": "FREE"})).await;
    let other = format!("{other}/running-order");
    let elsewhere = hall.sale.owner.send("PUT", &other, json!({"itemId": items[0]})).await;
    assert_eq!(wrong_fields(&elsewhere), ["itemId"]);
    hall.hammer("1", json!({"result": "PASSED"})).await.expect(200);
    for body in [
        json!({"itemId": items[0]}),
        json!({"itemId": items[0], "held": true}),
        json!({"itemId": items[1], "before": items[0]}),
    ] {
        put(&hall.clerk, &hall, body).await.expect_problem(409, "ITEM_NOT_OPEN");
    }
    put(&hall.ada, &hall, json!({"itemId": items[1]})).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(order(&hall).await, "2 3");
}

/// Bids wait for transactions alone: what is refused, or changes nothing, begins none.
#[tokio::test]
async fn an_order_that_is_refused_or_there_already_makes_no_bid_wait() {
    let (hall, items) = with_items(3).await;
    let auction: AuctionId = hall.auction().rsplit('/').next().unwrap().parse().unwrap();
    let writer = hall.sale.app.state.context.db.write_in(&[auction]).await.unwrap();
    put(&hall.clerk, &hall, json!({"itemId": NO_ID})).await.expect(422);
    put(&hall.clerk, &hall, json!({"itemId": items[0], "before": NO_ID})).await.expect(422);
    put(&hall.ada, &hall, json!({"itemId": items[1]})).await.expect_problem(403, "FORBIDDEN");
    put(&hall.clerk, &hall, json!({"itemId": items[0], "before": items[1]})).await.expect(204);
    put(&hall.clerk, &hall, json!({"itemId": items[0], "held": false})).await.expect(204);
    let ends = json!({"firstEnd": "2020-01-01T00:00:00Z", "intervalSeconds": 1});
    hall.sale.owner.post(&format!("{}/schedule", hall.auction()), ends).await.expect(422);
    drop(writer);
    put(&hall.clerk, &hall, json!({"itemId": items[2], "before": items[0]})).await.expect(204);
    assert_eq!(order(&hall).await, "3 1 2");
}

#[tokio::test]
async fn two_clerks_who_move_different_items_overwrite_nothing() {
    let (hall, items) = with_items(12).await;
    let moves = (0..6).map(|pair| {
        let client = if pair % 2 == 0 { &hall.clerk } else { &hall.sale.owner };
        put(client, &hall, json!({"itemId": items[2 * pair + 1], "before": items[2 * pair]}))
    });
    for answer in join_all(moves).await {
        answer.expect(204);
    }
    assert_eq!(order(&hall).await, "2 1 4 3 6 5 8 7 10 9 12 11");
}

#[tokio::test]
async fn the_order_is_listed_in_pages() {
    let (hall, items) = with_items(5).await;
    put(&hall.clerk, &hall, json!({"itemId": items[4], "before": items[0]})).await.expect(204);
    put(&hall.clerk, &hall, json!({"itemId": items[3], "before": items[0]})).await.expect(204);
    let (mut lots, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = format!("{}/running-order?limit=1{cursor}", hall.auction());
        let page = hall.clerk.get(&page).await.expect(200);
        lots.extend(page["items"].as_array().unwrap().iter().map(|item| item["lotNumber"].clone()));
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(lots, ["5", "4", "1", "2", "3"]);
}

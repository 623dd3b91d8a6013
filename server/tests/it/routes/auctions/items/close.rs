use serde_json::{Value, json};

use super::bids::{Sale, text, wizards};
use crate::harness::{Answer, Client, Events};
use crate::routes::auctions::NO_ID;

fn path(sale: &Sale) -> String {
    format!("{}/close", sale.item_path())
}

/// All outcomes of the auction as this viewer may see them.
pub async fn outcomes(sale: &Sale, viewer: &Client) -> Vec<Value> {
    let listed = viewer.get(&format!("/api/auctions/{}/outcomes?limit=100", sale.auction)).await.expect(200);
    assert_eq!(listed["nextCursor"], Value::Null);
    listed["outcomes"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_item_that_is_ended_now_is_sold_to_the_leader() {
    let sale = Sale::open(json!({}), &[wizards()], json!({"endDate": "2026-05-01T19:00:00Z"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let counts = |count: i64| json!({"enteredRepresentation": [{"denomination": "SICKLE", "count": count}]});
    sale.bid(&ada, counts(1)).await.expect(201);
    let winning = sale.bid(&bob, counts(2)).await.expect(201);
    let mut events = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    assert_eq!(events.item().await["outcome"], Value::Null);

    let closed = sale.owner.post(&path(&sale), json!({})).await;
    let item = closed.expect(200);
    assert_eq!(item["status"], "CLOSED");
    let outcome = &item["outcome"];
    assert_eq!(
        *outcome,
        json!({
            "itemId": sale.item, "copy": 1, "number": 1, "result": "SOLD",
            "winner": {"id": winning["bidder"]["id"], "name": "bob"},
            "bid": {
                "sequence": 2, "amount": null, "normalizedAmount": "58",
                "enteredRepresentation": [{"denomination": "SICKLE", "count": "2"}],
                "currencyProfileId": winning["currencyProfileId"],
            },
            "reason": null,
            "by": {"id": outcome["by"]["id"], "name": "owner"},
            "paidAt": null, "collectedAt": null, "createdAt": outcome["createdAt"],
        })
    );
    let read = sale.owner.get(&sale.item_path()).await;
    assert_eq!(read.expect(200), item);
    assert_eq!(read.header("etag"), closed.header("etag"));
    assert_eq!(events.item().await["outcome"], *outcome, "streams send the outcome");
    assert_eq!(outcomes(&sale, &ada).await, std::slice::from_ref(outcome));
    sale.bid(&ada, counts(3)).await.expect_problem(409, "ITEM_NOT_OPEN");
    sale.owner.post(&path(&sale), json!({})).await.expect_problem(409, "CLOSED");
    assert_eq!(outcomes(&sale, &ada).await.len(), 1);
    let auction = sale.owner.get(&format!("/api/auctions/{}", sale.auction)).await.expect(200);
    assert_eq!(auction["status"], "OPEN", "other items may follow");
}

#[tokio::test]
async fn an_item_without_bids_and_a_draft_are_unsold() {
    let mut sale = Sale::legacy(json!({})).await;
    let draft = sale.add_item(json!({"currencyCode": "EUR", "isPublished": false})).await;
    for item in [sale.item.clone(), draft] {
        sale.item = item;
        let closed = sale.owner.post(&path(&sale), json!({})).await.expect(200);
        let outcome = &closed["outcome"];
        assert_eq!(
            (&outcome["result"], &outcome["winner"], &outcome["bid"]),
            (&json!("UNSOLD"), &Value::Null, &Value::Null)
        );
    }
    assert_eq!(outcomes(&sale, &sale.owner).await.len(), 2);
    let ada = sale.bidder("ada").await;
    assert_eq!(outcomes(&sale, &ada).await.len(), 1, "that of a draft is hidden");
}

#[tokio::test]
async fn a_seller_ends_an_item_without_bids_and_managers_any_item() {
    let mut sale = Sale::legacy(json!({})).await;
    let seller = sale.bidder("seller").await;
    sale.give_role(&seller, "CREATOR").await;
    let ada = sale.bidder("ada").await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let body = json!({"name": "A lamp", "currencyCode": "EUR", "isPublished": true});
    let (first, second) = (seller.post(&items, body.clone()).await, seller.post(&items, body).await);
    sale.item = text(&first.expect(201)["id"]);
    let eve = sale.app.user("eve").await;
    for other in [&ada, &eve] {
        other.post(&path(&sale), json!({})).await.expect_problem(403, "FORBIDDEN");
    }
    seller.post(&path(&sale), json!({})).await.expect(200);
    sale.item = text(&second.expect(201)["id"]);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    seller.post(&path(&sale), json!({})).await.expect_problem(403, "FORBIDDEN");
    let closed = sale.owner.post(&path(&sale), json!({})).await.expect(200);
    assert_eq!(closed["outcome"]["winner"]["name"], "ada");

    sale.item = NO_ID.to_owned();
    sale.owner.post(&path(&sale), json!({})).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_draft_is_hidden_from_other_members() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.item = sale.add_item(json!({"currencyCode": "EUR", "isPublished": false})).await;
    ada.post(&path(&sale), json!({})).await.expect_problem(404, "NOT_FOUND");
    ada.post(&format!("{}/cancel", sale.item_path()), json!({})).await.expect_problem(404, "NOT_FOUND");
}

/// The version of an item in the queue follows its bids and its closing.
#[tokio::test]
async fn an_outdated_version_closes_no_item() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let close =
        async |tag: &str| Answer::of(sale.owner.request("POST", &path(&sale)).header("if-match", tag)).await;
    let old = sale.owner.get(&sale.item_path()).await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    close(old.header("etag")).await.expect_problem(412, "PRECONDITION_FAILED");
    let bid_on = sale.owner.get(&sale.item_path()).await;
    let closed = close(bid_on.header("etag")).await;
    closed.expect(200);
    close(bid_on.header("etag")).await.expect_problem(412, "PRECONDITION_FAILED");
    close(closed.header("etag")).await.expect_problem(409, "CLOSED");
}

/// Bids, ends, cancellations and the close of the auction in one moment: each item gets one outcome, which is
/// that of its last accepted bid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_closes_while_bids_are_in_flight() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut items = vec![sale.item.clone()];
    for _ in 0..3 {
        items.push(sale.add_item(json!({"currencyCode": "EUR"})).await);
    }
    let item = |at: usize| format!("/api/auctions/{}/items/{}", sale.auction, items[at]);
    let bids = (1..=64).map(|n| {
        let (ada, path) = (&ada, format!("{}/bids", item(n % 4)));
        async move { ada.post(&path, json!({"amount": n})).await }
    });
    let owner = &sale.owner;
    let closes = async {
        let auction = format!("/api/auctions/{}/close", sale.auction);
        let (first, cancelled) = (format!("{}/close", item(0)), format!("{}/cancel", item(1)));
        let (end, again, cancel, all) = tokio::join!(
            later(1, owner.post(&first, json!({}))),
            later(2, owner.post(&first, json!({}))),
            later(2, owner.post(&cancelled, json!({"reason": "broken"}))),
            later(3, owner.post(&auction, json!({}))),
        );
        all.expect(200);
        (end, again, cancel)
    };
    let (bids, (end, again, cancel)) = tokio::join!(futures::future::join_all(bids), closes);
    for answer in [&end, &again, &cancel] {
        assert!([200, 409].contains(&answer.status.as_u16()), "{}", answer.text);
    }
    for answer in &bids {
        match answer.status.as_u16() {
            201 | 422 => {}
            _ => drop(answer.expect_problem(409, "ITEM_NOT_OPEN")),
        }
    }
    let outcomes = outcomes(&sale, &sale.owner).await;
    assert_eq!(outcomes.len(), 4);
    for (at, item) in items.iter().enumerate() {
        sale.item.clone_from(item);
        let last = sale.bids().await.first().map_or(Value::Null, |bid| bid["sequence"].clone());
        let outcome = outcomes.iter().find(|outcome| outcome["itemId"] == sale.item.as_str()).unwrap();
        match outcome["result"].as_str().unwrap() {
            "CANCELLED" => assert_eq!((at, cancel.status.as_u16()), (1, 200)),
            _ => assert_eq!(outcome["bid"]["sequence"], last),
        }
    }
}

/// Lets other tasks of the test run first.
async fn later<T>(turns: usize, work: impl Future<Output = T>) -> T {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
    work.await
}

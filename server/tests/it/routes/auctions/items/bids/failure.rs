use accounts::Person;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::place::{BidError, BidRefusal, BidRequest, PlaceBid};
use auction_house::bids::queue_error::QueueError;
use auction_house::items;
use auction_house::locks::LockingWrites;
use auction_house::path::ItemPath;
use platform::verb::VerbError;
use rules_engine::BidForm;
use serde_json::{Value, json};

use super::{Sale, text};
use crate::harness::{Client, TestApp};

/// A bid for the queue, without a route.
async fn bid_of(sale: &Sale, bidder: &Client, amount: &str) -> PlaceBid {
    let user = bidder.get("/api/user").await.expect(200);
    let form = BidForm { amount: Some(amount.into()), entered_representation: None };
    PlaceBid {
        item: ItemPath { auction_id: sale.auction.parse().unwrap(), item_id: sale.item.parse().unwrap() },
        sender: Person { id: text(&user["user"]["id"]).parse().unwrap(), name: text(&user["user"]["name"]) },
        may_join: true,
        request: Ok(BidRequest {
            entered: EnteredBid::new(None, false, form).unwrap(),
            named: None,
            keyed: None,
        }),
    }
}

/// Whether the queue did not execute the bid, for this reason.
fn is_not_executed<T>(answer: &Result<T, BidError>, reason: QueueError) -> bool {
    matches!(answer, Err(VerbError::Refused(BidRefusal::Queue(error))) if *error == reason)
}

#[tokio::test]
async fn a_bid_outlives_its_request() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let bid = bid_of(&sale, &ada, "5").await;
    // Polled once, so that it is in the queue, then dropped.
    assert!(futures::FutureExt::now_or_never(sale.app.state.bids.submit(bid)).is_none());
    sale.app.state.bids.finish().await;
    assert_eq!(sale.bids().await.len(), 1);
}

#[tokio::test]
async fn a_stopping_server_accepts_no_bid() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.app.state.bids.finish().await;
    let refused = sale.bid(&ada, json!({"amount": 5})).await;
    refused.expect_problem(503, "OVERLOADED");
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(sale.bids().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_full_queue_refuses_bids_and_loses_none() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let bid = bid_of(&sale, &ada, "5").await;
    // While another transaction writes, the queue takes one batch and no other.
    let writer = sale.app.state.context.db.write_in(&[bid.item.auction_id]).await.unwrap();
    let mut answers = Vec::new();
    while answers.len() <= 1024 {
        answers.extend(sale.app.state.bids.push(bid.clone()));
        tokio::task::yield_now().await;
    }
    while let Ok(answer) = sale.app.state.bids.push(bid.clone()) {
        answers.push(answer);
    }
    assert!(answers.len() <= 1024 + 512, "{}", answers.len());
    sale.bid(&ada, json!({"amount": 6})).await.expect_problem(503, "OVERLOADED");

    drop(writer);
    let answers = futures::future::join_all(answers).await;
    let accepted = answers.iter().filter(|answer| matches!(answer, Ok(Ok(_)))).count();
    let refused = answers
        .iter()
        .filter(|answer| matches!(answer, Ok(Err(VerbError::Refused(BidRefusal::Rejected(_))))))
        .count();
    assert_eq!((accepted, refused), (1, answers.len() - 1), "all were judged");
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
}

/// Bids that waited for more than ten seconds, for example for a slow disk, are refused without evaluation.
#[tokio::test]
async fn a_bid_that_waited_too_long_is_not_evaluated() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let bid = bid_of(&sale, &ada, "5").await;
    let queue = &sale.app.state.bids;
    let writer = sale.app.state.context.db.write_in(&[bid.item.auction_id]).await.unwrap();
    let early = queue.push(bid.clone()).unwrap();
    sale.app.clock.advance_seconds(1);
    let late = queue.push(bid).unwrap();
    sale.app.clock.advance_seconds(10);
    drop(writer);
    assert!(is_not_executed(&early.await.unwrap(), QueueError::Overloaded));
    assert_eq!(late.await.unwrap().unwrap().bid.sequence(), Some(1));
}

#[tokio::test]
async fn a_failed_batch_is_rolled_back_as_a_whole() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let first = bid_of(&sale, &ada, "5").await;
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    // The ledger refuses another bid on the second item.
    sale.write("CREATE UNIQUE INDEX one_each ON bids (item_id)").await;
    let second = bid_of(&sale, &ada, "6").await;
    let writer = sale.app.state.context.db.write_in(&[first.item.auction_id]).await.unwrap();
    // Every batch contains a bid on the second item.
    let mut bids = [second, first].into_iter().cycle();
    let mut answers = Vec::new();
    while let Some(Ok(answer)) = bids.next().map(|bid| sale.app.state.bids.push(bid)) {
        answers.push(answer);
    }
    drop(writer);
    for answer in answers {
        assert!(is_not_executed(&answer.await.unwrap(), QueueError::NotKept));
    }
    sale.bid(&ada, json!({"amount": 6})).await.expect_problem(500, "INTERNAL");

    sale.write("DROP INDEX one_each").await;
    let bids = [sale.bids().await.len(), count_bids(&sale).await];
    assert_eq!(bids, [1, 1], "no bid of the first item was stored either");
    assert_eq!(sale.bid(&ada, json!({"amount": 6})).await.expect(201)["sequence"], 2);
}

/// The ledger has no foreign key to its items: the batch locks them and checks that they exist.
#[tokio::test]
async fn a_bid_on_an_item_that_is_deleted_meanwhile_is_refused() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 0})).await.expect_problem(422, "BID_REJECTED");
    let bid = bid_of(&sale, &ada, "5").await;
    let mut writer = sale.app.state.context.db.write_in(&[bid.item.auction_id]).await.unwrap();
    let answer = sale.app.state.bids.push(bid.clone()).unwrap();
    let item = items::store::find(&mut writer, bid.item.auction_id, bid.item.item_id).await.unwrap().unwrap();
    items::store::delete(&mut writer, &item).await.unwrap();
    writer.commit().await.unwrap();
    assert!(matches!(answer.await.unwrap(), Err(VerbError::NotFound)));
    assert_eq!(count_bids(&sale).await, 0);
}

/// The bids of all items.
async fn count_bids(sale: &Sale) -> usize {
    let conn = &mut sale.app.state.context.db.read().await.unwrap();
    let count: i64 = platform::db::query_scalar("SELECT COUNT(*) FROM bids").fetch_one(conn).await.unwrap();
    usize::try_from(count).unwrap()
}

/// A trigger raises the error of a full disk.
#[tokio::test]
async fn a_full_disk_of_postgresql_refuses_bids_and_loses_none() {
    let app = TestApp::start_on_postgres().await;
    let sale = Sale::open_in(app, json!({}), &[], json!({"currencyCode": "EUR"})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.write(
        "CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$",
    )
    .await;
    sale.write("CREATE TRIGGER is_full BEFORE INSERT ON bids EXECUTE FUNCTION be_full()").await;
    let refused = sale.bid(&ada, json!({"amount": 6})).await;
    refused.expect_problem(507, "STORAGE_FULL");
    assert_eq!(refused.header("retry-after"), "30");
    assert_eq!(sale.bids().await.len(), 1, "reads continue");
    sale.write("DROP TRIGGER is_full ON bids").await;
    assert_eq!(sale.bid(&ada, json!({"amount": 6})).await.expect(201)["sequence"], 2);
}

#[tokio::test]
async fn an_unreadable_item_does_not_block_other_items() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let broken = bid_of(&sale, &ada, "5").await;
    sale.write("UPDATE items SET starting_bid = 'much'").await;
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    let whole = bid_of(&sale, &ada, "5").await;
    let queue = &sale.app.state.bids;
    let (broken, whole) = tokio::join!(queue.submit(broken), queue.submit(whole));
    assert!(is_not_executed(&broken, QueueError::NotKept));
    assert_eq!(whole.unwrap().bid.sequence(), Some(1));
}

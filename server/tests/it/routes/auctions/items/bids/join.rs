//! A bid in a FREE auction joins it.

use accounts::locks::write_as;
use accounts::user::store::erase_users;
use auction_house::ids::UserId;
use platform::db::query_scalar;
use serde_json::{Value, json};

use super::{Sale, points};
use crate::harness::TestApp;
use crate::routes::auctions::{remove, user_id};

fn auction_path(sale: &Sale) -> String {
    format!("/api/auctions/{}", sale.auction)
}

#[tokio::test]
async fn a_bid_in_a_free_auction_joins_it() {
    let sale = Sale::legacy(json!({"startingBid": 5})).await;
    let eve = sale.app.user("eve").await;
    let path = auction_path(&sale);
    let role = async || eve.get(&path).await.expect(200)["myRole"].clone();
    let validate = format!("{}/validate", sale.bids_path());
    assert_eq!(eve.post(&validate, json!({"amount": 5})).await.expect(200)["accepted"], true);
    sale.bid(&eve, json!({"amount": 4})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(role().await, Value::Null, "neither a validated nor a rejected bid joins");
    sale.bid(&eve, json!({"amount": 5})).await.expect(201);
    sale.bid(&eve, json!({"amount": 6})).await.expect(201);
    assert_eq!(role().await, "BIDDER");
    let members = sale.owner.get(&format!("{path}/members")).await.expect(200);
    assert_eq!(members["members"][1]["user"]["id"], user_id(&eve).await);
}

#[tokio::test]
async fn many_users_join_by_concurrent_bids_once_each() {
    let sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
    let mut users = Vec::new();
    for name in ["a", "b", "c", "d"] {
        users.push(sale.app.user(name).await);
    }
    let bids = users.iter().enumerate().flat_map(|(place, user)| {
        let sale = &sale;
        (1..4).map(move |round| async move {
            sale.bid(user, json!({"amount": round * 10 + place})).await.status.as_u16()
        })
    });
    let answers = futures::future::join_all(bids).await;
    assert!(answers.iter().all(|status| matches!(status, 201 | 422)), "{answers:?}");
    let members = sale.owner.get(&format!("{}/members", auction_path(&sale))).await.expect(200);
    let mut bidders: Vec<String> =
        sale.bids().await.iter().map(|bid| bid["bidder"]["id"].as_str().unwrap().to_owned()).collect();
    bidders.sort_unstable();
    bidders.dedup();
    assert_eq!(members["members"].as_array().unwrap().len(), 1 + bidders.len());
}

#[tokio::test]
async fn a_removed_user_cannot_bid_but_their_bid_stands() {
    let sale = Sale::legacy(json!({})).await;
    let eve = sale.app.user("eve").await;
    let path = auction_path(&sale);
    sale.bid(&eve, json!({"amount": 5})).await.expect(201);
    remove(&sale.owner, &path, &eve).await;
    for _ in 0..2 {
        let refused = sale.bid(&eve, json!({"amount": 6})).await.expect_problem(403, "FORBIDDEN");
        assert!(refused["detail"].as_str().unwrap().contains("were removed"), "{refused}");
    }
    let validate = format!("{}/validate", sale.bids_path());
    eve.post(&validate, json!({"amount": 6})).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(eve.get(&path).await.expect(200)["myRole"], Value::Null);
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!(item["highestBid"]["bidder"]["name"], "eve");

    sale.owner.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    sale.bid(&eve, json!({"amount": 6})).await.expect_problem(404, "NOT_FOUND");
}

/// The account is deleted while the bid with which its user would join is placed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_account_does_not_join_by_a_bid() {
    let app = TestApp::start_on_postgres().await;
    let sale = Sale::open_in(app, json!({}), &[points("PTS", "1")], json!({})).await;
    let (ada, eve) = (sale.bidder("ada").await, sale.app.user("eve").await);
    // From now on the queue has the auction in its cache, and judges without a lock.
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let id: UserId = user_id(&eve).await.parse().unwrap();
    let context = &sale.app.state.context;
    let mut deletion = write_as(&context.db, id).await.unwrap();
    let backend = query_scalar("SELECT CAST(pg_backend_pid() AS bigint)");
    let backend: i64 = backend.fetch_one(&mut deletion).await.unwrap();
    erase_users(&mut deletion, &[id], context.clock.now()).await.unwrap();
    let delete = async {
        let mut db = context.db.read().await.unwrap();
        let blocked = "SELECT EXISTS (
                           SELECT 1 FROM pg_stat_activity WHERE CAST($1 AS integer) = ANY(pg_blocking_pids(pid)))";
        while !query_scalar(blocked).bind(backend).fetch_one::<bool>(&mut db).await.unwrap() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        deletion.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(sale.bid(&eve, json!({"amount": 5})), delete);
    answer.expect_problem(403, "FORBIDDEN");
    assert_eq!(sale.bids().await.len(), 1);
    let members = sale.owner.get(&format!("{}/members", auction_path(&sale))).await.expect(200);
    assert_eq!(members["members"].as_array().unwrap().len(), 2);
}

//! Two servers on one PostgreSQL database, a clerk at each.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Hall, hammer, named, outcome};
use crate::harness::{TestApp, times};

/// Both clerks call every item at the same moment, and the room bids on: each item is sold once.
#[tokio::test]
async fn two_clerks_at_two_servers_sell_each_item_once() {
    let hall = Hall::open_in(TestApp::start_on_postgres().await, json!({})).await;
    let other = hall.sale.app.another().await;
    let clerks = [hall.clerk.at(hall.sale.app.address), hall.clerk.at(other.address)];
    let buyers = [named(&hall.ada).await, named(&hall.bob).await];
    let mut sold = BTreeMap::new();
    for round in 0..times(20, 100) {
        let item = hall.sale.add_item(json!({})).await;
        let path = hall.item(&item);
        hall.sale.owner.get(&path).await.expect(200);
        let call = async |at: usize| {
            let body = json!({"result": "SOLD", "for": buyers[at], "amount": 10 + at});
            hammer(&clerks[at], &path, &format!("{round}-{at}"), body).await
        };
        let bids = format!("{path}/bids");
        let (one, two, bid) = tokio::join!(call(0), call(1), hall.bob.post(&bids, json!({"amount": 5})));
        let answers = [one, two];
        let won: Vec<usize> = (0..2).filter(|at| answers[*at].status == 200).collect();
        assert_eq!(won.len(), 1, "{answers:?}");
        answers[1 - won[0]].expect_problem(409, "CLOSED");
        assert!([201, 409].contains(&bid.status.as_u16()), "{}", bid.text);
        let winner = answers[won[0]].json()["outcome"]["winner"]["name"].clone();
        assert_eq!(winner, ["ada", "bob"][won[0]]);
        // The answer is the same at the other server.
        let body = json!({"result": "SOLD", "for": buyers[won[0]], "amount": 10 + won[0]});
        let again = hammer(&clerks[1 - won[0]], &path, &format!("{round}-{}", won[0]), body).await;
        assert_eq!(again.expect(200)["outcome"]["winner"]["name"], winner);
        sold.insert(item, winner);
    }
    let mut listed = BTreeMap::new();
    let mut page = format!("{}/outcomes?limit=100", hall.auction());
    loop {
        let found = hall.sale.owner.get(&page).await.expect(200);
        for outcome in found["outcomes"].as_array().unwrap() {
            let item = outcome["itemId"].as_str().unwrap().to_owned();
            assert_eq!(listed.insert(item, outcome["winner"]["name"].clone()), None, "one outcome each");
        }
        let Value::String(cursor) = &found["nextCursor"] else { break };
        page = format!("{}/outcomes?limit=100&cursor={cursor}", hall.auction());
    }
    assert_eq!(listed, sold);
}

/// A clerk whose connection moves to the other server sends again what was not answered, perhaps while the
/// first server is still at it.
#[tokio::test]
async fn one_key_at_two_servers_sells_once() {
    let hall = Hall::open_in(TestApp::start_on_postgres().await, json!({})).await;
    let other = hall.sale.app.another().await;
    let clerks = [hall.clerk.at(hall.sale.app.address), hall.clerk.at(other.address)];
    let body = json!({"result": "SOLD", "for": named(&hall.ada).await, "amount": 7});
    for round in 0..times(20, 100) {
        let path = hall.item(&hall.sale.add_item(json!({})).await);
        let key = round.to_string();
        let call = async |at: usize| hammer(&clerks[at], &path, &key, body.clone()).await;
        let (one, two) = tokio::join!(call(0), call(1));
        let answers = [one, two, call(0).await, call(1).await];
        let replayed = answers.iter().filter(|answer| answer.header("idempotent-replayed") == "true");
        assert_eq!(replayed.count(), 3, "{answers:?}");
        for answer in answers {
            assert_eq!(outcome(&answer.expect(200)), json!(["SOLD", 1, "7", "ada"]));
        }
        let listed = hall.sale.owner.get(&format!("{path}/bids")).await.expect(200);
        assert_eq!(listed["bids"].as_array().unwrap().len(), 1);
    }
}

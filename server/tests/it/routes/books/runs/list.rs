//! The list of runs, which counts holders where a run names them.

use serde_json::{Value, json};

use super::run;
use crate::routes::auctions::user_id;
use crate::routes::books::{Class, each, grant};

#[tokio::test]
async fn lists_of_runs_count_the_holders_that_a_run_names() {
    let class = Class::start().await;
    let (owner, book) = (&class.owner, &class.book);
    let ids = [user_id(&class.teller).await, user_id(&class.holder).await];
    let to = json!([{"holder": ids[0], "weight": 2}, {"holder": ids[1], "weight": 1}]);
    let share = json!({"amount": 9, "to": to, "cuts": [{"holder": ids[1], "percent": 10}]});
    run(owner, book, "k1", "SHARE", share).await.expect(201);
    run(owner, book, "k2", "DECAY", json!({"percent": 1, "to": ids})).await.expect(201);
    run(owner, book, "k3", "DECAY", json!({"percent": 1, "to": "ALL"})).await.expect(201);
    grant(owner, book, json!(ids), json!(1)).await.expect(201);
    let listed = owner.get(&class.path("runs")).await.expect(200);
    let listed = each(listed["runs"].as_array().unwrap(), "params");
    assert_eq!(listed[0], json!({"amount": "1", "toCount": 2}));
    let decay = json!({"digits": 2, "percent": "1", "floor": "0", "base": "ABOVE", "debts": "LEAVE"});
    let with = |name: &str, value: Value| {
        let mut decay = decay.clone();
        decay[name] = value;
        decay
    };
    assert_eq!(listed[1], with("to", json!("ALL")));
    assert_eq!(listed[2], with("toCount", json!(2)));
    let cuts = json!([{"holder": ids[1], "percent": "10"}]);
    let share = json!({"digits": 2, "amount": "9", "cuts": cuts, "rest": "KEEP"});
    let mut counted = share.clone();
    counted["toCount"] = json!(2);
    assert_eq!(listed[3], counted);
    let whole = owner.get(&class.path("runs/1")).await.expect(200)["params"].clone();
    let mut named = share;
    named["to"] = to;
    assert_eq!(whole, named);
    assert_eq!(owner.get(&class.path("runs/2")).await.expect(200)["params"]["to"], json!(ids));
    assert_eq!(owner.get(&class.path("runs/4")).await.expect(200)["params"]["to"], json!(ids));
}

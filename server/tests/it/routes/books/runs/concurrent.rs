//! Runs, grants and reversals at one instant, at one server and at two: what is drawn up before a transaction
//! counts only if the book is still the same.

use std::collections::HashMap;

use futures::future::join_all;
use rules_engine::money::Normalized;
use serde_json::{Value, json};

use super::{reverse, run};
use crate::harness::{Client, TestApp, times};
use crate::routes::auctions::user_id;
use crate::routes::books::{Class, add, book, each, grant};

/// A class on PostgreSQL, which another server may serve too.
async fn start_shared() -> Class {
    let app = TestApp::start_on_postgres().await;
    let owner = app.user("owner").await;
    let (teller, holder) = (app.user("teller").await, app.user("holder").await);
    let book = book(&owner, json!({"startingBalance": 300})).await;
    add(&owner, &book, &teller).await;
    add(&owner, &book, &holder).await;
    Class { app, owner, teller, holder, book }
}

/// The owner at each of these servers.
fn owners(class: &Class, servers: &[&TestApp]) -> Vec<Client> {
    servers.iter().map(|app| class.owner.at(app.address)).collect()
}

fn number(value: &Value) -> Normalized {
    value.as_str().unwrap().parse().unwrap()
}

/// All entries are exported in order: each run has judged the balances that its entries follow, and has
/// written one entry after the other.
async fn check(class: &Class) {
    let exported = class.owner.get(&class.path("export?format=json")).await.expect(200);
    let (mut has, mut runs) = (HashMap::<String, Normalized>::new(), HashMap::<i64, Vec<Value>>::new());
    for (at, entry) in (1..).zip(exported["entries"].as_array().unwrap()) {
        assert_eq!(entry["sequence"], at);
        let holder = entry["holder"]["id"].as_str().unwrap();
        let before = has.get(holder).copied().unwrap_or_default();
        if let Some(run) = entry["run"].as_i64().filter(|_| entry["kind"] == "DECAY") {
            let tenth = Normalized::from_mantissa(before.mantissa() / 10_i128.pow(13) * 10_i128.pow(12));
            let taken = Normalized::ZERO.checked_sub(tenth.unwrap()).unwrap();
            assert_eq!(number(&entry["amount"]), taken, "run {run} of {before}");
            runs.entry(run).or_default().push(entry["sequence"].clone());
        }
        has.insert(holder.to_owned(), before.checked_add(number(&entry["amount"])).unwrap());
    }
    for (run, sequences) in runs {
        let of_run: Vec<i64> = sequences.iter().map(|sequence| sequence.as_i64().unwrap()).collect();
        assert!(of_run.windows(2).all(|pair| pair[0] + 1 == pair[1]), "run {run}: {of_run:?}");
    }
    let holders = class.owner.get(&class.path("holders")).await.expect(200);
    for holder in holders["holders"].as_array().unwrap() {
        let sum = has.get(holder["user"]["id"].as_str().unwrap()).copied().unwrap_or_default();
        assert_eq!(number(&holder["balance"]), sum);
    }
}

/// Decays to tenths, grants and reversals of earlier runs at one instant.
async fn everything_at_once(class: &Class, servers: &[&TestApp], round: u64) {
    let owners = owners(class, servers);
    let params = json!({"percent": 10, "digits": 1, "to": "ALL"});
    let decays = (0..6).zip(owners.iter().cycle()).map(|(at, owner)| {
        let (key, params) = (format!("decay-{round}-{at}"), params.clone());
        async move { run(owner, &class.book, &key, "DECAY", params).await }
    });
    let holder = user_id(&class.holder).await;
    let grants = (0..6).zip(owners.iter().cycle()).map(|(at, owner)| {
        let to = if at % 2 == 0 { json!("ALL") } else { json!([holder]) };
        async move { grant(owner, &class.book, to, json!("7.1")).await }
    });
    let made = class.owner.get(&class.path("runs?limit=100")).await.expect(200);
    let made = each(made["runs"].as_array().unwrap(), "number");
    let reversals =
        made.iter().take(3).zip(owners.iter().cycle()).map(|(number, owner)| async move {
            reverse(owner, &class.book, number.as_i64().unwrap()).await
        });
    let (decays, grants, reversals) = tokio::join!(join_all(decays), join_all(grants), join_all(reversals));
    decays.iter().chain(&grants).for_each(|answer| assert_eq!(answer.status, 201));
    reversals.iter().for_each(|answer| assert!(matches!(answer.status.as_u16(), 200 | 409)));
    check(class).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_at_one_instant_judge_the_newest_entry() {
    let class = Class::start().await;
    for round in 0..times(3, 40) {
        everything_at_once(&class, &[&class.app], round).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_at_two_servers_judge_the_newest_entry() {
    let class = start_shared().await;
    let other = class.app.another().await;
    for round in 0..times(3, 40) {
        everything_at_once(&class, &[&class.app, &other], round).await;
    }
}

/// A period is taken once, a key makes one run, and a run is reversed once, whichever server is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_do_once_what_is_done_once() {
    let class = start_shared().await;
    let other = class.app.another().await;
    let owners = owners(&class, &[&class.app, &other]);
    let ask = |key: &'static str, period: &'static str| {
        let params = json!({"percent": 10, "digits": 1, "to": "ALL", "period": period});
        let book = &class.book;
        move |owner| run(owner, book, key, "DECAY", params.clone())
    };
    let (first, second) = (ask("k1", "2026-W48"), ask("k2", "2026-W48"));
    let answers = tokio::join!(first(&owners[0]), second(&owners[1]));
    let (made, refused) = if answers.0.status == 201 { answers } else { (answers.1, answers.0) };
    refused.expect_problem(409, "PERIOD_TAKEN");
    assert_eq!(made.expect(201)["number"], 1);
    let again = ask("k3", "2026-W49");
    let (here, there) = tokio::join!(again(&owners[0]), again(&owners[1]));
    assert_eq!(here.expect(201), there.expect(201));
    let (here, there) =
        tokio::join!(reverse(&owners[0], &class.book, 2), reverse(&owners[1], &class.book, 2));
    let mut statuses = [here.status.as_u16(), there.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    check(&class).await;
}

//! `kill -9` while bids, hammers, a table of lots and a list of people are under way.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::Process;
use super::crash::{add_item, check, get, open_sale, post, start_bidding};
use super::hammer::{call, hammer, url};
use crate::dice::Dice;
use crate::harness::{database, times};

/// Accepted bids of a round before its server is killed.
const BIDS: usize = 30;
/// Items of a round that are hammered.
const HAMMERED: usize = 12;
const LOTS: usize = 1_000;
const PEOPLE: usize = 4;

/// Bids and hammers that were answered are kept in their order, a table and a list are written as a whole or
/// not at all, and what is repeated with its key is done once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "what each round has met, for the reader of a failure")]
async fn twelve_rounds_with_all_of_it_under_way_lose_nothing_and_leave_no_half() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut server = Process::start(&database_url, folder.path()).await;
    let sale = Arc::new(open_sale(&server.url).await);
    let user = get(&sale.bidders[0], format!("{}/api/user", server.url)).await;
    let buyer = user["user"]["id"].clone();
    let group = post(&sale.owner, format!("{}/api/groups", server.url), json!({"name": "Hall"})).await;
    let group = group["id"].as_str().unwrap().to_owned();
    let (next, mut told, mut dice) = (Arc::new(AtomicU64::new(1)), Vec::new(), Dice(0x9E37_79B9_7F4A_7C15));
    for round in 0..times(12, 40) {
        let mut items = Vec::new();
        for _ in 0..HAMMERED {
            items.push(add_item(&server.url, &sale.owner, &sale.auction).await);
        }
        let calls: Vec<Value> = items.iter().map(|_| call(&buyer, &mut dice)).collect();
        let fair = post(&sale.owner, format!("{}/api/auctions", server.url), json!({"name": "Fair"})).await;
        let fair = fair["id"].as_str().unwrap().to_owned();

        let enough = Arc::default();
        let bidding = start_bidding(&server.url, &sale, &next, BIDS, &enough);
        let mut hammers = JoinSet::new();
        for (item, body) in items.iter().zip(&calls) {
            let (item, body, owner) = (item.clone(), body.clone(), sale.owner.clone());
            let url = url(&server.url, &sale, &item);
            hammers.spawn(async move {
                let answer = hammer(&owner, &url, &item, &body).await;
                answer
                    .ok()
                    .filter(|(status, _)| *status == 200)
                    .map(|(_, told)| (item, told["outcome"].clone()))
            });
        }
        let list = tokio::spawn(add_people(sale.owner.clone(), server.url.clone(), group.clone(), round));
        let table = tokio::spawn(import(sale.owner.clone(), server.url.clone(), fair.clone()));
        enough.notified().await;
        server.kill();
        told.extend(bidding.join_all().await.into_iter().flatten());
        let hammered: Vec<_> = hammers.join_all().await.into_iter().flatten().collect();
        let was_written =
            |answer: Result<Response, reqwest::Error>| answer.is_ok_and(|answer| answer.status() == 201);
        let (list, table) = (was_written(list.await.unwrap()), was_written(table.await.unwrap()));
        server = Process::start(&database_url, folder.path()).await;
        eprintln!("round {round}: {} hammers, list {list}, table {table}", hammered.len());

        check(&server.url, &sale, &told).await;
        for (item, body) in items.iter().zip(&calls) {
            let (status, again) =
                hammer(&sale.owner, &url(&server.url, &sale, item), item, body).await.unwrap();
            assert_eq!((status, &again["outcome"]["number"]), (200, &json!(1)), "{again}");
            let answered = hammered.iter().find(|(hammered, _)| hammered == item);
            assert!(answered.is_none_or(|(_, outcome)| *outcome == again["outcome"]), "{again}");
        }
        let lots = lots(&sale.owner, &server.url, &fair).await;
        assert!(lots == LOTS || (lots == 0 && !table), "{lots} lots");
        let again = import(sale.owner.clone(), server.url.clone(), fair.clone()).await.unwrap();
        assert_eq!((again.status().as_u16(), is_replayed(&again)), (201, lots == LOTS));
        let before = people(&sale.owner, &server.url, &group).await;
        let again = add_people(sale.owner.clone(), server.url.clone(), group.clone(), round).await.unwrap();
        assert_eq!(again.status(), 201);
        assert!(is_replayed(&again) || !list, "an answered list is written again");
        let added = if is_replayed(&again) { 0 } else { PEOPLE };
        let after = people(&sale.owner, &server.url, &group).await;
        assert_eq!(after, before + added);
        assert_eq!(after, 1 + PEOPLE * usize::try_from(round + 1).unwrap(), "each list once, as a whole");
    }
}

fn is_replayed(answer: &Response) -> bool {
    answer.headers().contains_key("idempotent-replayed")
}

async fn add_people(
    keeper: Client,
    url: String,
    group: String,
    round: u64,
) -> Result<Response, reqwest::Error> {
    let people: Vec<Value> = (0..PEOPLE).map(|n| json!({"name": format!("Person {round} {n}")})).collect();
    let request = keeper.post(format!("{url}/api/groups/{group}/people"));
    request.header("idempotency-key", format!("list-{round}")).json(&json!({"people": people})).send().await
}

async fn people(keeper: &Client, url: &str, group: &str) -> usize {
    let found = get(keeper, format!("{url}/api/groups/{group}")).await;
    usize::try_from(found["peopleCount"].as_u64().unwrap()).unwrap()
}

async fn import(owner: Client, url: String, auction: String) -> Result<Response, reqwest::Error> {
    let mut table = "lot,name,currency\n".to_owned();
    for lot in 1..=LOTS {
        writeln!(table, "{lot},Item {lot},EUR").unwrap();
    }
    let request = owner.post(format!("{url}/api/auctions/{auction}/items/import"));
    let request = request.header("content-type", "text/csv").header("idempotency-key", "table");
    request.body(table).send().await
}

/// The number of lots of an auction.
async fn lots(owner: &Client, url: &str, auction: &str) -> usize {
    let exported = get(owner, format!("{url}/api/auctions/{auction}/export?format=json")).await;
    exported["items"].as_array().unwrap().len()
}

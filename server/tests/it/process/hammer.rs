//! `kill -9` while a clerk hammers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::Process;
use super::crash::{Sale, add_item, get, ledger, open_sale};
use crate::dice::Dice;
use crate::harness::{database, times};

/// Items of one round.
const ITEMS: usize = 40;
/// The server dies within so many milliseconds.
const LATER: u64 = 150;

/// Outcomes by item, as they were answered.
type Answers = Arc<Mutex<BTreeMap<String, Value>>>;

/// A hammer that was answered is there after `kill -9`; one that is repeated with its key is executed once,
/// whether or not it was answered before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "the moments of a run that fails are found again by its seed")]
async fn answered_hammers_survive_kill_9_and_repeats_sell_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut server = Process::start(&database_url, folder.path()).await;
    let sale = open_sale(&server.url).await;
    let user = get(&sale.bidders[0], format!("{}/api/user", server.url)).await;
    let buyer = user["user"]["id"].clone();
    for round in 0..times(3, 30) {
        let seed = 0xA076_1D64_78BD_642F_u64.wrapping_mul(round + 1);
        eprintln!("seed {seed:#x}");
        let mut dice = Dice(seed);
        let mut items = Vec::new();
        for _ in 0..ITEMS {
            items.push(add_item(&server.url, &sale.owner, &sale.auction).await);
        }
        let answers = Answers::default();
        let mut tasks = JoinSet::new();
        for item in &items {
            let (url, answers) = (url(&server.url, &sale, item), Arc::clone(&answers));
            let (owner, item, body) = (sale.owner.clone(), item.clone(), call(&buyer, &mut dice));
            tasks.spawn(async move {
                if let Ok((200, hammered)) = hammer(&owner, &url, &item, &body).await {
                    answers.lock().unwrap().insert(item, hammered["outcome"].clone());
                }
            });
        }
        tokio::time::sleep(Duration::from_millis(dice.below(LATER))).await;
        server.kill();
        tasks.join_all().await;
        server = Process::start(&database_url, folder.path()).await;
        let answers = std::mem::take(&mut *answers.lock().unwrap());
        let mut dice = Dice(seed);
        for item in &items {
            let (url, body) = (url(&server.url, &sale, item), call(&buyer, &mut dice));
            let (status, hammered) = hammer(&sale.owner, &url, item, &body).await.unwrap();
            assert_eq!(status, 200, "{hammered}");
            let outcome = &hammered["outcome"];
            let is_sold = body["result"] == "SOLD";
            let result = if is_sold { "SOLD" } else { "UNSOLD" };
            assert_eq!((&outcome["result"], &outcome["number"]), (&json!(result), &json!(1)));
            assert!(answers.get(item).is_none_or(|told| told == outcome), "an answered hammer has changed");
            let bids = ledger(&sale.owner, &url).await;
            assert_eq!(bids.len(), usize::from(is_sold), "{bids:?}");
        }
    }
}

/// The item is sold, or passed.
pub fn call(buyer: &Value, dice: &mut Dice) -> Value {
    match dice.below(4) {
        0 => json!({"result": "PASSED"}),
        _ => json!({"result": "SOLD", "for": {"userId": buyer}, "amount": 1 + dice.below(100)}),
    }
}

/// The address of an item.
pub fn url(server: &str, sale: &Sale, item: &str) -> String {
    format!("{server}/api/auctions/{}/items/{item}", sale.auction)
}

/// Hammers an item with an idempotency key. Fails once the server is gone.
pub async fn hammer(
    client: &Client,
    item: &str,
    key: &str,
    body: &Value,
) -> Result<(u16, Value), reqwest::Error> {
    let request = client.post(format!("{item}/hammer")).header("idempotency-key", key).json(body);
    let answer = request.send().await?;
    Ok((answer.status().as_u16(), answer.json().await?))
}

//! Items imported from a table, and `kill -9` in the middle of it.

use std::fmt::Write;
use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::{Value, json};

use super::Process;
use super::crash::{get, post, register};
use crate::dice::Dice;
use crate::harness::{database, times};

/// Rows of the table, as many as it may have.
const ROWS: usize = 5_000;
/// A round kills the server before this time has passed since the request.
const KILL_WITHIN_MILLIS: u64 = 1_200;

/// All rows or none, whenever the server is killed, and the repeated request writes each row once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a round that fails is found again by its delay")]
async fn an_import_that_is_killed_has_written_all_items_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut server = Process::start(&database_url, folder.path()).await;
    let owner = register(&server.url, "owner").await;
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for round in 0..times(4, 40) {
        let auction = post(&owner, format!("{}/api/auctions", server.url), json!({"name": "Fair"})).await;
        let auction = auction["id"].as_str().unwrap().to_owned();
        let delay = Duration::from_millis(dice.below(KILL_WITHIN_MILLIS));
        let request = tokio::spawn(import(owner.clone(), server.url.clone(), auction.clone()));
        tokio::time::sleep(delay).await;
        server.kill();
        let answered = request.await.unwrap().is_ok_and(|response| response.status() == 201);
        server = Process::start(&database_url, folder.path()).await;
        let count = items(&owner, &server.url, &auction).await;
        eprintln!("round {round}, killed after {delay:?}, answered {answered}: {count} items");
        assert!(count == ROWS || (count == 0 && !answered), "round {round}, killed after {delay:?}");

        let again = import(owner.clone(), server.url.clone(), auction.clone()).await.unwrap();
        assert_eq!(again.status(), 201, "round {round}");
        assert_eq!(again.headers().contains_key("idempotent-replayed"), count == ROWS, "round {round}");
        let written: Value = again.json().await.unwrap();
        assert_eq!(written["created"], json!(ROWS), "round {round}");
        assert_eq!(items(&owner, &server.url, &auction).await, ROWS, "round {round}");
    }
}

/// Posts the table, with the same key each time.
async fn import(owner: Client, url: String, auction: String) -> Result<Response, reqwest::Error> {
    let mut table = "lot,name,currency\n".to_owned();
    for lot in 1..=ROWS {
        writeln!(table, "{lot},Item {lot},EUR").unwrap();
    }
    let request = owner.post(format!("{url}/api/auctions/{auction}/items/import"));
    let request = request.header("content-type", "text/csv").header("idempotency-key", "table");
    request.body(table).send().await
}

/// The number of items of the auction.
async fn items(owner: &Client, url: &str, auction: &str) -> usize {
    let exported = get(owner, format!("{url}/api/auctions/{auction}/export?format=json")).await;
    exported["items"].as_array().unwrap().len()
}

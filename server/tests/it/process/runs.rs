//! Runs of a book with many holders and their reversals, and `kill -9` in the middle of them.

use std::sync::Arc;
use std::time::Duration;

use installation::config::Settings;
use platform::db::Database;
use platform::time::SystemClock;
use reqwest::{Client, Response};
use serde_json::{Value, json};
use server::demo::fixtures::Fixtures;
use server::state::AppState;

use super::Process;
use super::crash::{get, post, register};
use crate::dice::Dice;
use crate::harness::{database, times};

/// Holders besides the owner.
const HOLDERS: usize = 3_000;
/// A round kills the server before this time has passed since the request.
const KILL_WITHIN_MILLIS: u64 = 250;

/// All entries or none, whenever the server is killed; what is repeated with its key is done once, and what
/// is reversed brings every balance back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a round that fails is found again by its delay")]
async fn a_run_that_is_killed_has_written_all_entries_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut server = Process::start(&database_url, folder.path()).await;
    let owner = register(&server.url, "owner").await;
    let terms =
        json!({"name": "Guild", "baseUnit": {"name": "Point", "symbol": ""}, "startingBalance": "100"});
    let made = post(&owner, format!("{}/api/books", server.url), terms).await;
    let book = format!("/api/books/{}", made["id"].as_str().unwrap());
    server.kill();
    add_holders(&database_url, made["id"].as_str().unwrap()).await;
    server = Process::start(&database_url, folder.path()).await;
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut entries = HOLDERS;
    for round in 0..times(4, 40) {
        let delay = Duration::from_millis(dice.below(KILL_WITHIN_MILLIS));
        let request = tokio::spawn(decay(owner.clone(), format!("{}{book}", server.url), round));
        let answered = killed(&mut server, delay, request, 201).await;
        server = Process::start(&database_url, folder.path()).await;
        let url = format!("{}{book}", server.url);
        let (count, sum) = written(&owner, &url).await;
        eprintln!("round {round}, run killed after {delay:?}, answered {answered}: {count} entries");
        let is_written = count == entries + HOLDERS;
        assert!(is_written || (count == entries && !answered), "{count} of {entries}");
        assert_eq!(sum, if is_written { 90 } else { 100 } * HOLDERS);
        let again = decay(owner.clone(), url.clone(), round).await.unwrap();
        assert_eq!(again.status(), 201);
        assert_eq!(again.headers().contains_key("idempotent-replayed"), is_written);
        let run: Value = again.json().await.unwrap();
        assert_eq!(run["rows"].as_array().unwrap().len(), HOLDERS);
        entries += HOLDERS;
        assert_eq!(written(&owner, &url).await, (entries, 90 * HOLDERS));

        let delay = Duration::from_millis(dice.below(KILL_WITHIN_MILLIS));
        let run_url = format!("{url}/runs/{}", run["number"]);
        let request = tokio::spawn(reverse(owner.clone(), run_url));
        let answered = killed(&mut server, delay, request, 200).await;
        server = Process::start(&database_url, folder.path()).await;
        let url = format!("{}{book}", server.url);
        let (count, _) = written(&owner, &url).await;
        eprintln!("round {round}, reversal killed after {delay:?}, answered {answered}: {count} entries");
        let is_written = count == entries + HOLDERS;
        assert!(is_written || (count == entries && !answered), "{count} of {entries}");
        let run_url = format!("{url}/runs/{}", run["number"]);
        assert_eq!(get(&owner, run_url.clone()).await["reversed"].is_null(), !is_written);
        let again = reverse(owner.clone(), run_url).await.unwrap();
        assert_eq!(again.status(), if is_written { 409 } else { 200 });
        entries += HOLDERS;
        assert_eq!(written(&owner, &url).await, (entries, 100 * HOLDERS));
    }
}

/// Kills the server some time after the request was sent. Returns whether it was answered with the status.
async fn killed(
    server: &mut Process,
    delay: Duration,
    request: tokio::task::JoinHandle<Result<Response, reqwest::Error>>,
    status: u16,
) -> bool {
    tokio::time::sleep(delay).await;
    server.kill();
    request.await.unwrap().is_ok_and(|response| response.status() == status)
}

/// Makes new users holders, while no server has the database.
async fn add_holders(database_url: &str, book: &str) {
    let db = Database::open(database_url).await.unwrap();
    let settings = Settings { database_url: database_url.to_owned(), ..Settings::default() };
    let state = AppState::new(db, Arc::new(SystemClock), settings).unwrap();
    let fixtures = Fixtures::new(state.context.clone());
    let people: Vec<_> =
        (0..HOLDERS).map(|n| (format!("Holder {n}"), format!("holder{n}@example.org"))).collect();
    let people = people.iter().map(|(name, email)| (name.as_str(), email.as_str()));
    // Not a hash, so that no password matches.
    let users = fixtures.add_users(people, "none").await.unwrap();
    fixtures.add_holders(book.parse().unwrap(), users).await.unwrap();
}

async fn decay(owner: Client, book: String, round: u64) -> Result<Response, reqwest::Error> {
    let params = json!({"percent": 10, "digits": 0, "to": "ALL"});
    let body = json!({"kind": "DECAY", "params": params, "reason": "Sunday"});
    let request = owner.post(format!("{book}/runs")).header("idempotency-key", format!("decay-{round}"));
    request.json(&body).send().await
}

async fn reverse(owner: Client, run: String) -> Result<Response, reqwest::Error> {
    owner.post(format!("{run}/reverse")).json(&json!({"reason": "Undone"})).send().await
}

/// How many entries the book has, and the sum of their amounts, which the numbers in order prove whole.
async fn written(owner: &Client, book: &str) -> (usize, usize) {
    let exported = get(owner, format!("{book}/export?format=json")).await;
    let entries = exported["entries"].as_array().unwrap();
    let mut sum = 0_i64;
    for (at, entry) in (1..).zip(entries) {
        assert_eq!(entry["sequence"], at);
        sum += entry["amount"].as_str().unwrap().parse::<i64>().unwrap();
    }
    (entries.len(), usize::try_from(sum).unwrap())
}

//! `farthing copy`: from SQLite to PostgreSQL and back.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::books::open;
use super::crash::{Answer, Sale, bid, get, post};
use super::{Process, command, sqlite};
use crate::harness::database::{fresh_postgres, number_elsewhere, write_elsewhere};
use crate::harness::http;

/// Runs the command in `folder` and waits for its end.
async fn copy(folder: &Path, from: &str, to: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
    command.args(["copy", "--to", to, "--database-url", from]).current_dir(folder).stdin(Stdio::null());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// What a refused command says at the end, on a line of its own.
#[track_caller]
fn refusal(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said.lines().last().unwrap().to_owned()
}

async fn stop(mut server: Process) {
    server.signal("TERM");
    assert!(server.ends_within(Duration::from_secs(12)).await.success());
}

/// Every bid, outcome, balance and entry of the sale.
async fn ledgers(url: &str, sale: &Sale, book: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for path in [
        format!("auctions/{}/export?format=json", sale.auction),
        format!("books/{book}/export?format=json"),
        format!("books/{book}/holders"),
    ] {
        found.push(get(&sale.owner, format!("{url}/api/{path}")).await);
    }
    found
}

/// Users sign in, sessions stay, ledgers and books are the same, and the next bid is accepted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_comes_to_postgres_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let (first, last) =
        (sqlite(folder.path()), format!("sqlite://{}", folder.path().join("back.db").display()));
    let postgres = fresh_postgres(folder.path()).await;
    let server = Process::start(&first, folder.path()).await;
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let (sale, book) = open(&server.url).await;
    let mut amount = 0;
    let mut bid_thrice = async |url: &str| {
        for bidder in 0..3 {
            amount += 5;
            assert!(matches!(bid(&sale, url, bidder, 0, amount).await, Ok(Answer::Accepted(_))));
        }
    };
    bid_thrice(&server.url).await;
    let closing = format!("{}/api/auctions/{}/items/{}/close", server.url, sale.auction, sale.items[1]);
    post(&sale.owner, closing, json!({})).await;

    let refused = refusal(&copy(folder.path(), &first, &postgres).await);
    assert!(refused.contains("a server uses this database: stop it first"), "{refused}");
    let mut running = server;
    for (from, to) in [(&first, &postgres), (&postgres, &last)] {
        let before = ledgers(&running.url, &sale, &book).await;
        assert!(before[0]["bids"].as_array().unwrap().len() >= 3, "{}", before[0]);
        stop(running).await;
        let output = copy(folder.path(), from, to).await;
        let said = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(said.starts_with("Copied and compared ") && said.contains("data/images"), "{said}");
        let progress = String::from_utf8(output.stderr).unwrap();
        assert!(progress.contains("bids: ") && progress.contains("users: 9 of 9 rows\n"), "{progress}");
        running = Process::run(command(to, folder.path(), &address)).await;
        // The port is the same, so that the cookies of all users are still theirs.
        assert_eq!(ledgers(&running.url, &sale, &book).await, before);
        let anew = http().cookie_store(true).build().unwrap();
        let person = json!({"email": "bidder0@example.org", "password": "correct horse"});
        post(&anew, format!("{}/api/auth/login", running.url), person).await;
        bid_thrice(&running.url).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_that_is_served_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let (postgres, file) = (fresh_postgres(folder.path()).await, sqlite(folder.path()));
    let elsewhere = tempfile::tempdir().unwrap();
    let _server = Process::start(&postgres, elsewhere.path()).await;
    let seen = async || number_elsewhere(&postgres, "SELECT count(*) FROM servers").await == 1;
    while !seen().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let refused = refusal(&copy(folder.path(), &postgres, &file).await);
    assert!(refused.contains("uses this database: stop it first"), "{refused}");
    let itself = refusal(&copy(folder.path(), &postgres, &postgres).await);
    assert!(itself.contains("is the database that is to be copied"), "{itself}");
}

/// A failure after many rows, and rows that are there already.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_rows_are_copied_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) =
        (sqlite(folder.path()), format!("sqlite://{}", folder.path().join("b.db").display()));
    let postgres = fresh_postgres(folder.path()).await;
    let server = Process::start(&first, folder.path()).await;
    let (sale, _) = open(&server.url).await;
    assert!(matches!(bid(&sale, &server.url, 0, 0, 5).await, Ok(Answer::Accepted(_))));
    stop(server).await;
    let migrate = |to: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
        command.args(["migrate", "--database-url", to]).current_dir(folder.path()).status().unwrap()
    };
    assert!(migrate(&second).success() && migrate(&postgres).success());
    write_elsewhere(
        &second,
        "CREATE TRIGGER broken BEFORE INSERT ON bids BEGIN SELECT RAISE(ABORT, 'no room'); END",
    )
    .await;
    for statement in [
        "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no room''; END'",
        "CREATE TRIGGER broken BEFORE INSERT ON bids FOR EACH ROW EXECUTE FUNCTION broken()",
    ] {
        write_elsewhere(&postgres, statement).await;
    }
    for to in [&second, &postgres] {
        let failed = refusal(&copy(folder.path(), &first, to).await);
        assert!(failed.contains("no room"), "{failed}");
        for count in ["SELECT count(*) FROM users", "SELECT count(*) FROM book_entries"] {
            assert_eq!(number_elsewhere(to, count).await, 0, "{count}");
        }
    }
    write_elsewhere(&postgres, "DROP TRIGGER broken ON bids").await;
    write_elsewhere(&postgres, "INSERT INTO servers (id, host, version, seen_at) VALUES ('a', 'b', 'c', 1)")
        .await;
    let refused = refusal(&copy(folder.path(), &first, &postgres).await);
    assert!(refused.contains("the target is not empty: its table servers has rows"), "{refused}");
    write_elsewhere(&postgres, "DELETE FROM servers").await;
    assert!(copy(folder.path(), &first, &postgres).await.status.success());
}

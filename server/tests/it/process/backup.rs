//! `farthing backup` and `farthing restore`, with and without a running server.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::crash::{Answer, bid, check, get, open_sale, start_bidding};
use super::{Process, sqlite};
use crate::harness::http;

/// Runs the command in `folder` on the database of [`sqlite`] and waits for its end.
async fn farthing(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
    command.args(args).args(["--database-url", &sqlite(folder)]).current_dir(folder).stdin(Stdio::null());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

async fn back_up(folder: &Path) -> PathBuf {
    let output = farthing(folder, &["backup"]).await;
    assert!(output.status.success(), "{output:?}");
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

/// The error of a refused command, in one line.
#[track_caller]
fn complaint(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    said
}

/// A folder with the database of a killed server, and a backup from before the last bid.
async fn killed() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(&sqlite(folder.path()), folder.path()).await;
    let sale = open_sale(&server.url).await;
    bid(&sale, &server.url, 0, 0, 7).await.unwrap();
    let copy = back_up(folder.path()).await;
    bid(&sale, &server.url, 1, 0, 9).await.unwrap();
    server.kill();
    (folder, copy)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_during_bids_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&sqlite(folder.path()), folder.path()).await;
    let sale = Arc::new(open_sale(&server.url).await);
    let (next, enough) = (Arc::new(AtomicU64::new(1)), Arc::default());
    let bidding = start_bidding(&server.url, &sale, &next, 50, &enough);
    enough.notified().await;
    let copies = [back_up(folder.path()).await, back_up(folder.path()).await];
    drop(server);
    let told: Vec<_> = bidding.join_all().await.into_iter().flatten().collect();
    assert!(told.len() > 50, "bids were accepted during the backup");

    assert_ne!(copies[0], copies[1]);
    for copy in copies {
        assert_eq!(copy.parent(), Some(folder.path().join("data/backups").as_path()));
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
        let elsewhere = tempfile::tempdir().unwrap();
        let output = farthing(elsewhere.path(), &["restore", copy.to_str().unwrap()]).await;
        assert!(output.status.success(), "{output:?}");
        let server = Process::start(&sqlite(elsewhere.path()), elsewhere.path()).await;
        // Complete and without a gap up to its last bid.
        check(&server.url, &sale, &[]).await;
    }
    assert_eq!(std::fs::read_dir(folder.path().join("data/backups")).unwrap().count(), 2, "and nothing else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_database_does_not_read_the_log_of_the_previous_one() {
    let (folder, copy) = killed().await;
    assert!(
        folder.path().join("farthing.db-wal").metadata().unwrap().len() > 0,
        "the killed server leaves a log"
    );
    let output = farthing(folder.path(), &["restore", copy.to_str().unwrap()]).await;
    assert!(output.status.success(), "{output:?}");
    for gone in ["farthing.db-wal", "farthing.db-shm", "farthing.db.partial"] {
        assert!(!folder.path().join(gone).exists(), "{gone}");
    }
    let bids_in = async |database: &str| {
        let database_url = format!("sqlite://{}", folder.path().join(database).display());
        let server = Process::start(&database_url, folder.path()).await;
        let client = http().cookie_store(true).build().unwrap();
        let body = serde_json::json!({"email": "owner@example.org", "password": "correct horse"});
        super::crash::post(&client, format!("{}/api/auth/login", server.url), body).await;
        let auctions = get(&client, format!("{}/api/auctions", server.url)).await;
        let auction = auctions["auctions"][0]["id"].as_str().unwrap().to_owned();
        let items = get(&client, format!("{}/api/auctions/{auction}/items", server.url)).await;
        let items = items["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["bidCount"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(bids_in("farthing.db").await, 1);
    let log = rusqlite::Connection::open(folder.path().join("farthing.db")).unwrap();
    let noted: String = log
        .query_one("SELECT group_concat(act) FROM audit_log WHERE act = 'RESTORED'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(noted, "RESTORED");
    assert_eq!(bids_in("farthing.db.replaced").await, 2, "the replaced database is kept with its bids");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_beside_a_running_server_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&sqlite(folder.path()), folder.path()).await;
    let sale = open_sale(&server.url).await;
    let copy = back_up(folder.path()).await;
    bid(&sale, &server.url, 0, 0, 7).await.unwrap();
    let output = farthing(folder.path(), &["restore", copy.to_str().unwrap()]).await;
    assert!(complaint(&output).contains("another farthing serves the database"));
    assert!(matches!(bid(&sale, &server.url, 1, 0, 8).await, Ok(Answer::Accepted(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_incomplete_backup_is_refused_and_changes_nothing() {
    let (folder, copy) = killed().await;
    let whole = std::fs::read(&copy).unwrap();
    let holes = {
        let mut bytes = whole.clone();
        // Every page except the first.
        bytes.chunks_mut(4096).skip(1).for_each(|page| page[..512].fill(0xAA));
        bytes
    };
    let path = folder.path().join("given.db");
    let foreign = folder.path().join("foreign.db");
    foreign_database(&foreign);
    let files =
        || ["farthing.db", "farthing.db-wal"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    let before = files();
    for (content, word) in [
        (holes, "given.db` "),
        (whole[..whole.len() / 2].to_vec(), "given.db` "),
        (b"no database at all".to_vec(), "given.db` as a database"),
        (std::fs::read(&foreign).unwrap(), "not a database of Farthing"),
    ] {
        std::fs::write(&path, &content).unwrap();
        let said = complaint(&farthing(folder.path(), &["restore", "given.db"]).await);
        assert!(said.contains(word), "{said}");
        assert!(files() == before, "{said}");
        assert!(!folder.path().join("farthing.db.partial").exists());
    }
    let said = complaint(&farthing(folder.path(), &["restore", "missing.db"]).await);
    assert!(said.contains("the database `missing.db` does not exist"), "{said}");
    let said = complaint(&farthing(folder.path(), &["restore", "farthing.db"]).await);
    assert!(said.contains("is the database itself"), "{said}");
    assert!(files() == before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_backup_reports_the_error_and_leaves_no_file() {
    let (folder, copy) = killed().await;
    std::fs::remove_dir_all(folder.path().join("data/backups")).unwrap();
    std::fs::write(folder.path().join("data/backups"), "").unwrap();
    let said = complaint(&farthing(folder.path(), &["backup"]).await);
    assert!(
        said.contains(&format!("can't make the folder `{}`", copy.parent().unwrap().display())),
        "{said}"
    );
    std::fs::write(folder.path().join("mine.db"), "mine").unwrap();
    let said = complaint(&farthing(folder.path(), &["backup", "mine.db"]).await);
    assert!(said.contains("mine.db` already exists"), "{said}");
    assert_eq!(std::fs::read(folder.path().join("mine.db")).unwrap(), b"mine");

    let mut limited = Command::new("sh");
    // Limits the size of files, in blocks. Without the trap the signal would end the process.
    limited.args([
        "-c",
        "trap '' XFSZ; ulimit -S -f 8; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_farthing"),
        "backup",
    ]);
    limited.args(["full.db", "--database-url", &sqlite(folder.path())]).current_dir(folder.path());
    let said = complaint(&limited.output().unwrap());
    assert!(said.contains("full.db"), "{said}");
    let left = std::fs::read_dir(folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("full.db"));
    assert_eq!(left.count(), 0);
}

/// A database of another program.
fn foreign_database(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
}

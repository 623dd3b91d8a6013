//! Backups by themselves: those of the schedule with what follows them, and those of PostgreSQL.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::crash::{Answer, bid, check, open_sale};
use super::{Process, command, sqlite};
use crate::harness::database::{fresh_postgres, number_elsewhere};

/// A program of the operator, which a hook runs.
fn script(path: &Path, lines: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
}

/// A time of the schedule that has passed today or yesterday, so that a backup is due at the start.
fn serve(url: &str, folder: &Path) -> Command {
    let mut serve = command(url, folder, "127.0.0.1:0");
    serve.args(["--backup-schedule", "daily 00:00"]);
    serve
}

/// The hook gets the path, runs without a shell, and its failure is in the log and on the page.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_follows_each_backup_of_the_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let hooks = r#"
        [[hooks]]
        after = "scheduled-backup"
        name = "upload"
        command = ["./upload.sh", "$HOME; not a shell"]
        [[hooks]]
        after = "scheduled-backup"
        name = "tell"
        command = ["./tell.sh"]
    "#;
    std::fs::write(folder.path().join("update.toml"), hooks).unwrap();
    script(&folder.path().join("upload.sh"), "echo \"$1\" > told; cp \"$FARTHING_BACKUP\" uploaded.db");
    script(&folder.path().join("tell.sh"), "echo the bucket is full; exit 3");
    let mut process = Process::run(serve(&sqlite(folder.path()), folder.path())).await;
    let line = process.says("what follows it failed").await;
    assert!(
        line.contains("ERROR") && line.contains("`tell`") && line.contains("the bucket is full"),
        "{line}"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("told")).unwrap(), "$HOME; not a shell\n");
    let verify = Command::new(env!("CARGO_BIN_EXE_farthing"))
        .args(["verify", "uploaded.db"])
        .current_dir(folder.path())
        .status();
    assert!(verify.unwrap().success());

    let ada = super::crash::register(&process.url, "ada").await;
    let claim = json!({"deploymentAdminEmail": "ada@example.org"});
    ada.patch(format!("{}/api/system/settings", process.url)).json(&claim).send().await.unwrap();
    let page =
        ada.get(format!("{}/admin?subject=backups", process.url)).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("The hook “tell” failed") && page.contains("the bucket is full"), "{page}");

    // The next backup succeeds with everything after it.
    script(&folder.path().join("tell.sh"), "exit 0");
    let failure = folder.path().join("data/backups/scheduled.failed");
    assert!(failure.exists());
    drop(process);
    for entry in std::fs::read_dir(folder.path().join("data/backups")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "db") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let mut process = Process::run(serve(&sqlite(folder.path()), folder.path())).await;
    process.says("ran the hook `tell`").await;
    for _ in 0..100 {
        if !failure.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the failure is forgotten after a success");
}

async fn farthing(folder: &Path, args: Vec<String>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// Whether this machine has `pg_dump` of the version of the database or a later one.
async fn can_dump(address: &str) -> bool {
    let needed =
        number_elsewhere(address, "SELECT CAST(current_setting('server_version_num') AS BIGINT)").await;
    let Ok(output) = Command::new("pg_dump").arg("--version").output() else { return false };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |word: &str| word.split('.').next().and_then(|major| major.parse::<i64>().ok());
    said.split_whitespace().find_map(number).is_some_and(|found| found >= needed / 10_000)
}

/// Dumps by command and schedule, restored by the command that Farthing prints.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "the reason for which the test is skipped")]
async fn postgres_is_backed_up_where_its_programs_are_installed() {
    let folder = tempfile::tempdir().unwrap();
    let address = fresh_postgres(folder.path()).await;
    if !can_dump(&address).await {
        eprintln!("skipped: no `pg_dump` for this PostgreSQL is installed");
        return;
    }
    let process = Process::run(serve(&address, folder.path())).await;
    let sale = open_sale(&process.url).await;
    let Answer::Accepted(told) = bid(&sale, &process.url, 0, 0, 7).await.unwrap() else {
        panic!("the bid is refused")
    };
    let words = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let made = farthing(folder.path(), words(&["backup", "--database-url", &address])).await;
    assert!(made.status.success(), "{made:?}");
    let made = PathBuf::from(String::from_utf8(made.stdout).unwrap().trim());
    let file = made.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(file.starts_with("kept_") && file.ends_with(".dump"), "{file}");
    assert_eq!(std::fs::metadata(&made).unwrap().permissions().mode() & 0o777, 0o600);
    let verified = farthing(folder.path(), words(&["verify", &format!("data/backups/{file}")])).await;
    assert!(verified.status.success(), "{verified:?}");
    let backups = || std::fs::read_dir(made.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let is_scheduled = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("scheduled_") && name.ends_with(".dump")
    };
    let mut waits = 0..200;
    while !backups().any(is_scheduled) {
        assert!(waits.next().is_some(), "a dump of the schedule");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(process);

    let refused = farthing(folder.path(), words(&["restore", made.to_str().unwrap()])).await;
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("pg_restore --no-owner --exit-on-error"), "{said}");
    // Into an empty database: its schema is gone.
    let schema: String = address.rsplit("%3D").next().unwrap().to_owned();
    let server = address.split('?').next().unwrap().to_owned();
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let gone = AssertSqlSafe(format!("DROP SCHEMA {schema} CASCADE"));
    sqlx::query(gone).execute(&mut connection).await.unwrap();
    let restored = Command::new("pg_restore")
        .args(["--no-owner", "--exit-on-error", "--single-transaction", "--dbname", &server])
        .arg(&made)
        .status();
    assert!(restored.unwrap().success());
    assert_eq!(number_elsewhere(&address, "SELECT count(*) FROM bids").await, 1);
    let process = Process::start(&address, folder.path()).await;
    check(&process.url, &sale, &[told]).await;
}

/// Without the programs Farthing says so, and nothing is left behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_pg_dump_the_backup_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_farthing"))
        .args(["backup", "--database-url", "postgres://ada:secret@db.example.org/x"])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`pg_dump` is not installed") && !said.contains("secret"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path().join("data/backups")).map_or(0, Iterator::count), 0);
}

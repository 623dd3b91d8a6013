//! Commands in a shell: on the installation of the running server, as the owner of its data.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::crash::{get, open_sale};
use super::site::{NEXT, STEPS, THIS, next_version};
use super::{Process, sqlite};
use crate::harness::Installation;

/// Runs the command in `folder` with nothing in its environment but `PATH`.
async fn farthing(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
    command.args(arguments).current_dir(folder).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// The error of a refused command, in one line.
#[track_caller]
fn complaint(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{output:?}");
    said
}

/// The beginning of the complaint of a command in `folder`.
fn no_database(folder: &Path) -> String {
    format!("there is no database `{}`", folder.join("data/farthing.db").display())
}

/// Every path below `folder` with its owner, sorted.
fn owners(folder: &Path) -> Vec<(PathBuf, u32)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let data = path.symlink_metadata().unwrap();
        if data.is_dir() {
            found.extend(owners(&path));
        }
        found.push((path, data.uid()));
    }
    found.sort();
    found
}

/// A service of systemd: the settings are in its environment, and its data is not in the checkout.
async fn service(installation: &Installation, folder: &Path) -> Process {
    service_with(installation, folder, "state").await
}

/// A server as in a systemd unit, with a data folder of this name.
async fn service_with(installation: &Installation, folder: &Path, data: &str) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
    command
        .args(["serve", "--rate-limits", "off"])
        .current_dir(folder)
        .env("FARTHING_LISTEN", "127.0.0.1:0")
        .env("DATABASE_URL", "sqlite://farthing.db")
        .env("FARTHING_DATA_DIR", data)
        .env("FARTHING_INSTALL_DIR", installation.path())
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    Process::run(command).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_in_the_checkout_works_on_the_running_server() {
    let (installation, folder) = (Installation::new(), tempfile::tempdir().unwrap());
    installation.release("v9.1.0");
    let mut server = service(&installation, folder.path()).await;
    let owner = open_sale(&server.url).await.owner;
    let checkout = installation.path();

    let done = farthing(&checkout, &["admin", "set", "owner@example.org"]).await;
    assert!(done.status.success(), "{done:?}");
    let settings = get(&owner, format!("{}/api/system/settings", server.url)).await;
    assert_eq!(settings["deploymentAdminEmail"], "owner@example.org");

    let done = farthing(&checkout, &["backup"]).await;
    let backup = PathBuf::from(String::from_utf8(done.stdout).unwrap().trim());
    assert_eq!(backup.parent(), Some(folder.path().join("state/backups").as_path()));
    let users: i64 = rusqlite::Connection::open(&backup)
        .unwrap()
        .query_one("SELECT count(*) FROM users", [], |row| row.get(0))
        .unwrap();
    assert!(users > 0, "the backup is of the server's database");

    let done = farthing(&checkout, &["update"]).await;
    assert!(done.status.success(), "{done:?}");
    let run: Value = get(&owner, format!("{}/api/system/update", server.url)).await;
    assert_eq!(run["status"], "SUCCEEDED", "the run is in the server's journal: {run:#}");
    assert_eq!(installation.current().as_deref(), Some("releases/v9.1.0"));

    let elsewhere = ["--database-url", "sqlite://data/farthing.db"];
    for command in ["backup", "update"] {
        let said = complaint(&farthing(&checkout, &[&[command], &elsewhere[..]].concat()).await);
        assert!(said.contains("`sqlite://data/farthing.db` is set here"), "{said}");
    }
    assert!(!checkout.join("data").exists(), "no other database is created");
    assert_eq!(installation.changed(), "?? update.toml\n");

    server.kill();
    let said = complaint(&farthing(&checkout, &["update"]).await);
    assert!(said.contains(&no_database(&checkout)), "{said}");
}

/// The path of a socket has at most 107 bytes, that of a folder 4,095.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn updates_and_rollbacks_reach_a_server_with_a_long_data_folder() {
    let (installation, folder) = (Installation::new(), tempfile::tempdir().unwrap());
    installation.release_of(&format!("v{NEXT}"), &next_version(folder.path()));
    installation.configure_all(&format!("{STEPS}[health]\nobserve_seconds = 1\n"));
    let data = format!("{0}/{0}", "a-long-name-of-a-folder-".repeat(8));
    let mut server = service_with(&installation, folder.path(), &data).await;
    let checkout = installation.path();
    let owner = open_sale(&server.url).await.owner;
    let claimed = farthing(&checkout, &["admin", "set", "owner@example.org"]).await;
    assert!(claimed.status.success(), "{claimed:?}");
    let release = format!("releases/v{NEXT}");
    for (command, words, version, current) in
        [("update", "updated to", NEXT, Some(release.as_str())), ("rollback", "returned to", THIS, None)]
    {
        let done = farthing(&checkout, &[command]).await;
        assert!(done.status.success(), "{done:?}");
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(said.ends_with(&format!("health: done\n{words} {version}\n")), "{said}");
        let served = get(&owner, format!("{}/api/version", server.url)).await;
        assert_eq!(served["currentVersion"], version);
        assert_eq!(installation.current().as_deref(), current);
    }
    let said = complaint(&farthing(&checkout, &["rollback"]).await);
    assert_eq!(said, "farthing: there is no previous release to return to\n");
    server.kill();
}

#[tokio::test]
async fn other_commands_create_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for command in [&["update"][..], &["backup"], &["admin", "show"], &["admin", "set", "a@b.c"]] {
        let said = complaint(&farthing(folder.path(), command).await);
        assert!(said.contains(&no_database(folder.path())), "{command:?}: {said}");
        assert_eq!(owners(folder.path()), [], "{command:?}");
    }
    let said = complaint(&farthing(folder.path(), &["restore", "copy.db"]).await);
    assert!(said.contains("the database `copy.db` does not exist"), "{said}");
    assert_eq!(owners(folder.path()), []);
}

/// The journal of the update is in the data folder, so an update with another one would not be seen by the
/// server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_beside_a_server_with_another_data_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let _server = Process::start(&sqlite(folder.path()), folder.path()).await;
    let shell = tempfile::tempdir().unwrap();
    let update = ["update", "--database-url", &sqlite(folder.path())];
    let said = complaint(&farthing(shell.path(), &update).await);
    assert!(said.contains("--data-dir"), "{said}");
    assert_eq!(owners(shell.path()), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "the reason for which the test is skipped")]
async fn a_command_of_another_user_is_refused_and_leaves_no_file() {
    const OWNER: u32 = 4242;
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can give a folder to another user");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let migrated = farthing(folder.path(), &["migrate"]).await;
    assert!(migrated.status.success(), "{migrated:?}");
    for (path, _) in owners(folder.path()) {
        std::os::unix::fs::chown(path, Some(OWNER), Some(OWNER)).unwrap();
    }
    std::fs::write(folder.path().join("copy.db"), "").unwrap();
    let before = owners(folder.path());
    for command in [&["update"][..], &["backup"], &["restore", "copy.db"], &["admin", "show"], &["migrate"]] {
        let said = complaint(&farthing(folder.path(), command).await);
        let words = format!("run `sudo -u '#{OWNER}' {}", env!("CARGO_BIN_EXE_farthing"));
        assert!(said.contains(&words) && said.contains(&command.join(" ")), "{command:?}: {said}");
        assert_eq!(owners(folder.path()), before, "{command:?}");
    }
    // Another folder of data is another installation.
    let other = ["migrate", "--data-dir", "other", "--database-url", "sqlite://other.db"];
    assert!(farthing(folder.path(), &other).await.status.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_files_of_a_server_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&sqlite(folder.path()), folder.path()).await;
    let sale = open_sale(&server.url).await;
    let body = json!({"deploymentAdminEmail": "owner@example.org"});
    let settings = format!("{}/api/system/settings", server.url);
    assert_eq!(sale.owner.patch(settings).json(&body).send().await.unwrap().status(), 200);
    assert!(
        farthing(folder.path(), &["backup", "--database-url", &sqlite(folder.path())]).await.status.success()
    );
    let found = owners(folder.path());
    assert!(found.len() > 6, "{found:?}");
    for (path, _) in found {
        let mode = path.metadata().unwrap().mode() & 0o777;
        assert!(mode & 0o077 == 0, "{mode:o} {}", path.display());
    }
}

#[tokio::test]
async fn the_health_of_the_running_server_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        complaint(&farthing(folder.path(), &["health"]).await).contains("no server with the data folder")
    );
    let mut process = Process::start(&sqlite(folder.path()), folder.path()).await;
    let healthy = farthing(folder.path(), &["health"]).await;
    assert_eq!((healthy.status.code(), healthy.stdout.as_slice()), (Some(0), &b"ok\n"[..]), "{healthy:?}");
    let server = process.server();
    super::family::signal(server, "STOP");
    assert!(complaint(&farthing(folder.path(), &["health"]).await).contains("did not answer as"));
    super::family::signal(server, "KILL");
    process.kill();
}

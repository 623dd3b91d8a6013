//! Restoring a backup on the page of the Deployment Admin.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use reqwest::{Client, Response};
use serde_json::json;

use super::crash::{Answer, Sale, bid, check, open_sale, start_bidding};
use super::{Process, sqlite};
use crate::harness::http;

/// A running server with a sale whose owner is the Deployment Admin.
async fn administered(folder: &Path) -> (Process, Arc<Sale>) {
    let process = Process::start(&sqlite(folder), folder).await;
    let sale = Arc::new(open_sale(&process.url).await);
    let claim = json!({"deploymentAdminEmail": "owner@example.org"});
    let settings = format!("{}/api/system/settings", process.url);
    assert_eq!(sale.owner.patch(settings).json(&claim).send().await.unwrap().status(), 200);
    (process, sale)
}

/// Posts a form and returns the page that it redirects to.
async fn form(process: &Process, who: &Client, path: &str, backup: &str) -> Response {
    let request = who.post(format!("{}{path}", process.url));
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    request
        .body(
            serde_urlencoded::to_string([("backup", backup), ("restorePassword", "correct horse")]).unwrap(),
        )
        .send()
        .await
        .unwrap()
}

/// A screen of the administration.
async fn subject(process: &Process, sale: &Sale, subject: &str) -> String {
    let address = format!("{}/admin?subject={subject}", process.url);
    sale.owner.get(address).send().await.unwrap().text().await.unwrap()
}

/// The backups, oldest first.
fn backups(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("data/backups")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn texts(database: &Path, sql: &str) -> HashSet<String> {
    let connection = rusqlite::Connection::open(database).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// No connection is refused, and each accepted bid is in the database or in the backup of the replaced
/// database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_restored_during_bids_and_no_bid_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (mut process, sale) = administered(folder.path()).await;
    let kept = bid(&sale, &process.url, 0, 0, 1).await.unwrap();
    let made = form(&process, &sale.owner, "/admin/backup", "").await;
    assert_eq!((made.status().as_u16(), made.url().query()), (200, Some("subject=backups&done=backed-up")));
    let chosen = backups(folder.path()).remove(0);

    let (next, enough) = (Arc::new(AtomicU64::new(10)), Arc::default());
    let mut bidding = start_bidding(&process.url, &sale, &next, 50, &enough);
    enough.notified().await;
    form(&process, &sale.owner, "/admin/restore", name(&chosen)).await;
    let page = subject(&process, &sale, "log").await;
    assert!(page.contains("restored the backup"), "the next server answers: {page}");
    assert!(bidding.try_join_next().is_none(), "a bid was interrupted");
    process.kill();
    let told: Vec<_> = bidding.join_all().await.into_iter().flatten().collect();

    let after = backups(folder.path());
    assert_eq!((after.len(), &after[0]), (2, &chosen));
    let ids = "SELECT lower(hex(id)) FROM bids";
    let now = texts(&folder.path().join("farthing.db"), ids);
    let before = texts(&after[1], ids);
    let is_kept = |id: String| now.contains(&id) || before.contains(&id);
    assert!(told.iter().all(|bid| is_kept(bid.id().replace('-', ""))));
    assert!(
        before.len() >= 51 && before.difference(&now).count() >= 50,
        "only the backup has the newer bids"
    );

    let process = Process::start(&sqlite(folder.path()), folder.path()).await;
    let Answer::Accepted(kept) = kept else { panic!("{kept:?}") };
    check(&process.url, &sale, &[kept]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_restore_reports_the_reason_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (process, sale) = administered(folder.path()).await;
    form(&process, &sale.owner, "/admin/backup", "").await;
    let chosen = backups(folder.path()).remove(0);
    let whole = std::fs::read(&chosen).unwrap();
    std::fs::write(&chosen, &whole[..whole.len() / 2]).unwrap();
    let Answer::Accepted(told) = bid(&sale, &process.url, 0, 0, 1).await.unwrap() else {
        panic!("the bid is refused")
    };
    let server = process.server();

    for (backup, words) in [
        (name(&chosen), "is invalid: can't read"),
        ("../farthing.db", "no longer there"),
        ("", "Choose a backup of the list."),
    ] {
        let refused = form(&process, &sale.owner, "/admin/restore", backup).await;
        assert_eq!(refused.status(), 422);
        let page = refused.text().await.unwrap();
        assert!(page.contains(words), "{page}");
    }
    let anybody = http().build().unwrap();
    for path in ["/admin/backup", "/admin/backup/download", "/admin/restore"] {
        assert_eq!(form(&process, &sale.bidders[0], path, name(&chosen)).await.status(), 403);
        assert_eq!(form(&process, &anybody, path, name(&chosen)).await.status(), 401);
    }
    assert_eq!(
        (process.server(), backups(folder.path()).len()),
        (server, 1),
        "no restart and no further backup"
    );
    check(&process.url, &sale, &[told]).await;
}

/// What was downloaded and unpacked is a backup: its sale goes on elsewhere. An open browser alone gets
/// nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_downloaded_backup_is_restored_on_another_machine() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (process, sale) = administered(folder.path()).await;
    let Answer::Accepted(told) = bid(&sale, &process.url, 0, 0, 1).await.unwrap() else {
        panic!("the bid is refused")
    };
    form(&process, &sale.owner, "/admin/backup", "").await;
    let name = name(&backups(folder.path()).remove(0)).to_owned();
    let ask = async |password: &str, name: &str| {
        let request = sale.owner.post(format!("{}/admin/backup/download", process.url));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let fields = [("downloaded", name), ("downloadPassword", password)];
        request.body(serde_urlencoded::to_string(fields).unwrap()).send().await.unwrap()
    };
    for (password, name, status, words) in [
        ("", name.as_str(), 422, "Enter your password."),
        ("wrong horse", &name, 403, "password"),
        ("correct horse", "../farthing.db", 422, "no longer there"),
    ] {
        let refused = ask(password, name).await;
        assert_eq!(refused.status(), status);
        let page = refused.text().await.unwrap();
        assert!(page.contains(words), "{page}");
    }
    let sent = ask("correct horse", &name).await;
    assert_eq!(sent.status(), 200);
    assert_eq!(
        sent.headers()["content-disposition"],
        format!("attachment; filename=\"{name}.tar\"").as_str()
    );
    assert_eq!(sent.headers()["cache-control"], "no-store");
    let archive = sent.bytes().await.unwrap();
    let page = subject(&process, &sale, "log").await;
    assert!(page.contains(&format!("downloaded the backup {name}")), "{page}");
    let page = subject(&process, &sale, "backups").await;
    assert!(page.contains("The last backup was made just now."), "{page}");
    drop(process);

    tar::Archive::new(&archive[..]).unpack(elsewhere.path()).unwrap();
    let mut restore = std::process::Command::new(env!("CARGO_BIN_EXE_farthing"));
    restore
        .args(["restore", &name, "--database-url", &sqlite(elsewhere.path())])
        .current_dir(elsewhere.path());
    assert!(restore.status().unwrap().success());
    let process = Process::start(&sqlite(elsewhere.path()), elsewhere.path()).await;
    check(&process.url, &sale, &[told]).await;
}

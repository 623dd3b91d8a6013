use std::process::{Command, Stdio};

use serde_json::json;

use super::crash::{Answer, Sale, bid, get, open_sale};
use super::{Process, command, sqlite};

/// While the disk is full, bids are refused with a problem, reads continue, and nothing is lost. With free
/// space, the server accepts bids again without a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_nothing_and_needs_no_restart() {
    let folder = tempfile::tempdir().unwrap();
    let serve = command(&sqlite(folder.path()), folder.path(), "127.0.0.1:0");
    let mut limited = Command::new("sh");
    // Limits the size of files, in blocks. Without the trap the signal would end the process.
    limited.args(["-c", "trap '' XFSZ; ulimit -S -f 6000; exec \"$0\" \"$@\""]);
    limited.arg(serve.get_program()).args(serve.get_args());
    limited.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let server = Process::run(limited).await;
    let sale: Sale = open_sale(&server.url).await;

    let mut told = Vec::new();
    let refused = loop {
        let amount = told.len() as u64 + 1;
        assert!(amount < 5000, "the disk was not full in time");
        let url = format!("{}/api/auctions/{}/items/{}/bids", server.url, sale.auction, sale.items[0]);
        let answer = sale.bidders[0].post(url).json(&json!({"amount": amount})).send().await.unwrap();
        match answer.status().as_u16() {
            201 => told.push(amount),
            _ => break answer,
        }
    };
    assert_eq!(refused.status(), 507);
    assert!(refused.headers().contains_key("retry-after"));
    let problem: serde_json::Value = refused.json().await.unwrap();
    assert_eq!(problem["code"], "STORAGE_FULL");
    let item_url = format!("{}/api/auctions/{}/items/{}", server.url, sale.auction, sale.items[0]);
    assert_eq!(get(&sale.owner, item_url.clone()).await["bidCount"], told.len(), "reads continue");

    let pid = server.server().to_string();
    let lifted = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status().unwrap();
    assert!(lifted.success());
    let next = told.len() as u64 + 1;
    let answer = bid(&sale, &server.url, 0, 0, next).await.unwrap();
    assert!(matches!(answer, Answer::Accepted(_)), "bids are accepted again: {answer:?}");
    assert_eq!(get(&sale.owner, item_url).await["bidCount"], told.len() + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_on_a_full_disk_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let serve = command(&sqlite(folder.path()), folder.path(), "127.0.0.1:0");
    let mut trapped = Command::new("sh");
    trapped.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(serve.get_program()).args(serve.get_args());
    trapped.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let server = Process::run(trapped).await;
    let sale = open_sale(&server.url).await;
    let claim = json!({"deploymentAdminEmail": "owner@example.org"});
    let settings = format!("{}/api/system/settings", server.url);
    assert_eq!(sale.owner.patch(settings).json(&claim).send().await.unwrap().status(), 200);

    let pid = server.server().to_string();
    let limit = |bytes: &str| {
        let limited =
            Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:unlimited")]).status();
        assert!(limited.unwrap().success());
    };
    let back_up = async || {
        let request = sale.owner.post(format!("{}/admin/backup", server.url));
        request.header("content-type", "application/x-www-form-urlencoded").body("").send().await.unwrap()
    };
    limit("100000");
    let refused = back_up().await;
    assert_eq!(refused.status(), 507);
    assert!(refused.text().await.unwrap().contains("disk is full"));
    assert_eq!(std::fs::read_dir(folder.path().join("data/backups")).unwrap().count(), 0);
    limit("unlimited");
    assert_eq!(back_up().await.status(), 200);
}

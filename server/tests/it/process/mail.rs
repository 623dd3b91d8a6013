//! Mails that servers send as processes: signed in, over TLS, together on one database, and across `kill -9`.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::json;

use super::crash::{post, register};
use super::{Process, command};
use crate::harness::{Mail, Smtp, SmtpServer, certificate, database};

/// How long the outbox may take to be emptied.
const OUTBOX_TIMEOUT: Duration = Duration::from_secs(30);

/// The command of a server that sends mail through the SMTP server at this URL.
fn sends_through(smtp_url: &str, database_url: &str, folder: &Path) -> Command {
    let mut command = command(database_url, folder, "127.0.0.1:0");
    command
        .args(["--mail-from", "Auctions <auctions@example.org>", "--public-url", "http://bids.example.org"])
        .env("FARTHING_SMTP_URL", smtp_url);
    command
}

/// The owner of an auction, who invites people by mail.
struct Host {
    client: Client,
    auction: String,
}

impl Host {
    /// The owner registers before the installation sends mail, so that no other mail is in the outbox.
    async fn open(database_url: &str, folder: &Path) -> Self {
        let mut process = Process::start(database_url, folder).await;
        let url = &process.url;
        let client = register(url, "owner").await;
        let auction = post(&client, format!("{url}/api/auctions"), json!({"name": "School fair"})).await;
        process.kill();
        Self { client, auction: auction["id"].as_str().unwrap().to_owned() }
    }

    /// Invites people by numbers.
    async fn invite(&self, url: &str, numbers: impl Iterator<Item = u32>) {
        for number in numbers {
            let body = json!({"email": address(number), "role": "BIDDER"});
            post(&self.client, format!("{url}/api/auctions/{}/invites", self.auction), body).await;
        }
    }
}

fn address(number: u32) -> String {
    format!("guest{number}@example.org")
}

/// Ends all claims and waits between attempts, as time does.
async fn make_all_due(database_url: &str) {
    database::write_elsewhere(database_url, "UPDATE mails SET due_at = created_at").await;
}

/// Waits until no mail is left to be sent.
async fn is_sent(database_url: &str) {
    let asked = Instant::now();
    while database::number_elsewhere(database_url, "SELECT COUNT(*) FROM mails").await > 0 {
        assert!(asked.elapsed() < OUTBOX_TIMEOUT, "mails are left in the outbox");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How often each address has got a mail. All mails to one address are the same.
fn arrived(mails: &[Mail]) -> HashMap<&str, usize> {
    let (mut arrived, mut ids) = (HashMap::new(), HashMap::new());
    for mail in mails {
        *arrived.entry(mail.to.as_str()).or_default() += 1;
        let id = &mail.headers["message-id"];
        assert_eq!(*ids.entry(&mail.to).or_insert(id), id, "a repeat is another mail");
    }
    arrived
}

#[tokio::test]
async fn a_mail_is_sent_over_tls_with_a_sign_in() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certificate(folder.path(), "127.0.0.1");
    for (tls, scheme, mechanism) in [("starttls", "smtp", "PLAIN"), ("implicit", "smtps", "LOGIN")] {
        let folder = tempfile::tempdir().unwrap();
        let database_url = database::fresh(folder.path()).await;
        let files = ["--certificate", certificate.to_str().unwrap()];
        let users = ["--tls", tls, "--user", "ada@example.org:p:w/", "--mechanism", mechanism];
        let smtp = SmtpServer::start_with(&[&files[..], &users].concat()).await;
        let smtp_url = smtp.url_of(scheme, "ada%40example.org:p%3Aw%2F");
        let host = Host::open(&database_url, folder.path()).await;
        let mut serve = sends_through(&smtp_url, &database_url, folder.path());
        // As a certificate of the system.
        let process = Process::run({
            serve.env("SSL_CERT_FILE", &certificate);
            serve
        })
        .await;
        host.invite(&process.url, 0..1).await;
        smtp.takes(1).await;
        let mail = smtp.mails().await.remove(0);
        assert!(mail.is_encrypted);
        assert_eq!((mail.to.as_str(), mail.user.as_deref()), (address(0).as_str(), Some("ada@example.org")));
        assert_eq!(smtp.sign_ins().await[0].mechanism, mechanism);
    }
}

#[tokio::test]
async fn a_mail_waits_until_the_password_for_the_mail_server_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let smtp = SmtpServer::start_with(&["--user", "ada:secret"]).await;
    let host = Host::open(&database_url, folder.path()).await;
    let wrong = smtp.url_of("smtp", "ada:guess");
    let mut process = Process::run(sends_through(&wrong, &database_url, folder.path())).await;
    host.invite(&process.url, 0..1).await;
    let line = process.says("a mail waits").await;
    assert!(line.contains("can't sign in as `ada`") && line.contains("535"), "{line}");
    assert!(!line.contains("guess"), "{line}");
    process.kill();
    make_all_due(&database_url).await;
    let right = smtp.url_of("smtp", "ada:secret");
    let _process = Process::run(sends_through(&right, &database_url, folder.path())).await;
    is_sent(&database_url).await;
    assert_eq!(smtp.mails().await.len(), 1);
}

/// Each server signs in as another user, so that the mails tell which server has sent them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_send_each_mail_of_one_outbox_once() {
    const MAILS: u32 = 100;
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let database_url = database::fresh_postgres(one.path()).await;
    let smtp = SmtpServer::start_with(&["--user", "one:secret", "--user", "other:secret"]).await;
    let start = async |folder: &Path, user: &str| {
        let smtp_url = smtp.url_of("smtp", &format!("{user}:secret"));
        Process::run(sends_through(&smtp_url, &database_url, folder)).await
    };
    let host = Host::open(&database_url, one.path()).await;
    let one = start(one.path(), "one").await;
    let _other = start(other.path(), "other").await;
    host.invite(&one.url, 0..MAILS).await;
    is_sent(&database_url).await;
    let mails = smtp.mails().await;
    let arrived = arrived(&mails);
    for number in 0..MAILS {
        assert_eq!(arrived.get(address(number).as_str()), Some(&1), "{number}");
    }
    for user in ["one", "other"] {
        assert!(mails.iter().any(|mail| mail.user.as_deref() == Some(user)), "`{user}` sends nothing");
    }
}

/// A server is killed between the moment when the mail server takes a mail and the moment when that is
/// recorded; then its successor, too; the next one at any moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_is_sent_at_most_twice_after_kill_9() {
    const MAILS: u32 = 40;
    /// Invites that a server sends at the same time.
    const AT_ONCE: usize = 3;
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let smtp = SmtpServer::start().await;
    let start = async || Process::run(sends_through(&smtp.url(), &database_url, folder.path())).await;

    smtp.will(Smtp::HangsAfterMessage).await;
    let host = Host::open(&database_url, folder.path()).await;
    let mut process = start().await;
    host.invite(&process.url, 0..MAILS).await;
    smtp.takes(AT_ONCE).await;
    process.kill();
    for mails in [2 * AT_ONCE, 20] {
        make_all_due(&database_url).await;
        process = start().await;
        smtp.takes(mails).await;
        process.kill();
        smtp.will(Smtp::Accepts).await;
    }
    make_all_due(&database_url).await;
    let _process = start().await;
    is_sent(&database_url).await;

    let mails = smtp.mails().await;
    let mut arrived = arrived(&mails);
    for mail in &mails[..AT_ONCE] {
        let arrived = arrived.remove(mail.to.as_str());
        assert_eq!(arrived, Some(2), "neither lost nor sent a third time");
    }
    assert_eq!(arrived.len(), usize::try_from(MAILS).unwrap() - AT_ONCE, "none is lost");
    let twice = arrived.values().filter(|times| **times == 2).count();
    assert!(twice <= AT_ONCE && arrived.values().all(|times| *times <= 2), "{arrived:?}");
}

#[tokio::test]
async fn a_mail_for_a_server_of_this_machine_that_does_not_run_waits_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    // Nothing listens at port 1 of this machine.
    let mut process = Process::run(sends_through("smtp://127.0.0.1:1", &database_url, folder.path())).await;
    register(&process.url, "ada").await;
    let line = process.says("a mail waits").await;
    assert!(line.contains("nothing listens at smtp://127.0.0.1:1") && line.contains("such as dma"), "{line}");
}

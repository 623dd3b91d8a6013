//! A mail server for tests: aiosmtpd in a Python process, which accepts mails, refuses them, hangs, or dies
//! at the worst moment.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex, watch};

/// How long a mail, or an answer of the Python process, may take.
const MAIL_TIMEOUT: Duration = Duration::from_secs(20);

/// What the server does with a mail. `smtp_server.py` knows the behaviours by these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smtp {
    Accepts,
    /// Answers 550 to the recipient.
    Refuses,
    /// Answers 451 to the recipient.
    Defers,
    /// Closes each connection at once.
    Closes,
    /// Accepts connections and says nothing.
    Hangs,
    /// Takes the message and closes the connection without an answer.
    DiesAfterMessage,
    /// Takes the message and never answers.
    HangsAfterMessage,
}

/// A mail that the server has taken, as a mail program reads it.
#[derive(Debug, Clone, Deserialize)]
pub struct Mail {
    pub to: String,
    /// The address to which a bounce goes.
    pub sender: String,
    /// The user who was signed in.
    pub user: Option<String>,
    /// Whether the connection was encrypted.
    pub is_encrypted: bool,
    /// By name in lower case.
    pub headers: HashMap<String, String>,
    /// Media types of the message and of its parts.
    pub parts: Vec<String>,
    pub text: String,
    pub html: String,
    /// Violations of the format.
    pub defects: Vec<String>,
}

/// An attempt to sign in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SignIn {
    pub user: String,
    pub mechanism: String,
    pub is_right: bool,
}

/// A line of the Python process.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event {
    Listening { port: u16 },
    Answer,
    SignIn(SignIn),
    Mail(Mail),
}

#[derive(Default)]
struct Received {
    answers: usize,
    mails: Vec<Mail>,
    sign_ins: Vec<SignIn>,
}

pub struct SmtpServer {
    port: u16,
    input: Mutex<ChildStdin>,
    received: watch::Receiver<Received>,
    /// Dropping it kills the process.
    _process: Child,
}

impl SmtpServer {
    /// Starts a server without TLS that everyone may use.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a server with arguments of `smtp_server.py`.
    pub async fn start_with(arguments: &[&str]) -> Self {
        let mut process = Command::new(python())
            .args(["-c", include_str!("smtp_server.py")])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = Mutex::new(process.stdin.take().unwrap());
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let Some(Event::Listening { port }) = next(&mut lines).await else {
            panic!("aiosmtpd has not started: `cargo xtask install` installs it");
        };
        let (sender, received) = watch::channel(Received::default());
        tokio::spawn(async move {
            while let Some(event) = next(&mut lines).await {
                sender.send_modify(|received| match event {
                    Event::Listening { .. } => unreachable!("it listens once"),
                    Event::Answer => received.answers += 1,
                    Event::SignIn(sign_in) => received.sign_ins.push(sign_in),
                    Event::Mail(mail) => {
                        // Ends this task, so that the test fails where it waits for the server.
                        assert_eq!(mail.defects, [""; 0], "{}", mail.headers["subject"]);
                        received.mails.push(mail);
                    }
                });
            }
        });
        Self { port, input, received, _process: process }
    }

    /// The server without TLS from the first byte, and without a sign-in.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// The server as `user:password` uses it.
    pub fn url_of(&self, scheme: &str, credentials: &str) -> String {
        format!("{scheme}://{credentials}@127.0.0.1:{}", self.port)
    }

    pub async fn will(&self, behaviour: Smtp) {
        self.ask(&format!("{behaviour:?}")).await;
    }

    /// All mails that were taken.
    pub async fn mails(&self) -> Vec<Mail> {
        self.ask("sync").await;
        self.received.borrow().mails.clone()
    }

    /// All attempts to sign in.
    pub async fn sign_ins(&self) -> Vec<SignIn> {
        self.ask("sync").await;
        self.received.borrow().sign_ins.clone()
    }

    /// Waits until so many mails were taken.
    pub async fn takes(&self, count: usize) {
        self.wait("a mail", |received| received.mails.len() >= count).await;
    }

    /// Sends the Python process a line and waits for its answer, which follows what the process has reported
    /// before.
    async fn ask(&self, line: &str) {
        let mut input = self.input.lock().await;
        let answers = self.received.borrow().answers;
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        self.wait("an answer", |received| received.answers > answers).await;
    }

    async fn wait(&self, what: &str, is_there: impl FnMut(&Received) -> bool) {
        let mut received = self.received.clone();
        let waited = tokio::time::timeout(MAIL_TIMEOUT, received.wait_for(is_there)).await;
        let waited = waited.unwrap_or_else(|_| panic!("{what} in time"));
        waited.expect("the mail server runs");
    }
}

/// The next line of the Python process, until it has ended.
async fn next(lines: &mut Lines<BufReader<ChildStdout>>) -> Option<Event> {
    let line = lines.next_line().await.unwrap()?;
    Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
}

/// Python with the packages of `xtask/python/requirements.txt`, in the target folder.
pub fn python() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let python = target.join("python/bin/python");
    assert!(
        python.exists(),
        "{} does not exist: run the tests with `cargo xtask test`, or `cargo xtask install` first",
        python.display()
    );
    python
}

/// Makes a certificate of a host. The file has its key, too, so that it serves the server and a client that
/// trusts it.
pub fn certificate(folder: &Path, host: &str) -> PathBuf {
    let made = rcgen::generate_simple_self_signed([host.to_owned()]).unwrap();
    let file = folder.join("certificate.pem");
    std::fs::write(&file, made.cert.pem() + &made.signing_key.serialize_pem()).unwrap();
    file
}

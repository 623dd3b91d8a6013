//! Tests of the binary as a process.

mod archive;
mod backup;
mod books;
mod close;
mod copy;
mod crash;
mod family;
mod few_descriptors;
mod full_disk;
mod hammer;
mod import;
mod kills;
mod large;
mod leads;
mod mail;
mod modes;
mod notify;
mod plans;
mod release;
mod restart;
mod restore;
mod rounds;
mod runs;
mod scheduled;
mod sealed;
mod second_server;
mod shell;
mod site;
mod stop;
mod supervisor;
mod trial;
mod two_versions;
mod update;
mod warnings;
mod withdraw;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::harness::http;

/// A running supervisor with its server. Dropping it kills both.
pub struct Process {
    child: Child,
    /// Lines of the log after the address.
    said: mpsc::UnboundedReceiver<String>,
    /// Base URL, without a slash at the end.
    pub url: String,
}

/// URL of a SQLite database in `folder`.
pub fn sqlite(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("farthing.db").display())
}

/// The command `farthing serve` for a database, with all other files in `folder` and without rate limits.
pub fn command(database_url: &str, folder: &Path, listen: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
    command
        .arg("serve")
        .args(["--listen", listen, "--rate-limits", "off"])
        .args(["--database-url", database_url])
        .arg("--data-dir")
        .arg(folder.join("data"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Process {
    /// Starts a server on a free port and waits for its address in the log.
    pub async fn start(database_url: &str, folder: &Path) -> Self {
        Self::run(command(database_url, folder, "127.0.0.1:0")).await
    }

    /// Starts a server with another command.
    pub async fn run(mut command: Command) -> Self {
        let child = command.spawn().expect("the binary starts");
        let (lines, said) = mpsc::unbounded_channel();
        let mut process = Self { child, said, url: String::new() };
        forward(process.child.stdout.take(), lines.clone());
        forward(process.child.stderr.take(), lines);
        let mut heard = String::new();
        while let Some(line) = process.said.recv().await {
            if let Some((_, address)) = line.split_once("listening on http://") {
                let address = address.split_whitespace().next().unwrap_or_default();
                process.url = format!("http://{address}");
                return process;
            }
            heard.push_str(&line);
            heard.push('\n');
        }
        panic!("the server ended before it listened:\n{heard}");
    }

    /// Process id of the server, which is a child of the supervisor.
    pub fn server(&self) -> u32 {
        let servers = family::children(self.child.id());
        assert_eq!(servers.len(), 1, "one server at a time: {servers:?}");
        servers[0]
    }

    /// The binary of the supervisor.
    pub fn supervisor_binary(&self) -> std::path::PathBuf {
        std::fs::read_link(format!("/proc/{}/exe", self.child.id())).unwrap()
    }

    /// Waits for a line of the log that contains `words`.
    pub async fn says(&mut self, words: &str) -> String {
        self.says_within(Duration::from_secs(20), words).await
    }

    /// Waits for at most `limit` for a line of the log that contains `words`.
    pub async fn says_within(&mut self, limit: Duration, words: &str) -> String {
        let heard = async {
            loop {
                let line = self.said.recv().await.expect("the log continues");
                if line.contains(words) {
                    return line;
                }
            }
        };
        let heard = tokio::time::timeout(limit, heard).await;
        heard.unwrap_or_else(|_| panic!("no line of the log contains `{words}`"))
    }

    /// Whether the server answers with success on a new connection.
    pub async fn is_ready(&self) -> bool {
        let client = http().build().unwrap();
        let answer =
            client.get(format!("{}/readyz", self.url)).send().await.expect("no connection is refused");
        answer.status() == 200
    }

    /// Sends the supervisor a signal by name.
    pub fn signal(&self, name: &str) {
        family::signal(self.child.id(), name);
    }

    /// Waits until the process has ended.
    pub async fn ends_within(&mut self, patience: Duration) -> ExitStatus {
        let asked = Instant::now();
        loop {
            if let Some(ended) = self.child.try_wait().unwrap() {
                return ended;
            }
            assert!(asked.elapsed() < patience, "the process has not ended in time");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Kills the process with `kill -9` and waits until it has ended.
    pub fn kill(&mut self) {
        self.child.kill().expect("the process can be killed");
        self.child.wait().expect("the process ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the pipe to its end, so that the server never blocks on it.
fn forward(pipe: Option<impl Read + Send + 'static>, lines: mpsc::UnboundedSender<String>) {
    let pipe = pipe.expect("the output is piped");
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            // After the start the lines are no longer received; the pipe is still emptied.
            let _ = lines.send(line);
        }
    });
}

//! An installation with a running binary and an auction with bids, for updates that succeed, fail or are
//! killed.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::crash::{AcceptedBid, Answer, Sale, bid, check, get, open_sale, post};
use super::{Process, command};
use crate::harness::{Installation, database};

/// The version of this binary.
pub const THIS: &str = env!("CARGO_PKG_VERSION");
pub const NEXT: &str = "9.1.0";
/// Enough for a busy machine.
pub const UPDATE_MAX: Duration = Duration::from_secs(120);
/// From a start to the end of an interrupted run, when the site accepts bids.
pub const DECIDED_MAX: Duration = Duration::from_secs(30);
/// The default steps without those that the test's release has no files for.
pub const STEPS: &str = "[steps]\ndependencies = []\ndata_layer = []\nbuild = [\"./build.sh\"]\n";

pub struct Site {
    pub installation: Installation,
    pub database_url: String,
    pub process: Process,
    pub sale: Arc<Sale>,
    /// The accepted bids.
    pub told: Vec<AcceptedBid>,
}

impl Site {
    /// Starts the binary in `installation` and opens an auction.
    pub async fn open(installation: Installation) -> Self {
        let folder = installation.path();
        let database_url = database::fresh(&folder).await;
        let process = Process::start(&database_url, &folder).await;
        let sale = Arc::new(open_sale(&process.url).await);
        Self { installation, database_url, process, sale, told: Vec::new() }
    }

    /// A site with a newer release `NEXT`, whose binary is the script `binary`, and with a Deployment Admin.
    pub async fn with_release(binary: &str, configured: &str) -> Self {
        let installation = Installation::new();
        installation.release_of(&format!("v{NEXT}"), binary);
        // A short observation, unless it is configured.
        let health = "[health]\nobserve_seconds = 1\n";
        let configured = match configured {
            _ if configured.contains("observe_seconds") => configured.to_owned(),
            _ if configured.contains("[health]") => configured.replace("[health]\n", health),
            _ => format!("{configured}{health}"),
        };
        installation.configure_all(&format!("{STEPS}{configured}"));
        let site = Self::open(installation).await;
        site.claim().await;
        site
    }

    /// Makes the owner of the auction the Deployment Admin.
    pub async fn claim(&self) {
        let claim = json!({"deploymentAdminEmail": "owner@example.org"});
        let settings = format!("{}/api/system/settings", self.process.url);
        assert_eq!(self.sale.owner.patch(settings).json(&claim).send().await.unwrap().status(), 200);
    }

    /// The folder of the installation.
    pub fn folder(&self) -> PathBuf {
        self.installation.path()
    }

    pub fn data_dir(&self) -> PathBuf {
        self.folder().join("data")
    }

    /// Kills supervisor and server and starts them again at the same address.
    pub async fn start_again(&mut self) {
        self.process.kill();
        let address = self.process.url.trim_start_matches("http://").to_owned();
        self.process = Process::run(command(&self.database_url, &self.folder(), &address)).await;
    }

    fn update_url(&self) -> String {
        format!("{}/api/system/update", self.process.url)
    }

    pub async fn begin(&self) {
        let run = post(&self.sale.owner, self.update_url(), json!({})).await;
        assert_eq!(run["status"], "RUNNING");
    }

    /// The run once it satisfies a condition.
    pub async fn run(&self, patience: Duration, is_there: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let run = match self.sale.owner.get(self.update_url()).send().await {
                Ok(answer) => answer.json().await.unwrap_or_default(),
                // A broken release on trial is killed, also during a request.
                Err(error) if !error.is_connect() => Value::Null,
                Err(error) => panic!("a connection is refused: {error}"),
            };
            if run["status"].is_string() && is_there(&run) {
                return run;
            }
            assert!(begun.elapsed() < patience, "{run:#}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn ended(&self, patience: Duration) -> Value {
        self.run(patience, |run| run["status"] != "RUNNING").await
    }

    /// Waits until this step runs.
    pub async fn reached(&self, step: &str) {
        let runs = |run: &Value| {
            let steps = run["steps"].as_array().unwrap();
            steps.iter().any(|begun| begun["name"] == step && begun["status"] == "RUNNING")
        };
        self.run(UPDATE_MAX, runs).await;
    }

    /// Runs the command in the installation and waits for its end. It finds no other programs: the server
    /// does.
    pub async fn farthing(&self, arguments: &[&str]) -> Output {
        let folder = self.folder();
        let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
        command.args(arguments).args(["--database-url", &self.database_url]).arg("--data-dir");
        command.arg(folder.join("data")).current_dir(folder).stdin(Stdio::null()).env("PATH", "/nonexistent");
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    pub async fn version(&self) -> Value {
        let version = get(&self.sale.owner, format!("{}/api/version", self.process.url)).await;
        version["currentVersion"].clone()
    }

    /// Places a bid once writes are open.
    pub async fn bids(&mut self, amount: u64) {
        let begun = Instant::now();
        loop {
            match bid(&self.sale, &self.process.url, 0, 0, amount).await {
                Ok(Answer::Accepted(told)) => return self.told.push(told),
                Err(error) if error.is_connect() => panic!("a connection is refused: {error}"),
                // The server that answered before was stopping, or writes are still paused.
                Err(_) | Ok(Answer::Later) if begun.elapsed() < DECIDED_MAX => {}
                other => panic!("{other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Checks the ledger, and that it has every accepted bid.
    pub async fn check(&self) {
        check(&self.process.url, &self.sale, &self.told).await;
    }
}

/// A script that runs this binary with another version in it.
pub fn next_version(folder: &std::path::Path) -> String {
    format!("#!/bin/sh\nexec '{}' \"$@\"\n", next_binary(folder).display())
}

/// This binary with another version in it, as in a release.
pub fn next_binary(folder: &std::path::Path) -> PathBuf {
    assert_eq!(THIS.len(), NEXT.len());
    let mut bytes = std::fs::read(env!("CARGO_BIN_EXE_farthing")).unwrap();
    let (old, new) = (THIS.as_bytes(), NEXT.as_bytes());
    let places: Vec<usize> =
        bytes.windows(old.len()).enumerate().filter(|(_, part)| *part == old).map(|(at, _)| at).collect();
    for at in places {
        bytes[at..at + new.len()].copy_from_slice(new);
    }
    let path = folder.join("next-farthing");
    std::fs::write(&path, bytes).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    path
}

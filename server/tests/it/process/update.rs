//! Complete updates of the binary under its supervisor, from a git origin.

use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::crash::{Answer, Sale, Told, bid, check, everybody_bids, get, open_sale, post};
use super::{Process, command, family};
use crate::harness::{Installation, database, git, times};

const THIS: &str = env!("CARGO_PKG_VERSION");
const NEXT: &str = "9.1.0";
/// Enough for a busy machine.
const UPDATE_MAX: Duration = Duration::from_secs(120);
/// From a start to the end of an interrupted run.
const DECIDED_MAX: Duration = Duration::from_secs(30);
/// The default steps without those that the test's release has no files for.
const STEPS: &str = "[steps]\ndependencies = []\ndata_layer = []\nbuild = [\"./build.sh\"]\n";

struct Site {
    installation: Installation,
    database_url: String,
    process: Process,
    sale: Arc<Sale>,
}

impl Site {
    /// An installation with a newer release `NEXT`, whose binary is the script `binary`.
    async fn new(binary: &str, configured: &str) -> Self {
        let installation = Installation::new();
        installation.release_of(&format!("v{NEXT}"), binary);
        // A short observation.
        let health = "[health]\nobserve_seconds = 1\n";
        let configured = match configured.contains("[health]") {
            true => configured.replace("[health]\n", health),
            false => format!("{configured}{health}"),
        };
        installation.configure_all(&format!("{STEPS}{configured}"));
        let folder = installation.path();
        let database_url = database::fresh(&folder).await;
        let process = Process::start(&database_url, &folder).await;
        let sale = Arc::new(open_sale(&process.url).await);
        let claim = json!({"deploymentAdminEmail": "owner@example.org"});
        let settings = format!("{}/api/system/settings", process.url);
        assert_eq!(sale.owner.patch(settings).json(&claim).send().await.unwrap().status(), 200);
        Self { installation, database_url, process, sale }
    }

    fn update_url(&self) -> String {
        format!("{}/api/system/update", self.process.url)
    }

    async fn begin(&self) {
        let run = post(&self.sale.owner, self.update_url(), json!({})).await;
        assert_eq!(run["status"], "RUNNING");
    }

    /// The run once it satisfies a condition.
    async fn run(&self, patience: Duration, is_there: impl Fn(&Value) -> bool) -> Value {
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

    async fn ended(&self, patience: Duration) -> Value {
        self.run(patience, |run| run["status"] != "RUNNING").await
    }

    /// Runs the command in the installation and waits for its end.
    async fn farthing(&self, arguments: &[&str]) -> Output {
        let folder = self.installation.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
        command.args(arguments).args(["--database-url", &self.database_url]).arg("--data-dir");
        command.arg(folder.join("data")).current_dir(folder).stdin(Stdio::null());
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    async fn version(&self) -> Value {
        let version = get(&self.sale.owner, format!("{}/api/version", self.process.url)).await;
        version["currentVersion"].clone()
    }

    /// Places a bid once writes are open.
    async fn bids(&self, amount: u64) -> Told {
        let begun = Instant::now();
        loop {
            match bid(&self.sale, &self.process.url, 0, 0, amount).await.unwrap() {
                Answer::Kept(told) => return told,
                Answer::Later if begun.elapsed() < DECIDED_MAX => {}
                other => panic!("{other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// This binary with another version in it, as in a release.
fn next_version(folder: &std::path::Path) -> String {
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
    format!("#!/bin/sh\nexec '{}' \"$@\"\n", path.display())
}

/// During bids, the site switches to the new release: no connection is refused or aborted, and every accepted bid is
/// stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_refuses_no_connection_and_loses_no_bid() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(&next_version(folder.path()), "").await;
    let (next, counted) = (Arc::new(AtomicU64::new(1)), Arc::default());
    let mut bidding = everybody_bids(&site.process.url, &site.sale, &next, 20, &counted);
    counted.notified().await;
    site.begin().await;
    let run = site.ended(UPDATE_MAX).await;
    assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
    assert_eq!(site.version().await, NEXT);
    assert_eq!(site.installation.current().unwrap(), format!("releases/v{NEXT}"));
    let reached = next.load(Ordering::SeqCst) + 100;
    while next.load(Ordering::SeqCst) < reached {
        assert!(bidding.try_join_next().is_none(), "a bid was broken off");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    family::signal(site.process.server(), "KILL");
    let told: Vec<Told> = bidding.join_all().await.into_iter().flatten().collect();
    check(&site.process.url, &site.sale, &told).await;
    assert_eq!(site.version().await, NEXT, "it is what starts from now on");
}

/// The previous release serves again, and the run names the reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_release_that_does_not_serve_is_rolled_back() {
    // It passes the rehearsal and fails when it has to serve.
    let this = env!("CARGO_BIN_EXE_farthing");
    let configured = "rehearse = [\"true\"]\nschema = [\"true\"]\n[health]\ntimeout_seconds = 3\n";
    for (binary, words) in [
        ("#!/bin/sh\nexit 3\n".to_owned(), "exit status: 3"),
        ("#!/bin/sh\nexec sleep 60\n".to_owned(), "was not healthy within"),
        (format!("#!/bin/sh\nexec '{this}' \"$@\"\n"), THIS),
    ] {
        let site = Site::new(&binary, configured).await;
        let told = site.bids(5).await;
        site.begin().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
        assert!(run["reason"].as_str().unwrap().contains(words), "{run:#}");
        assert_eq!(site.installation.current(), None);
        assert_eq!(site.version().await, THIS);
        let next = site.bids(6).await;
        check(&site.process.url, &site.sale, &[told, next]).await;
    }
}

/// An update from the shell beside the server: the server restarts and finishes the run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_updates_a_running_site() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(&next_version(folder.path()), "").await;
    let told = site.bids(5).await;
    let done = site.farthing(&["update"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(
        said.contains("build: done\n") && said.ends_with(&format!("health: done\nupdated to {NEXT}\n")),
        "{said}"
    );
    assert_eq!(site.version().await, NEXT);
    let again = site.farthing(&["update"]).await;
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(again.status.success() && said.contains("is the latest release"), "{said}");
    let next = site.bids(6).await;
    check(&site.process.url, &site.sale, &[told, next]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_reports_why_the_update_was_rolled_back() {
    let site = Site::new("#!/bin/sh\nexit 3\n", "rehearse = [\"true\"]\nschema = [\"true\"]\n").await;
    let told = site.bids(5).await;
    let done = site.farthing(&["update"]).await;
    let complaint = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(complaint.contains("was rolled back") && complaint.contains("exit status: 3"), "{complaint}");
    assert_eq!(site.version().await, THIS);
    check(&site.process.url, &site.sale, &[told]).await;
}

/// A process manager restarts the site, by a command or as systemd does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_manager_restarts_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let binary = next_version(folder.path());
    let manager = folder.path().join("systemctl");
    let asked = folder.path().join("asked");
    let script = format!("#!/bin/sh\necho \"$*\" > '{0}.partial'\nmv '{0}.partial' '{0}'\n", asked.display());
    std::fs::write(&manager, script).unwrap();
    std::fs::set_permissions(&manager, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let by_command =
        format!("[restart]\nkind = \"command\"\ncommand = [\"{}\", \"now\"]\n", manager.display());
    let by_systemd = "[restart]\nkind = \"systemd\"\nunit = \"farthing.service\"\n".to_owned();
    for (configured, words) in [(by_command, "now"), (by_systemd, "restart --no-block -- farthing.service")] {
        let mut site = Site::new(&binary, &configured).await;
        let told = site.bids(5).await;
        site.process.kill();
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", folder.path().display());
        let start = || {
            let mut command = command(&site.database_url, &site.installation.path(), "127.0.0.1:0");
            command.env("PATH", &path);
            Process::run(command)
        };
        let first = start().await;
        let run = post(&site.sale.owner, format!("{}/api/system/update", first.url), json!({})).await;
        assert_eq!(run["status"], "RUNNING");
        let begun = Instant::now();
        while !asked.exists() {
            assert!(begun.elapsed() < UPDATE_MAX, "nobody asked the process manager");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(std::fs::read_to_string(&asked).unwrap().trim(), words);
        std::fs::remove_file(&asked).unwrap();
        let mut first = first;
        first.signal("TERM");
        first.ends_within(Duration::from_secs(20)).await;
        site.process = start().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
        assert_eq!(site.version().await, NEXT);
        let next = site.bids(6).await;
        check(&site.process.url, &site.sale, &[told, next]).await;
    }
}

/// After a kill of server and supervisor at any step, the next start decides the run: the site serves in either version.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_start_decides_a_killed_run() {
    let folder = tempfile::tempdir().unwrap();
    let binary = next_version(folder.path());
    let steps = ["fetch", "dependencies", "build", "rehearse", "backup", "schema", "switch", "restart"];
    let every = usize::try_from(times(4, 1)).unwrap();
    for step in steps.into_iter().rev().step_by(every) {
        let hook =
            format!("[[hooks]]\nbefore = \"{step}\"\nname = \"wait\"\ncommand = [\"sleep\", \"10\"]\n");
        let mut site = Site::new(&binary, &hook).await;
        let told = site.bids(5).await;
        site.begin().await;
        let waits = |run: &Value| {
            let steps = run["steps"].as_array().unwrap();
            steps.iter().any(|step| step["name"] == "wait" && step["status"] == "RUNNING")
        };
        site.run(UPDATE_MAX, waits).await;
        site.process.kill();
        site.process = Process::start(&site.database_url, &site.installation.path()).await;
        let run = site.ended(DECIDED_MAX).await;
        let next = site.bids(6).await;
        check(&site.process.url, &site.sale, &[told, next]).await;
        let (status, version) = if step == "restart" { ("SUCCEEDED", NEXT) } else { ("ROLLED_BACK", THIS) };
        assert_eq!(
            (run["status"].as_str(), site.version().await.as_str()),
            (Some(status), Some(version)),
            "{run:#}"
        );
    }
}

/// A step that fails after the backup: the supervisor restores the database while no server runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_step_after_the_backup_is_rolled_back() {
    let quick = "rehearse = [\"true\"]\n";
    let fails = "command = [\"sh\", \"-c\", \"echo the reason; exit 3\"]\n";
    for (failed, configured) in [
        ("schema", format!("{quick}schema = [\"sh\", \"-c\", \"echo the reason; exit 3\"]\n")),
        ("hook", format!("{quick}[[hooks]]\nafter = \"switch\"\nname = \"hook\"\n{fails}")),
        ("restart", format!("{quick}[restart]\nkind = \"command\"\ncommand = [\"false\"]\n")),
    ] {
        let site = Site::new("#!/bin/sh\nexit 0\n", &configured).await;
        let told = site.bids(5).await;
        site.begin().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.starts_with(&format!("`{failed}` failed: ")), "{reason}");
        assert!(failed == "restart" || reason.contains("exit code 3: the reason"), "{reason}");
        assert_eq!(site.installation.current(), None);
        let next = site.bids(6).await;
        check(&site.process.url, &site.sale, &[told, next]).await;
    }
}

/// A release that ends after it has answered is rolled back, and the bids since then stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_release_that_ends_while_it_is_observed_is_rolled_back() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(&next_version(folder.path()), "").await;
    site.installation.configure_all(&format!("{STEPS}[health]\nobserve_seconds = 60\n"));
    let told = site.bids(5).await;
    site.begin().await;
    let observed = |run: &Value| {
        let steps = run["steps"].as_array().unwrap();
        steps.iter().any(|step| step["output"].as_str().unwrap().contains("writes are open"))
    };
    let run = site.run(UPDATE_MAX, observed).await;
    assert_eq!(run["status"], "RUNNING");
    let next = site.bids(6).await;
    assert_eq!(site.version().await, NEXT);
    family::signal(site.process.server(), "KILL");
    let run = site.ended(UPDATE_MAX).await;
    assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("the new version ended"), "{run:#}");
    assert_eq!(site.version().await, THIS);
    let last = site.bids(7).await;
    check(&site.process.url, &site.sale, &[told, next, last]).await;
}

/// After a stop and start of the installed binary, supervisor and commands are those of the release that runs. The
/// update never moves down, and a rollback returns to the release before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_current_release_supervises_and_can_be_rolled_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::new(&next_version(folder.path()), "").await;
    let rollback = format!("{}/api/system/rollback", site.process.url);
    let none = site.sale.owner.post(&rollback).json(&json!({})).send().await.unwrap();
    assert_eq!(none.status(), 409);
    assert_eq!(none.json::<Value>().await.unwrap()["code"], "NOTHING_TO_ROLL_BACK");
    let told = site.bids(5).await;
    site.begin().await;
    assert_eq!(site.ended(UPDATE_MAX).await["status"], "SUCCEEDED");
    site.process.signal("TERM");
    site.process.ends_within(Duration::from_secs(20)).await;
    site.process = Process::start(&site.database_url, &site.installation.path()).await;
    assert!(site.process.supervisor_binary().ends_with("next-farthing"));

    // The release was withdrawn: the latest one is below the current one.
    git(
        &site.installation.path().join("../origin.git"),
        &["update-ref", "-d", &format!("refs/tags/v{NEXT}")],
    );
    site.installation.release("v9.0.0");
    let done = site.farthing(&["update"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && said.contains(&format!("{NEXT} is the latest release")), "{said}");
    assert_eq!(site.version().await, NEXT);

    let next = site.bids(6).await;
    let done = site.farthing(&["rollback"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!((site.version().await, site.installation.current()), (json!(THIS), None));
    let again = site.farthing(&["rollback"]).await;
    let complaint = String::from_utf8(again.stderr).unwrap();
    assert!(!again.status.success() && complaint.contains("no previous release"), "{complaint}");
    let last = site.bids(7).await;
    check(&site.process.url, &site.sale, &[told, next, last]).await;
}

/// Commands of a run die with it, also when server and supervisor are killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_of_a_killed_run_die_with_it() {
    let hook = "rehearse = [\"true\"]\n[[hooks]]\nbefore = \"fetch\"\nname = \"wait\"\n\
                command = [\"sh\", \"-c\", \"sleep 1000 & echo $! > pids.partial; echo $$ >> pids.partial; mv pids.partial pids; wait\"]\n";
    let mut site = Site::new("#!/bin/sh\nexit 0\n", hook).await;
    site.begin().await;
    let pids = site.installation.path().join("pids");
    let begun = Instant::now();
    while !pids.exists() {
        assert!(begun.elapsed() < UPDATE_MAX, "the hook does not run");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    site.process.kill();
    let pids = std::fs::read_to_string(pids).unwrap();
    for pid in pids.lines().map(|pid| pid.parse().unwrap()) {
        while family::lives(pid) {
            assert!(begun.elapsed() < UPDATE_MAX, "{pid} still runs");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

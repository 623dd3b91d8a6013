use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use installation::ids::RunId;
use installation::journal::{
    self, Journal, RollbackPlan, Run, RunDatabase, RunStatus, Step, StepName, StepStatus, UpdateLock,
};
use platform::time::{Clock, SystemClock};

use super::crash::{Answer, Sale, Told, bid, check, open_sale};
use super::release::{script, switch_to, this_version};
use super::{Process, command};
use crate::harness::{database, times};

/// The version of this binary.
const THIS: &str = env!("CARGO_PKG_VERSION");
/// A version that no server has.
const NEXT: &str = "99.0.0";
/// Time until the site serves again, in either version, and the run has ended.
const DECIDED_MAX: Duration = Duration::from_secs(30);
/// A migration of the new release.
const MIGRATION: &str = "CREATE TABLE of_the_next_version (id TEXT)";
const RUN: &str = "019de4bf-6c00-7d7a-95d2-9d5b0ff3f6d1";
/// Closes writes for `RUN`, as its step `backup` does.
const CLOSE: &str = "INSERT INTO database_lease (id, holder, expires_at, writes_closed)
    VALUES ('lease', '019de4bf-6c00-7d7a-95d2-9d5b0ff3f6d1', 9000000000000000, TRUE)
    ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, writes_closed = TRUE";
/// Opens them, as the step `health` does.
const OPEN: &str = "UPDATE database_lease SET writes_closed = FALSE";

/// An installation during an update: a sale with bids, its backup, and a journal.
struct Installation {
    folder: tempfile::TempDir,
    database_url: String,
    process: Process,
    sale: Arc<Sale>,
    told: Vec<Told>,
}

impl Installation {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = database::fresh(folder.path()).await;
        let process = Process::start(&database_url, folder.path()).await;
        let sale = Arc::new(open_sale(&process.url).await);
        let mut told = Vec::new();
        for amount in 1..=9 {
            told.push(accepted(&sale, &process.url, amount).await);
        }
        Self { folder, database_url, process, sale, told }
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes the journal of an update to `to` whose process died at `step`, and does what it had done by then.
    async fn dies_at(&self, step: &StepName, to: &str, timeout: u64, make: impl FnOnce(&Path)) {
        let folder = self.folder.path();
        let now = SystemClock.now();
        let at = StepName::ALL.iter().position(|name| name == step).unwrap();
        let mut steps: Vec<Step> = StepName::ALL.into_iter().map(Step::pending).collect();
        for (place, step) in steps.iter_mut().enumerate().filter(|(place, _)| *place <= at) {
            step.begin(now);
            if place < at {
                step.end(StepStatus::Done, None, now);
            }
        }
        let begun = |name: StepName| steps.iter().any(|step| step.name == name && step.started_at.is_some());
        let done =
            |name: StepName| steps.iter().any(|step| step.name == name && step.status == StepStatus::Done);
        let is_sqlite = self.database_url.starts_with("sqlite:");
        if done(StepName::Backup) {
            database::write_elsewhere(&self.database_url, CLOSE).await;
        }
        let backup = (is_sqlite && done(StepName::Backup)).then(|| self.back_up());
        if begun(StepName::Schema) && is_sqlite {
            database::write_elsewhere(&self.database_url, MIGRATION).await;
        }
        if begun(StepName::Switch) {
            switch_to(folder, "v99.0.0", make);
        }
        let run = Run {
            id: RUN.parse::<RunId>().unwrap(),
            status: RunStatus::Running,
            from_version: THIS.to_owned(),
            to_version: Some(to.to_owned()),
            reason: None,
            started_at: now,
            finished_at: None,
            steps,
        };
        let path = folder.join("farthing.db");
        let rollback = RollbackPlan {
            install_dir: folder.to_owned(),
            database: if is_sqlite { RunDatabase::Sqlite { path } } else { RunDatabase::Postgres },
            previous: None,
            release: Some(folder.join("releases/v99.0.0")),
            backup,
            health_url: None,
            health_timeout_seconds: timeout,
            observe_seconds: 0,
        };
        std::fs::create_dir_all(self.data_dir()).unwrap();
        let lock = UpdateLock::take(&self.data_dir()).unwrap();
        journal::write(&lock, &self.data_dir(), &Journal { run, rollback }).unwrap();
    }

    fn back_up(&self) -> PathBuf {
        let path = self.folder.path().join("backup_20260501_180000.db");
        let mut farthing = Command::new(env!("CARGO_BIN_EXE_farthing"));
        farthing.arg("backup").arg(&path).args(["--database-url", &self.database_url]);
        assert!(farthing.current_dir(self.folder.path()).output().unwrap().status.success());
        path
    }

    /// Kills supervisor and server and starts them again.
    async fn starts_anew(&mut self) {
        self.process.kill();
        self.process = Process::start(&self.database_url, self.folder.path()).await;
    }

    /// Waits for the end of the run and then for the site. The ledger must be unchanged and accept bids.
    async fn decided(&self) -> Run {
        let begun = Instant::now();
        let run = loop {
            let journal = journal::read(&self.data_dir()).unwrap().unwrap();
            if journal.run.is_finished() {
                break journal.run;
            }
            assert!(begun.elapsed() < DECIDED_MAX, "undecided: {:?}", journal.run);
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        // The request of the last bid waits for the next server.
        let next = accepted(&self.sale, &self.process.url, 1000).await;
        assert!(begun.elapsed() < DECIDED_MAX);
        check(&self.process.url, &self.sale, &self.told).await;
        check(&self.process.url, &self.sale, &[next]).await;
        run
    }

    async fn rolled_back(&self, words: &str) {
        let run = self.decided().await;
        let reason = run.reason.unwrap_or_default();
        assert_eq!(run.status, RunStatus::RolledBack, "{reason}");
        assert!(reason.contains(words), "{reason}");
        assert!(!self.folder.path().join("current").exists(), "it was not there before");
        if self.database_url.starts_with("sqlite:") {
            // Removed with the rest of the new schema.
            database::write_elsewhere(&self.database_url, MIGRATION).await;
        }
    }
}

async fn accepted(sale: &Sale, url: &str, amount: u64) -> Told {
    let begun = Instant::now();
    loop {
        match bid(sale, url, 0, 0, amount).await {
            Ok(Answer::Kept(told)) => return told,
            // The server that answered before was stopping, or writes are still paused.
            Err(_) | Ok(Answer::Later) if begun.elapsed() < DECIDED_MAX => {
                tokio::time::sleep(Duration::from_millis(50)).await
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Changes the binary of a release.
type Break = fn(&Path);

/// Ways in which a new release can be broken.
fn broken() -> [(&'static str, Break, &'static str); 4] {
    [
        ("it exits", |path| script("#!/bin/sh\nexit 3\n")(path), "exit status: 3"),
        ("it hangs", |path| script("#!/bin/sh\nexec sleep 1000\n")(path), "was not healthy within"),
        ("it is no program", |path| script("\x7fELF")(path), "can't be started"),
        ("it answers with the old number", this_version, THIS),
    ]
}

/// A broken release is rolled back to the previous one, with the database as it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_release_is_rolled_back() {
    for (_, make, words) in broken() {
        let installation = Installation::new().await;
        installation.dies_at(&StepName::Restart, NEXT, 3, make).await;
        installation.process.signal("USR1");
        installation.rolled_back(words).await;
    }
}

/// A broken release is also rolled back at a start after all processes were killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_release_is_rolled_back_at_a_start() {
    let of = usize::try_from(times(1, 4)).unwrap();
    for (_, make, words) in broken().into_iter().take(of) {
        let mut installation = Installation::new().await;
        installation.dies_at(&StepName::Health, NEXT, 5, make).await;
        installation.starts_anew().await;
        installation.rolled_back(words).await;
    }
}

/// A release that answers with its version stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_healthy_release_stays() {
    for is_cold in [false, true] {
        let mut installation = Installation::new().await;
        installation.dies_at(&StepName::Restart, THIS, 20, this_version).await;
        if is_cold {
            installation.starts_anew().await;
        } else {
            installation.process.signal("USR1");
        }
        let run = installation.decided().await;
        assert_eq!(run.status, RunStatus::Succeeded, "{:?}", run.reason);
        let exe = std::fs::read_link(format!("/proc/{}/exe", installation.process.server())).unwrap();
        assert!(exe.ends_with("releases/v99.0.0/target/release/farthing"), "{}", exe.display());
    }
}

/// After all processes were killed at any step of a run, the next start finishes the run or rolls it back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_rolls_back_an_interrupted_run() {
    let before_restart = StepName::ALL.iter().take_while(|name| **name != StepName::Restart);
    let every = usize::try_from(times(4, 1)).unwrap();
    for step in before_restart.step_by(every) {
        let mut installation = Installation::new().await;
        installation.dies_at(step, NEXT, 60, this_version).await;
        installation.starts_anew().await;
        installation.rolled_back(&format!("interrupted at the step `{step}`")).await;
    }
}

/// If only the server is killed, its supervisor rolls the run back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_supervisor_rolls_back_the_unfinished_run_of_its_server() {
    let installation = Installation::new().await;
    installation.dies_at(&StepName::Schema, NEXT, 60, this_version).await;
    super::family::signal(installation.process.server(), "KILL");
    installation.rolled_back("interrupted at the step `schema`").await;
}

/// A run from the shell that still goes on is not rolled back.
#[tokio::test]
async fn a_run_in_progress_is_not_rolled_back() {
    let mut installation = Installation::new().await;
    installation.dies_at(&StepName::Build, NEXT, 60, this_version).await;
    let _held = UpdateLock::take(&installation.data_dir()).unwrap();
    installation.process.signal("USR1");
    installation.process.says("serving again after").await;
    let run = journal::read(&installation.data_dir()).unwrap().unwrap().run;
    assert_eq!(run.status, RunStatus::Running);
}

/// A server that was killed with its supervisor may hold its locks a moment longer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_waits_for_a_dying_server() {
    let mut installation = Installation::new().await;
    installation.dies_at(&StepName::Schema, NEXT, 60, this_version).await;
    let held = UpdateLock::take(&installation.data_dir()).unwrap();
    installation.process.kill();
    let dying = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(held);
    });
    installation.process = Process::start(&installation.database_url, installation.folder.path()).await;
    assert!(dying.is_finished(), "it has waited");
    installation.rolled_back("interrupted at the step `schema`").await;
}

/// While the journal can't be read, a start changes nothing: closed writes stay closed. Once it can be read, the run is
/// rolled back, and no bid is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_journal_is_not_that_of_a_finished_run() {
    let steps = [StepName::Fetch, StepName::Schema, StepName::Switch, StepName::Restart];
    let every = usize::try_from(times(2, 1)).unwrap();
    for step in steps.into_iter().rev().step_by(every) {
        let mut installation = Installation::new().await;
        installation.dies_at(&step, NEXT, 3, this_version).await;
        let journal = installation.data_dir().join("update/journal.json");
        let aside = journal.with_file_name("aside");
        std::fs::rename(&journal, &aside).unwrap();
        // The superuser ignores permissions; nobody can read a folder as a file.
        std::fs::create_dir(&journal).unwrap();
        installation.process.kill();
        let mut serve = command(&installation.database_url, installation.folder.path(), "127.0.0.1:0");
        serve.env("RUST_LOG", "info");
        installation.process = Process::run(serve).await;
        installation.process.says("make the file readable").await;
        let answer = bid(&installation.sale, &installation.process.url, 0, 0, 500).await.unwrap();
        match answer {
            Answer::Later => assert_ne!(step, StepName::Fetch, "no writes were closed"),
            Answer::Kept(told) => {
                assert_eq!(step, StepName::Fetch, "writes stay closed");
                installation.told.push(told);
            }
            other => panic!("{other:?}"),
        }
        std::fs::remove_dir(&journal).unwrap();
        std::fs::rename(&aside, &journal).unwrap();
        installation.rolled_back("").await;
    }
}

/// What is written after writes were opened is never replaced by the backup, whatever the journal says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rollback_keeps_what_was_written_after_writes_were_opened() {
    let mut installation = Installation::new().await;
    installation.dies_at(&StepName::Restart, NEXT, 3, script("#!/bin/sh\nexit 3\n")).await;
    database::write_elsewhere(&installation.database_url, OPEN).await;
    let told = accepted(&installation.sale, &installation.process.url, 500).await;
    installation.told.push(told);
    installation.process.signal("USR1");
    let run = installation.decided().await;
    assert_eq!(run.status, RunStatus::RolledBack, "{:?}", run.reason);
    assert!(!installation.folder.path().join("current").exists());
}

/// The database that a rollback replaces is kept, and the reason names the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rollback_keeps_the_database_that_it_replaces() {
    let mut installation = Installation::new().await;
    if !installation.database_url.starts_with("sqlite:") {
        return;
    }
    installation.dies_at(&StepName::Schema, NEXT, 60, this_version).await;
    installation.starts_anew().await;
    installation.rolled_back("farthing.db.rolled_back_20260501_180000").await;
    let kept = installation.folder.path().join("farthing.db.rolled_back_20260501_180000");
    let kept = format!("sqlite://{}", kept.display());
    database::write_elsewhere(&kept, "INSERT INTO of_the_next_version VALUES ('it has the migration')").await;
}

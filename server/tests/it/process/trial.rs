//! Runs whose process has died, by their journals: what the next start makes of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use installation::ids::RunId;
use installation::journal::{
    self, Journal, RollbackPlan, Run, RunDatabase, RunStatus, Step, StepName, StepStatus, UpdateLock,
};
use platform::time::{Clock, SystemClock};

use super::crash::{Answer, bid};
use super::release::{script, switch_to, this_version};
use super::site::{DECIDED_MAX, Site, THIS};
use super::{Process, command};
use crate::harness::{Installation, database, times};

/// A version that no server has.
const NEXT: &str = "99.0.0";
/// A migration of the new release.
const MIGRATION: &str = "CREATE TABLE of_the_next_version (id TEXT)";
const RUN: &str = "019de4bf-6c00-7d7a-95d2-9d5b0ff3f6d1";
/// Closes writes for `RUN`, as its step `backup` does.
const CLOSE: &str = "INSERT INTO database_lease (id, holder, expires_at, writes_closed)
    VALUES ('lease', '019de4bf-6c00-7d7a-95d2-9d5b0ff3f6d1', 9000000000000000, TRUE)
    ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, writes_closed = TRUE";
/// Opens them, as the step `health` does.
const OPEN: &str = "UPDATE database_lease SET writes_closed = FALSE";

/// A site with bids.
async fn site() -> Site {
    let mut site = Site::open(Installation::new()).await;
    for amount in 1..=9 {
        site.bids(amount).await;
    }
    site
}

/// A site during an update: with a backup, and a journal.
impl Site {
    /// Writes the journal of an update to `to` whose process died at `step`, and does what it had done by
    /// then.
    async fn dies_at(&self, step: &StepName, to: &str, timeout: u64, make: impl FnOnce(&Path)) {
        let folder = self.folder();
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
            switch_to(&folder, "v99.0.0", make);
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
            install_dir: folder.clone(),
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
        journal::write(&lock, &self.data_dir(), &Journal { run, rollback, handed_over_at: None }).unwrap();
    }

    fn back_up(&self) -> PathBuf {
        let path = self.folder().join("backup_20260501_180000.db");
        let mut farthing = Command::new(env!("CARGO_BIN_EXE_farthing"));
        farthing.arg("backup").arg(&path).args(["--database-url", &self.database_url]);
        assert!(farthing.current_dir(self.folder()).output().unwrap().status.success());
        path
    }

    /// Waits for the end of the run and then for the site. The ledger must be unchanged and accept bids.
    async fn decided(&mut self) -> Run {
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
        self.bids(1000).await;
        assert!(begun.elapsed() < DECIDED_MAX);
        self.check().await;
        run
    }

    async fn rolled_back(&mut self, words: &str) {
        let run = self.decided().await;
        let reason = run.reason.unwrap_or_default();
        assert_eq!(run.status, RunStatus::RolledBack, "{reason}");
        assert!(reason.contains(words), "{reason}");
        assert!(!self.folder().join("current").exists(), "it was not there before");
        if self.database_url.starts_with("sqlite:") {
            // Removed with the rest of the new schema.
            database::write_elsewhere(&self.database_url, MIGRATION).await;
        }
    }
}

/// Changes the binary of a release.
type Break = fn(&Path);

/// Ways in which a new release can be broken.
fn broken() -> [(&'static str, Break, &'static str); 4] {
    [
        (
            "it exits",
            |path| script("#!/bin/sh\necho 'no such table: bids' >&2\nexit 3\n")(path),
            "exit status: 3: no such table: bids",
        ),
        ("it hangs", |path| script("#!/bin/sh\nexec sleep 1000\n")(path), "was not healthy within"),
        ("it is no program", |path| script("\x7fELF")(path), "can't be started"),
        ("it answers with the old number", this_version, THIS),
    ]
}

/// A broken release is rolled back to the previous one, with the database as it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_release_is_rolled_back() {
    for (_, make, words) in broken() {
        let mut site = site().await;
        site.dies_at(&StepName::Restart, NEXT, 3, make).await;
        site.process.signal("USR1");
        site.rolled_back(words).await;
    }
}

/// A broken release is also rolled back at a start after all processes were killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_release_is_rolled_back_at_a_start() {
    let of = usize::try_from(times(1, 4)).unwrap();
    for (_, make, words) in broken().into_iter().take(of) {
        let mut site = site().await;
        site.dies_at(&StepName::Health, NEXT, 5, make).await;
        site.start_again().await;
        site.rolled_back(words).await;
    }
}

/// A release that answers with its version stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_healthy_release_stays() {
    for is_cold in [false, true] {
        let mut site = site().await;
        site.dies_at(&StepName::Restart, THIS, 20, this_version).await;
        if is_cold {
            site.start_again().await;
        } else {
            site.process.signal("USR1");
        }
        let run = site.decided().await;
        assert_eq!(run.status, RunStatus::Succeeded, "{:?}", run.reason);
        let exe = std::fs::read_link(format!("/proc/{}/exe", site.process.server())).unwrap();
        assert!(exe.ends_with("releases/v99.0.0/target/release/farthing"), "{}", exe.display());
    }
}

/// After all processes were killed at any step of a run, the next start finishes the run or rolls it back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_rolls_back_an_interrupted_run() {
    let before_restart = StepName::ALL.iter().take_while(|name| **name != StepName::Restart);
    let every = usize::try_from(times(4, 1)).unwrap();
    for step in before_restart.step_by(every) {
        let mut site = site().await;
        site.dies_at(step, NEXT, 60, this_version).await;
        site.start_again().await;
        site.rolled_back(&format!("interrupted at the step `{step}`")).await;
    }
}

/// If only the server is killed, its supervisor rolls the run back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_supervisor_rolls_back_the_unfinished_run_of_its_server() {
    let mut site = site().await;
    site.dies_at(&StepName::Schema, NEXT, 60, this_version).await;
    super::family::signal(site.process.server(), "KILL");
    site.rolled_back("interrupted at the step `schema`").await;
}

/// A run from the shell that still goes on is not rolled back.
#[tokio::test]
async fn a_run_in_progress_is_not_rolled_back() {
    let mut site = site().await;
    site.dies_at(&StepName::Build, NEXT, 60, this_version).await;
    let _held = UpdateLock::take(&site.data_dir()).unwrap();
    site.process.signal("USR1");
    site.process.says("serving again after").await;
    let run = journal::read(&site.data_dir()).unwrap().unwrap().run;
    assert_eq!(run.status, RunStatus::Running);
}

/// A server that was killed with its supervisor may hold its locks a moment longer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_waits_for_a_dying_server() {
    let mut site = site().await;
    site.dies_at(&StepName::Schema, NEXT, 60, this_version).await;
    let held = UpdateLock::take(&site.data_dir()).unwrap();
    site.process.kill();
    let dying = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(held);
    });
    site.process = Process::start(&site.database_url, &site.folder()).await;
    assert!(dying.is_finished(), "it has waited");
    site.rolled_back("interrupted at the step `schema`").await;
}

/// While the journal can't be read, a start changes nothing: closed writes stay closed. Once it can be read,
/// the run is rolled back, and no bid is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_journal_is_not_that_of_a_finished_run() {
    let steps = [StepName::Fetch, StepName::Schema, StepName::Switch, StepName::Restart];
    let every = usize::try_from(times(2, 1)).unwrap();
    for step in steps.into_iter().rev().step_by(every) {
        let mut site = site().await;
        site.dies_at(&step, NEXT, 3, this_version).await;
        let journal = site.data_dir().join("update/journal.json");
        let aside = journal.with_file_name("aside");
        std::fs::rename(&journal, &aside).unwrap();
        // The superuser ignores permissions; nobody can read a folder as a file.
        std::fs::create_dir(&journal).unwrap();
        site.process.kill();
        let mut serve = command(&site.database_url, &site.folder(), "127.0.0.1:0");
        serve.env("RUST_LOG", "info");
        site.process = Process::run(serve).await;
        site.process.says("make the file readable").await;
        let answer = bid(&site.sale, &site.process.url, 0, 0, 500).await.unwrap();
        match answer {
            Answer::Later => assert_ne!(step, StepName::Fetch, "no writes were closed"),
            Answer::Accepted(told) => {
                assert_eq!(step, StepName::Fetch, "writes stay closed");
                site.told.push(told);
            }
            other => panic!("{other:?}"),
        }
        std::fs::remove_dir(&journal).unwrap();
        std::fs::rename(&aside, &journal).unwrap();
        site.rolled_back("").await;
    }
}

/// What is written after writes were opened is never replaced by the backup, whatever the journal says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rollback_keeps_what_was_written_after_writes_were_opened() {
    let mut site = site().await;
    site.dies_at(&StepName::Restart, NEXT, 3, script("#!/bin/sh\nexit 3\n")).await;
    database::write_elsewhere(&site.database_url, OPEN).await;
    site.bids(500).await;
    site.process.signal("USR1");
    let run = site.decided().await;
    assert_eq!(run.status, RunStatus::RolledBack, "{:?}", run.reason);
    assert!(!site.folder().join("current").exists());
}

/// The database that a rollback replaces is kept, and the reason names the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rollback_keeps_the_database_that_it_replaces() {
    let mut site = site().await;
    if !site.database_url.starts_with("sqlite:") {
        return;
    }
    site.dies_at(&StepName::Schema, NEXT, 60, this_version).await;
    site.start_again().await;
    site.rolled_back("farthing.db.rolled_back_20260501_180000").await;
    let kept = site.folder().join("farthing.db.rolled_back_20260501_180000");
    let kept = format!("sqlite://{}", kept.display());
    database::write_elsewhere(&kept, "INSERT INTO of_the_next_version VALUES ('it has the migration')").await;
}

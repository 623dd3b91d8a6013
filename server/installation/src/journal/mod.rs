//! The journal of the update: the run and the plan of its rollback. It is a file in the data folder and not
//! in the database, because a rollback restores the database.

mod feed;
mod files;
mod folder;
mod lock;
pub(crate) mod moment;
mod run;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use feed::RunFeed;
pub use files::{read_file, remove_file, write_file};
pub use folder::{JournalError, folder};
pub use lock::{LockError, UpdateLock};
pub use run::{Run, RunStage, RunStatus, Step, StepName, StepStatus};

use platform::time::Moment;

const JOURNAL: &str = "journal.json";

/// Time for the restart, in addition to the timeout of the health check. With the interval of the watch for
/// abandoned runs it stays below the ten seconds of SPEC, section 9.
const RESTART_SECONDS: i64 = 5;

/// Time for the supervisor to stop the server and roll back a run that was handed over to it. After that a
/// server may hand it over again.
const HANDOVER_SECONDS: i64 = 30;

/// A run and the plan of its rollback.
///
/// INVARIANT: the file is read by other versions of Farthing: its format only gains optional members.
/// `sample.json` is such a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Journal {
    pub run: Run,
    #[serde(rename = "way")]
    pub rollback: RollbackPlan,
    /// When the run was left to the supervisor, which rolls it back after the server has ended.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "moment::optional")]
    pub handed_over_at: Option<Moment>,
}

/// What it takes to continue or roll back a run after its process has ended. Paths are absolute, except
/// `previous`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RollbackPlan {
    pub install_dir: PathBuf,
    pub database: RunDatabase,
    /// The target of the link `current` before the run, verbatim; `None` if there was no link.
    pub previous: Option<PathBuf>,
    /// The folder of the new release. Set by `determine`.
    pub release: Option<PathBuf>,
    /// This run's backup of the database, complete and checked. A rollback moves it to the place of the
    /// database.
    pub backup: Option<PathBuf>,
    pub health_url: Option<String>,
    pub health_timeout_seconds: u64,
    /// How long the new release is observed after it has answered, with writes open.
    #[serde(default)]
    pub observe_seconds: u64,
}

/// The database that a run migrates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum RunDatabase {
    Sqlite { path: PathBuf },
    Postgres,
}

/// The journal of the current or last run; `None` before the first.
pub fn read(data_dir: &Path) -> Result<Option<Journal>, JournalError> {
    read_file(data_dir, JOURNAL)
}

/// Replaces the journal durably. If this fails, the old journal remains.
pub fn write(lock: &UpdateLock, data_dir: &Path, journal: &Journal) -> Result<(), JournalError> {
    write_file(lock, data_dir, JOURNAL, journal)
}

impl Journal {
    /// Whether no process will continue the run, provided that the lock is free.
    pub fn is_abandoned(&self, now: Moment) -> bool {
        if self.handed_over_at.is_some_and(|at| (at..at.plus_seconds(HANDOVER_SECONDS)).contains(&now)) {
            return false;
        }
        match self.run.stage() {
            RunStage::Finished => false,
            RunStage::Prepares | RunStage::Fails | RunStage::Completes => true,
            RunStage::AwaitsHealth => {
                let switched = self.run.step(&StepName::Switch).and_then(|step| step.finished_at);
                switched.is_none_or(|switched| now > switched.plus_seconds(self.health_limit_seconds()))
            }
        }
    }

    /// How long after `switch` the new release has to answer.
    fn health_limit_seconds(&self) -> i64 {
        let seconds = i64::try_from(self.rollback.health_timeout_seconds).unwrap_or(i64::MAX);
        seconds.saturating_add(RESTART_SECONDS)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ids::RunId;

    const SAMPLE: &str = include_str!("sample.json");

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    /// What `sample.json` holds.
    pub(crate) fn sample() -> Journal {
        let started_at = moment("2026-05-01T18:00:00Z");
        let mut steps: Vec<Step> = StepName::ALL.into_iter().map(Step::pending).collect();
        steps[0].begin(started_at);
        steps[0].output = "1.9.0 runs, the latest release is v1.10.0\n".to_owned();
        steps[0].end(StepStatus::Done, None, started_at.plus_seconds(1));
        steps[1].begin(started_at.plus_seconds(1));
        steps[2].end(StepStatus::Skipped, Some("`update.toml` skips it".to_owned()), started_at);
        steps.push(Step::pending(StepName::Hook("upload-backup".to_owned())));
        let run = Run {
            id: "019de4bf-6c00-7d7a-95d2-9d5b0ff3f6d1".parse::<RunId>().unwrap(),
            status: RunStatus::Running,
            from_version: "1.9.0".to_owned(),
            to_version: Some("1.10.0".to_owned()),
            reason: None,
            started_at,
            finished_at: None,
            steps,
        };
        let rollback = RollbackPlan {
            install_dir: PathBuf::from("/srv/farthing"),
            database: RunDatabase::Sqlite { path: PathBuf::from("/srv/farthing/data/farthing.db") },
            previous: Some(PathBuf::from("releases/v1.9.0")),
            release: Some(PathBuf::from("/srv/farthing/releases/v1.10.0")),
            backup: None,
            health_url: None,
            health_timeout_seconds: 60,
            observe_seconds: 30,
        };
        Journal { run, rollback, handed_over_at: None }
    }

    #[test]
    fn the_format_of_the_file_does_not_change() {
        assert_eq!(serde_json::from_str::<Journal>(SAMPLE).unwrap(), sample());
        assert_eq!(serde_json::to_string_pretty(&sample()).unwrap(), SAMPLE.trim_end());
    }

    #[test]
    fn a_run_that_was_handed_over_is_left_alone_for_a_while() {
        let mut journal = sample();
        let now = journal.run.started_at;
        assert!(journal.is_abandoned(now));
        journal.handed_over_at = Some(now);
        assert!(!journal.is_abandoned(now) && !journal.is_abandoned(now.plus_seconds(HANDOVER_SECONDS - 1)));
        assert!(journal.is_abandoned(now.plus_seconds(HANDOVER_SECONDS)), "the supervisor has not ended it");
        assert!(journal.is_abandoned(now.plus_seconds(-1)), "the clock was set back");
        let text = serde_json::to_string(&journal).unwrap();
        assert_eq!(serde_json::from_str::<Journal>(&text).unwrap(), journal);
    }

    #[test]
    fn the_journal_is_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap().is_none());
        let lock = UpdateLock::take(folder.path()).unwrap();
        let mut written = sample();
        for reason in [None, Some("the build failed".to_owned())] {
            written.run.reason = reason;
            write(&lock, folder.path(), &written).unwrap();
            assert_eq!(read(folder.path()).unwrap().as_ref(), Some(&written));
        }
    }

    #[test]
    fn an_unreadable_journal_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("update")).unwrap();
        std::fs::write(folder.path().join("update/journal.json"), "{").unwrap();
        assert!(matches!(read(folder.path()), Err(JournalError::Content { .. })));
    }
}

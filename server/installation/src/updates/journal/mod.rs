//! The journal of a run: what `GET /api/system/update` answers, and what it takes to go on or back. It is a file in
//! the data folder and not in the database, since the way back restores that.

mod files;
mod record;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use files::{JournalError, LockError, UpdateLock, folder};
pub(crate) use files::{forget, keep, kept};
pub use record::{Run, RunStatus, Step, StepName, StepStatus};

use platform::time::Moment;

const JOURNAL: &str = "journal.json";

/// Between the switch and the new release's word, beyond the time that it has to become well.
const RESTART_SECONDS: i64 = 60;

/// A run and its way back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Journal {
    pub run: Run,
    pub way: Way,
}

/// What a run needs to go on or back after its process has ended. Paths are absolute, save `previous`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Way {
    pub install_dir: PathBuf,
    pub database: RunDatabase,
    /// What `current` said before, to the letter; nothing where it was not there.
    pub previous: Option<PathBuf>,
    /// The folder of the new release, known once `determine` is done.
    pub release: Option<PathBuf>,
    /// This run's copy of the database, complete and checked.
    pub backup: Option<PathBuf>,
    pub health_url: Option<String>,
    pub health_timeout_seconds: u64,
}

/// The database that a run migrates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum RunDatabase {
    Sqlite { path: PathBuf },
    Postgres,
}

/// The current or last run; nothing before the first. What is read is whole, whoever writes meanwhile.
pub fn read(data_dir: &Path) -> Result<Option<Journal>, JournalError> {
    kept(data_dir, JOURNAL)
}

/// Is on the disk when it returns, or the old journal is.
pub fn write(held: &UpdateLock, data_dir: &Path, journal: &Journal) -> Result<(), JournalError> {
    keep(held, data_dir, JOURNAL, journal)
}

impl Journal {
    /// Whether nobody goes on with the run any more, provided that nobody has the lock.
    pub fn is_abandoned(&self, now: Moment) -> bool {
        if !self.run.awaits_restart() {
            return !self.run.is_finished();
        }
        let seconds = i64::try_from(self.way.health_timeout_seconds).unwrap_or(i64::MAX);
        let switched = self.run.step(&StepName::Switch).and_then(|step| step.finished_at);
        switched.is_none_or(|switched| now > switched.plus_seconds(seconds.saturating_add(RESTART_SECONDS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::RunId;

    fn journal() -> Journal {
        let now: Moment = "2026-05-01T18:00:00Z".parse().unwrap();
        let mut steps: Vec<Step> = StepName::ALL.into_iter().map(Step::pending).collect();
        steps[0].begin(now);
        steps[0].end(StepStatus::Done, None, now.plus_seconds(1));
        steps.push(Step::pending(StepName::Hook("upload-backup".to_owned())));
        let run = Run {
            id: RunId::new(now).unwrap(),
            status: RunStatus::Running,
            from_version: "1.9.0".to_owned(),
            to_version: Some("1.10.0".to_owned()),
            reason: None,
            started_at: now,
            finished_at: None,
            steps,
        };
        let way = Way {
            install_dir: PathBuf::from("/srv/farthing"),
            database: RunDatabase::Sqlite { path: PathBuf::from("/srv/farthing/data/farthing.db") },
            previous: Some(PathBuf::from("releases/v1.9.0")),
            release: None,
            backup: None,
            health_url: None,
            health_timeout_seconds: 60,
        };
        Journal { run, way }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap().is_none());
        let lock = UpdateLock::take(folder.path()).unwrap();
        let mut written = journal();
        for reason in [None, Some("the build failed".to_owned())] {
            written.run.reason = reason;
            write(&lock, folder.path(), &written).unwrap();
            assert_eq!(read(folder.path()).unwrap().as_ref(), Some(&written));
        }
    }

    #[test]
    fn a_run_is_written_as_the_contract_has_it() {
        let run = serde_json::to_value(journal().run).unwrap();
        let members: Vec<&str> = run.as_object().unwrap().keys().map(String::as_str).collect();
        let mut wanted = "id status fromVersion toVersion reason startedAt finishedAt steps"
            .split(' ')
            .collect::<Vec<_>>();
        wanted.sort_unstable();
        assert_eq!(members, wanted);
        assert_eq!((&run["status"], &run["finishedAt"]), (&"RUNNING".into(), &serde_json::Value::Null));
        assert_eq!(run["startedAt"], "2026-05-01T18:00:00.000Z");
        let names: Vec<&str> =
            run["steps"].as_array().unwrap().iter().map(|step| step["name"].as_str().unwrap()).collect();
        assert_eq!(names[3], "data_layer");
        assert_eq!(names[11], "upload-backup");
        assert_eq!(
            (&run["steps"][0]["status"], &run["steps"][1]["status"]),
            (&"DONE".into(), &"PENDING".into())
        );
    }

    #[test]
    fn what_can_not_be_read_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("update")).unwrap();
        std::fs::write(folder.path().join("update/journal.json"), "{").unwrap();
        assert!(matches!(read(folder.path()), Err(JournalError::Content { .. })));
    }
}

//! The journal of a run: what `GET /api/system/update` answers, and what it takes to go on or back. It is a file in
//! the data folder and not in the database, since the way back restores that.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::clock::Moment;
use crate::ids::RunId;

const FOLDER: &str = "update";
const JOURNAL: &str = "journal.json";
const PARTIAL: &str = "journal.json.partial";
const LOCK: &str = "lock";

/// Between the switch and the new release's word, beyond the time that it has to become well.
const RESTART_SECONDS: i64 = 60;

/// A run and its way back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Journal {
    pub run: Run,
    pub way: Way,
}

/// A run as it is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UpdateRun)]
pub struct Run {
    #[schema(value_type = String)]
    pub id: RunId,
    pub status: RunStatus,
    pub from_version: String,
    /// Known once `determine` is done.
    pub to_version: Option<String>,
    pub reason: Option<String>,
    #[serde(with = "moment")]
    #[schema(value_type = String)]
    pub started_at: Moment,
    #[serde(with = "optional_moment")]
    #[schema(value_type = Option<String>)]
    pub finished_at: Option<Moment>,
    /// In the order in which they run.
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UpdateRunStatus)]
pub enum RunStatus {
    Running,
    NothingToDo,
    Succeeded,
    RolledBack,
    /// The way back failed: the reason says what to run.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UpdateStep)]
pub struct Step {
    #[schema(value_type = String)]
    pub name: StepName,
    pub status: StepStatus,
    #[serde(with = "optional_moment")]
    #[schema(value_type = Option<String>)]
    pub started_at: Option<Moment>,
    #[serde(with = "optional_moment")]
    #[schema(value_type = Option<String>)]
    pub finished_at: Option<Moment>,
    /// What its commands have written, the last of it where that is much.
    pub output: String,
    /// Why it was skipped, or failed.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UpdateStepStatus)]
pub enum StepStatus {
    Pending,
    Running,
    Done,
    Skipped,
    Failed,
}

/// The steps of the procedure in their order, and those that `update.toml` adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepName {
    Determine,
    Fetch,
    Dependencies,
    DataLayer,
    Build,
    Rehearse,
    Backup,
    Schema,
    Switch,
    Restart,
    Health,
    Hook(String),
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

/// Why the journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("can't keep the journal of the update in `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("the journal of the update `{path}` can't be read: {cause}")]
    Content { path: PathBuf, cause: serde_json::Error },
}

/// Why a run can't have the journal to itself.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("an update is under way")]
    Held,
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Whoever has it runs, finishes or reverts a run. The system takes it back with the process, however that ends.
#[derive(Debug)]
pub struct UpdateLock(File);

impl UpdateLock {
    pub fn take(data_dir: &Path) -> Result<Self, LockError> {
        let folder = folder(data_dir)?;
        let path = folder.join(LOCK);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
        let file = opened.map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(LockError::Held),
            Err(TryLockError::Error(cause)) => Err(JournalError::Io { path, cause }.into()),
        }
    }
}

impl Drop for UpdateLock {
    fn drop(&mut self) {
        // Closing is not enough: a process that is being started may hold the file open for a moment longer.
        let _ = self.0.unlock();
    }
}

/// The current or last run; nothing before the first. What is read is whole, whoever writes meanwhile.
pub fn read(data_dir: &Path) -> Result<Option<Journal>, JournalError> {
    let path = data_dir.join(FOLDER).join(JOURNAL);
    match std::fs::read(&path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|cause| JournalError::Content { path, cause })
        }
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(cause) => Err(JournalError::Io { path, cause }),
    }
}

/// Is on the disk when it returns, or the old journal is.
pub fn write(_held: &UpdateLock, data_dir: &Path, journal: &Journal) -> Result<(), JournalError> {
    let folder = folder(data_dir)?;
    let path = folder.join(JOURNAL);
    let mut bytes = serde_json::to_vec_pretty(journal)
        .map_err(|cause| JournalError::Content { path: path.clone(), cause })?;
    bytes.push(b'\n');
    let replace = || {
        let partial = folder.join(PARTIAL);
        let mut file =
            OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&partial)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&partial, &path)?;
        File::open(&folder)?.sync_all()
    };
    replace().map_err(|cause| JournalError::Io { path: path.clone(), cause })
}

/// The folder of the update's own files, made where it is missing.
pub fn folder(data_dir: &Path) -> Result<PathBuf, JournalError> {
    let path = data_dir.join(FOLDER);
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
    made.map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
    Ok(path)
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

impl Run {
    pub fn step(&self, name: &StepName) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == *name)
    }

    pub fn step_mut(&mut self, name: &StepName) -> Option<&mut Step> {
        self.steps.iter_mut().find(|step| step.name == *name)
    }

    /// Whether a step has begun, whatever came of it.
    pub fn has_begun(&self, name: &StepName) -> bool {
        self.step(name).is_some_and(|step| step.started_at.is_some())
    }

    pub fn is_done(&self, name: &StepName) -> bool {
        self.step(name).is_some_and(|step| step.status == StepStatus::Done)
    }

    pub fn is_finished(&self) -> bool {
        self.status != RunStatus::Running
    }

    /// Whether all that is left is to start the new release and to ask it how it is: it may be tried. Another run that
    /// is not finished is to be reverted.
    pub fn awaits_restart(&self) -> bool {
        !self.is_finished() && self.is_done(&StepName::Switch)
    }
}

impl Step {
    pub fn pending(name: StepName) -> Self {
        let status = StepStatus::Pending;
        Self { name, status, started_at: None, finished_at: None, output: String::new(), reason: None }
    }

    pub fn begin(&mut self, now: Moment) {
        self.status = StepStatus::Running;
        self.started_at = Some(now);
    }

    pub fn end(&mut self, status: StepStatus, reason: Option<String>, now: Moment) {
        self.status = status;
        self.reason = reason;
        self.finished_at = Some(now);
    }
}

impl StepName {
    /// The steps of the procedure in their order.
    pub const ALL: [Self; 11] = [
        Self::Determine,
        Self::Fetch,
        Self::Dependencies,
        Self::DataLayer,
        Self::Build,
        Self::Rehearse,
        Self::Backup,
        Self::Schema,
        Self::Switch,
        Self::Restart,
        Self::Health,
    ];

    pub fn as_str(&self) -> &str {
        match self {
            Self::Determine => "determine",
            Self::Fetch => "fetch",
            Self::Dependencies => "dependencies",
            Self::DataLayer => "data_layer",
            Self::Build => "build",
            Self::Rehearse => "rehearse",
            Self::Backup => "backup",
            Self::Schema => "schema",
            Self::Switch => "switch",
            Self::Restart => "restart",
            Self::Health => "health",
            Self::Hook(name) => name,
        }
    }
}

impl std::fmt::Display for StepName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is none of the procedure's is a hook's.
impl From<String> for StepName {
    fn from(text: String) -> Self {
        Self::ALL.into_iter().find(|name| name.as_str() == text).unwrap_or(Self::Hook(text))
    }
}

impl Serialize for StepName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for StepName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// RFC 3339.
mod moment {
    use super::{Deserialize, Deserializer, Moment, Serializer};

    pub fn serialize<S: Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(moment)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

mod optional_moment {
    use super::{Deserialize, Deserializer, Moment, Serializer};

    pub fn serialize<S: Serializer>(moment: &Option<Moment>, serializer: S) -> Result<S::Ok, S::Error> {
        match moment {
            Some(moment) => serializer.collect_str(moment),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn one_holds_the_lock_and_its_file_alone_holds_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let held = UpdateLock::take(folder.path()).unwrap();
        assert!(matches!(UpdateLock::take(folder.path()), Err(LockError::Held)));
        drop(held);
        assert!(folder.path().join("update/lock").is_file());
        UpdateLock::take(folder.path()).unwrap();
    }

    #[test]
    fn what_can_not_be_read_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("update")).unwrap();
        std::fs::write(folder.path().join("update/journal.json"), "{").unwrap();
        assert!(matches!(read(folder.path()), Err(JournalError::Content { .. })));
    }
}

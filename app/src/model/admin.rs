//! The Deployment Administration.

/// What the viewer finds there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminPage {
    /// Nobody is the Deployment Admin, and so the viewer may be.
    Unclaimed,
    /// Another user is.
    Taken,
    Mine(Box<Administration>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administration {
    pub version: VersionFacts,
    pub auto_check_updates: bool,
    /// The current or last run.
    pub run: Option<RunFacts>,
    /// Copies of the database, newest first; nothing where the database is not ours to copy.
    pub backups: Option<Vec<BackupFacts>>,
    /// What was done, newest first.
    pub log: Vec<Deed>,
}

/// Which version runs, and which there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFacts {
    pub current: String,
    /// The current one where nothing is known.
    pub latest: String,
    pub update_available: bool,
    /// The notes of the latest: an https address.
    pub release_url: Option<String>,
    /// Why nothing is known, or nothing new.
    pub check_error: Option<String>,
}

/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    pub at: i64,
    /// Nobody: the owner of the machine, from its shell.
    pub actor: Option<String>,
    /// What was done, as a sentence goes on after the actor.
    pub words: String,
}

/// A run of the update as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    pub id: String,
    pub status: RunState,
    pub from: String,
    /// Known once the run has asked.
    pub to: Option<String>,
    pub reason: Option<String>,
    pub started_at: i64,
    pub finished_at: Option<i64>,
    pub steps: Vec<StepFacts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    Running,
    NothingToDo,
    Succeeded,
    RolledBack,
    /// And so has the way back.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFacts {
    pub name: String,
    pub status: StepState,
    /// How long it took, or takes so far.
    pub milliseconds: Option<i64>,
    pub output: String,
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    Pending,
    Running,
    Done,
    Skipped,
    Failed,
}

/// A copy of the database that can be gone back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFacts {
    /// Of its file among the backups.
    pub name: String,
    pub bytes: u64,
    pub made_at: i64,
}

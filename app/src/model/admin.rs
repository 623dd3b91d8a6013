//! The data of the Deployment Administration.

use super::RenderedText;
use super::wire::wire_enum;

/// The page as the viewer may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminPage {
    /// There is no Deployment Admin.
    Unclaimed(ClaimTerms),
    /// Another user is the Deployment Admin.
    Taken,
    Mine(Box<Administration>),
}

/// The terms on which the viewer may claim the role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimTerms {
    Open,
    /// With the one-time code.
    WithCode,
    /// The operator has named this account, whose e-mail is to be confirmed first.
    Unconfirmed,
    /// The operator has named another account.
    Reserved,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administration {
    pub version: VersionFacts,
    pub auto_check_updates: bool,
    /// The Deployment Admin's account has a second factor.
    pub has_second_factor: bool,
    /// The role is for accounts with a second factor only.
    pub needs_second_factor: bool,
    /// The current or last run.
    pub run: Option<RunFacts>,
    /// The name of its state, which the event of this state has as its id.
    pub run_state: String,
    /// The version of the release before the current one, if it is installed.
    pub previous: Option<String>,
    pub backups: Backups,
    /// The operator's settings. The first is that of registration.
    pub settings: Vec<SettingInForce>,
    /// Free bytes of the disk with the data. Absent if they are not known.
    pub free_disk: Option<u64>,
    /// This installation sends mail.
    pub sends_mail: bool,
    /// Sentence about the store of pictures that needs a look. Absent if everything is fine.
    pub pictures: Option<String>,
    /// Newest first.
    pub log: Vec<AuditEntry>,
    /// Sign-ins and what users did with their accounts, newest first.
    pub log_of_people: Vec<AuditEntry>,
}

/// A setting of the operator, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingInForce {
    pub subject: &'static str,
    pub words: String,
    /// Its name in the file of settings.
    pub name: &'static str,
}

/// An update pauses bidding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// An update is under way that will pause bidding.
    Announced,
    Begun,
    /// An update has failed, and so has its rollback: bidding pauses until its backup is restored.
    Failed,
}

/// The running version and the latest release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFacts {
    pub current: String,
    /// The current version if the latest one is unknown.
    pub latest: String,
    pub update_available: bool,
    /// HTTPS address of the notes of the latest release.
    pub release_url: Option<String>,
    /// Why the latest version is not known, or not up to date.
    pub check_error: Option<String>,
    /// More about that.
    pub check_detail: Option<String>,
    pub is_latest_known: bool,
    /// The last check, if there was one.
    pub checked_at: Option<i64>,
    /// Whether releases can be looked up at all.
    pub can_check: bool,
    pub source: UpdateSource,
    /// Why nothing can be updated here.
    pub obstacle: Option<String>,
    /// Duration of the last update that has succeeded.
    pub last_update_seconds: Option<i64>,
    /// Notes of the latest release. Empty if they are not known.
    pub notes: RenderedText,
    /// Servers of the same database that run another version: machine and version.
    pub other_servers: Vec<(String, String)>,
}

/// Source of the releases that an update installs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateSource {
    /// A tag of a git checkout, which is compiled here.
    Compiled {
        /// Free disk that is required, in MiB.
        disk_mb: u64,
    },
    /// The same, with a command of the operator.
    OwnBuild,
    Archive {
        /// Size of the archive of the latest release, if it is known.
        bytes: Option<u64>,
    },
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: i64,
    /// Absent if the action was taken from the shell of the server.
    pub actor: Option<String>,
    /// The action, as the part of a sentence that follows the actor.
    pub words: String,
}

/// A run of the update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    pub id: String,
    pub status: RunState,
    pub from: String,
    /// Absent until the run has determined the latest release.
    pub to: Option<String>,
    pub reason: Option<String>,
    pub started_at: i64,
    pub finished_at: Option<i64>,
    pub steps: Vec<StepFacts>,
    /// The backup that has to be restored before writes open and the next update can start.
    pub backup_to_restore: Option<String>,
}

wire_enum! {
    RunState {
        Running = "RUNNING",
        NothingToDo = "NOTHING_TO_DO",
        Succeeded = "SUCCEEDED",
        RolledBack = "ROLLED_BACK",
        /// The rollback failed too.
        Failed = "FAILED",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFacts {
    pub name: String,
    pub status: StepState,
    /// Duration, so far if the step is running. Absent if it has not started.
    pub milliseconds: Option<i64>,
    pub output: String,
    pub reason: Option<String>,
}

wire_enum! {
    StepState {
        Pending = "PENDING",
        Running = "RUNNING",
        Done = "DONE",
        Skipped = "SKIPPED",
        Failed = "FAILED",
    }
}

/// An account as the Deployment Admin sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserEntry {
    pub id: String,
    pub name: String,
    pub email: String,
    pub registered_at: i64,
    pub last_sign_in_at: Option<i64>,
    pub is_disabled: bool,
}

/// The first accounts that contain what was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsersPage {
    pub users: Vec<UserEntry>,
    pub wanted: String,
    /// There may be more accounts.
    pub has_more: bool,
}

/// A link with which a user sets a new password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewResetLink {
    pub name: String,
    pub url: String,
    pub expires_at: i64,
}

/// The backups of this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backups {
    /// Newest first.
    pub files: Vec<BackupFacts>,
    /// Whether the machine has the programs that back up this database.
    pub can_back_up: bool,
    /// The database is a file: its backups can be restored on the page.
    pub is_copied: bool,
    pub has_schedule: bool,
    /// When and why the last backup of the schedule failed.
    pub failure: Option<(i64, String)>,
    pub now: i64,
}

/// A backup of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFacts {
    /// File name in the folder of backups.
    pub name: String,
    pub bytes: u64,
    pub made_at: i64,
    /// A copy of a SQLite database, not a dump of PostgreSQL.
    pub is_copy: bool,
}

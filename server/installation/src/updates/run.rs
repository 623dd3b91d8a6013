//! The state of a run that is under way, and what its steps have in common.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use semver::Version;

use super::archive::ArchiveFiles;
use super::config::{Config, ConfigError};
use super::git::Checkout;
use super::recorder::Recorder;
use crate::Installation;
use crate::command::Task;
use crate::config::{Settings, command_environment};
use crate::ids::UserId;
use crate::journal::{JournalError, RollbackPlan, Run, RunDatabase};
use crate::releases::{Keys, Release};
use crate::supervisor::binary;
use platform::db::Database;

/// How long a release is observed whose observation was interrupted, so that the run ends within 30 s of the
/// next start (SPEC, section 8).
const OBSERVE_AGAIN_MAX: Duration = Duration::from_secs(5);

/// On whose behalf a run takes place, and in which process.
pub struct Caller<'a> {
    /// `None`: the owner of the machine.
    pub actor: Option<UserId>,
    /// The installation of this server; `None` in a shell.
    pub installation: Option<&'a Installation>,
    /// The binary of Farthing that guards the commands of the run.
    pub guard: Option<PathBuf>,
}

impl<'a> Caller<'a> {
    /// The owner of the machine in a shell.
    pub fn shell() -> Self {
        Self { actor: None, installation: None, guard: binary::own().ok() }
    }

    pub fn server(installation: &'a Installation, actor: Option<UserId>) -> Self {
        // Without a supervisor this process need not be the binary of Farthing.
        let guard = if installation.control.is_supervised() { binary::own().ok() } else { None };
        Self { actor, installation: Some(installation), guard }
    }
}

/// The release that a run installs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunTarget {
    Latest,
    /// The release before the current one.
    Previous,
}

/// What `fetch` fetches the release from.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    Git { checkout: Checkout, signers: Option<PathBuf> },
    Archive { files: ArchiveFiles, keys: Keys },
}

/// A run that is under way.
pub struct Update {
    pub(super) settings: Settings,
    pub(super) config: Config,
    pub(super) db: Database,
    pub(super) recorder: Recorder,
    /// The version that runs.
    pub(super) from: Version,
    /// Set by `determine`.
    pub(super) release: Option<Release>,
    pub(super) origin: Option<Origin>,
    /// Why `update.toml` is not valid: the first step fails with it.
    pub(super) config_error: Option<ConfigError>,
    pub(super) actor: Option<UserId>,
    pub(super) guard: Option<PathBuf>,
    pub(super) target: RunTarget,
    /// Whether the release before this one has started the run.
    pub(super) continued_after_restart: bool,
    /// Whether an earlier process of this release has died while the release was observed.
    pub(super) is_observed_again: bool,
}

/// The result of a step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Skipped(String),
}

/// Why the next step does not follow in this process.
#[derive(Debug)]
pub(super) enum StepError {
    NothingToDo,
    /// The next server continues the run.
    Restarting,
    /// With a text for the Deployment Admin.
    Failed(String),
}

impl StepError {
    pub fn because(error: impl std::fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<JournalError> for StepError {
    fn from(error: JournalError) -> Self {
        Self::because(error)
    }
}

impl Update {
    pub fn run(&self) -> &Run {
        &self.recorder.journal.run
    }

    pub fn health_timeout(&self) -> Duration {
        Duration::from_secs(self.plan().health_timeout_seconds)
    }

    pub fn observe_time(&self) -> Duration {
        let configured = Duration::from_secs(self.plan().observe_seconds);
        if self.is_observed_again { configured.min(OBSERVE_AGAIN_MAX) } else { configured }
    }

    pub(super) fn plan(&self) -> &RollbackPlan {
        &self.recorder.journal.rollback
    }

    /// The release that `determine` has found.
    pub(super) fn found_release(&self) -> Result<&Release, StepError> {
        self.release.as_ref().ok_or_else(|| StepError::Failed("no release is determined".to_owned()))
    }

    pub(super) fn release_folder(&self) -> Result<PathBuf, StepError> {
        let folder = self.plan().release.clone();
        folder.ok_or_else(|| StepError::Failed("no release is determined".to_owned()))
    }

    pub(super) fn step_timeout(&self) -> Duration {
        Duration::from_secs(self.config.limits.step_timeout_seconds)
    }

    /// A command in `folder` with the environment of SPEC, section 8.
    pub(super) fn task(&self, command: &[String], folder: PathBuf) -> Result<Task, StepError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(StepError::Failed("there is no command".to_owned()));
        };
        let database_url = match &self.plan().database {
            RunDatabase::Sqlite { path } => {
                let mut url = OsString::from("sqlite://");
                url.push(path);
                url
            }
            RunDatabase::Postgres => self.settings.database_url.clone().into(),
        };
        let own = [
            ("FARTHING_INSTALL_DIR", self.settings.install_dir.clone().into_os_string()),
            ("DATABASE_URL", database_url),
        ];
        let mut task = Task::new(program, &folder)
            .guarded_by(self.guard.as_deref())
            .arguments(arguments)
            .environment(command_environment())
            .environment(own.map(|(name, value)| (name.into(), value)));
        if let Some(tag) = self.tag() {
            let version = self.run().to_version.clone().unwrap_or_default();
            task =
                task.environment([("FARTHING_TAG".into(), tag), ("FARTHING_VERSION".into(), version.into())]);
        }
        Ok(task)
    }

    /// A command that builds the release. It runs the code of all dependencies, so it does not get the
    /// address of the database, which may contain a password.
    pub(super) fn build_task(&self, command: &[String], folder: PathBuf) -> Result<Task, StepError> {
        Ok(self.task(command, folder)?.without("DATABASE_URL"))
    }

    /// The tag of the new release. After a restart it is the name of the release's folder.
    fn tag(&self) -> Option<OsString> {
        match &self.release {
            Some(release) => Some(release.tag.as_str().into()),
            None => self.plan().release.as_ref()?.file_name().map(ToOwned::to_owned),
        }
    }

    /// Runs a command and records its output.
    pub(super) async fn run_task(&mut self, task: &Task) -> Result<(), StepError> {
        let timeout = self.step_timeout();
        self.recorder.write_line(&format!("$ {}", task.shown())).await;
        task.run(timeout, &mut self.recorder).await.map_err(StepError::because)
    }
}

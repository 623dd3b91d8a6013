//! What the steps of a run do, in the order of their names in the journal.

mod database;
mod determine;
mod prepare;
mod rehearse;
mod switch;

use std::sync::Arc;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::command::Task;
use super::config::Arguments;
use super::journal::{JournalError, RunDatabase, StepName};
use super::restart::Restarted;
use super::run::Update;
use super::{health, restart};
use crate::Installation;
use crate::config::environment_of_commands;
use crate::releases::Release;

pub use rehearse::clear;
pub use switch::point;

/// The link to the release that runs after the next start.
pub const CURRENT: &str = "current";
/// Where releases lie in the installation.
pub const RELEASES: &str = "releases";
/// The binary in a release's folder.
pub const BINARY: &str = "target/release/farthing";
/// Tells the new release's own `migrate` which run it is part of.
const RUN_VARIABLE: &str = "FARTHING_UPDATE_RUN";

/// What a step has come to.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    Skipped(String),
}

/// Why the steps after it don't follow here.
#[derive(Debug)]
pub enum StepError {
    NothingToDo,
    /// The next server goes on.
    Restarting,
    /// In words for the Deployment Admin.
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

/// Does one step.
pub async fn perform(
    update: &mut Update,
    name: &StepName,
    installation: Option<&Arc<Installation>>,
) -> Result<Outcome, StepError> {
    let steps = update.config.steps.clone();
    let own = match name {
        StepName::Dependencies => steps.dependencies,
        StepName::DataLayer => steps.data_layer,
        StepName::Build => steps.build,
        StepName::Rehearse => steps.rehearse,
        StepName::Schema => steps.schema,
        _ => None,
    };
    if let Some(command) = own {
        return replaced(update, name, command).await;
    }
    match name {
        StepName::Determine => determine::determine(update).await,
        StepName::Fetch => prepare::fetch(update).await,
        StepName::Dependencies => prepare::dependencies(update).await,
        StepName::DataLayer => prepare::data_layer(update).await,
        StepName::Build => prepare::build(update).await,
        StepName::Rehearse => rehearse::rehearse(update).await,
        StepName::Backup => database::backup(update).await,
        StepName::Schema => database::schema(update).await,
        StepName::Switch => switch::switch(update),
        StepName::Restart => start_anew(update, installation).await,
        StepName::Health => is_well(update, installation).await,
        StepName::Hook(_) => hook(update, name).await,
    }
}

/// A step whose command `update.toml` replaces.
async fn replaced(update: &mut Update, name: &StepName, command: Arguments) -> Result<Outcome, StepError> {
    if command.is_empty() {
        return Ok(Outcome::Skipped("`update.toml` skips it".to_owned()));
    }
    let task = update.task(&command, update.release_folder()?)?;
    let run = update.run().id.to_string();
    let task = match name {
        StepName::Schema => task.environment([(RUN_VARIABLE.into(), run.into())]),
        _ => task,
    };
    update.run_task(&task).await?;
    if *name == StepName::Build {
        prepare::is_built(update)?;
    }
    Ok(Outcome::Done)
}

async fn hook(update: &mut Update, name: &StepName) -> Result<Outcome, StepError> {
    let Some(hook) = update.config.hook(name) else {
        return Ok(Outcome::Skipped("`update.toml` no longer has it".to_owned()));
    };
    let command = hook.command.clone();
    let task = update.task(&command, update.settings.install_dir.clone())?;
    update.run_task(&task).await?;
    Ok(Outcome::Done)
}

async fn start_anew(
    update: &mut Update,
    installation: Option<&Arc<Installation>>,
) -> Result<Outcome, StepError> {
    const LEFT: &str = "the new release runs after the next start";
    if update.resumed {
        return Ok(Outcome::Done);
    }
    update.outlive_restart().await.map_err(StepError::because)?;
    if installation.is_none() {
        // The lock of the server's own run ends with that server.
        update.recorder.let_go();
    }
    let restarted = restart::restart(installation, &update.settings, &update.config.restart).await;
    if installation.is_none() && !matches!(restarted, Ok(Restarted::Coming)) {
        update.recorder.take_again().map_err(StepError::because)?;
    }
    match restarted {
        Ok(Restarted::Coming) => Err(StepError::Restarting),
        Ok(Restarted::LeftToOthers) => Ok(Outcome::Skipped(LEFT.to_owned())),
        Err(error) => Err(StepError::because(error)),
    }
}

async fn is_well(
    update: &mut Update,
    installation: Option<&Arc<Installation>>,
) -> Result<Outcome, StepError> {
    if update.is_left_to_others() {
        return Ok(Outcome::Skipped("the new release does not run yet".to_owned()));
    }
    let way = &update.recorder.journal.way;
    let listens = installation.and_then(|installation| installation.control.address());
    let Some(url) = way.health_url.clone().or_else(|| listens.map(health::default_url)) else {
        return Err(StepError::Failed("it is not known where the server listens".to_owned()));
    };
    let timeout = Duration::from_secs(way.health_timeout_seconds);
    let wanted = update.run().to_version.clone().unwrap_or_default();
    let version = wanted.parse().map_err(StepError::because)?;
    health::check(&url, &version, timeout).await.map_err(StepError::because)?;
    Ok(Outcome::Done)
}

impl Update {
    /// The release that `determine` has found.
    fn found(&self) -> Result<&Release, StepError> {
        self.release.as_ref().ok_or_else(|| StepError::Failed("no release is determined".to_owned()))
    }

    fn release_folder(&self) -> Result<PathBuf, StepError> {
        let folder = self.recorder.journal.way.release.clone();
        folder.ok_or_else(|| StepError::Failed("no release is determined".to_owned()))
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.config.limits.step_timeout_seconds)
    }

    /// A command as the contract has it: in `folder`, with what it may know of the environment.
    fn task(&self, command: &[String], folder: PathBuf) -> Result<Task, StepError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(StepError::Failed("there is no command".to_owned()));
        };
        let database_url = match &self.recorder.journal.way.database {
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
            .arguments(arguments)
            .environment(environment_of_commands())
            .environment(own.map(|(name, value)| (name.into(), value)));
        if let Some(tag) = self.tag() {
            let version = self.run().to_version.clone().unwrap_or_default();
            task =
                task.environment([("FARTHING_TAG".into(), tag), ("FARTHING_VERSION".into(), version.into())]);
        }
        Ok(task)
    }

    /// Known once `determine` is done; after a restart by the name of the release's folder.
    fn tag(&self) -> Option<OsString> {
        match &self.release {
            Some(release) => Some(release.tag.as_str().into()),
            None => self.recorder.journal.way.release.as_ref()?.file_name().map(ToOwned::to_owned),
        }
    }

    async fn run_task(&mut self, task: &Task) -> Result<(), StepError> {
        let limit = self.limit();
        self.recorder.say(&format!("$ {}", task.shown())).await;
        task.run(limit, &mut self.recorder).await.map_err(StepError::because)
    }
}

//! The steps of a run, as the journal names them.

mod database;
mod determine;
mod health;
mod prepare;
mod rehearse;
mod switch;

use std::sync::Arc;

use super::config::Arguments;
use super::restart::Restarted;
use super::run::{Outcome, StepError, Update};
use super::{lease_keeper, restart};
use crate::Installation;
use crate::journal::StepName;

pub use rehearse::remove_rehearsal;

/// Tells the new release's `migrate` which run it is part of.
const RUN_VARIABLE: &str = "FARTHING_UPDATE_RUN";

/// Why an archive skips the steps that make a release.
const PREBUILT: &str = "prebuilt";

/// Performs one step.
pub(super) async fn perform(
    update: &mut Update,
    name: &StepName,
    installation: Option<&Arc<Installation>>,
) -> Result<Outcome, StepError> {
    let is_built = matches!(name, StepName::Dependencies | StepName::DataLayer | StepName::Build);
    if is_built && update.config.takes_archives() {
        return Ok(Outcome::Skipped(PREBUILT.to_owned()));
    }
    let steps = update.config.steps.clone();
    let configured = match name {
        StepName::Dependencies => steps.dependencies,
        StepName::DataLayer => steps.data_layer,
        StepName::Build => steps.build,
        StepName::Rehearse => steps.rehearse,
        StepName::Schema => steps.schema,
        _ => None,
    };
    if let Some(command) = configured {
        return run_configured(update, name, command).await;
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
        StepName::Restart => restart_server(update, installation).await,
        StepName::Health => health::health(update, installation).await,
        StepName::Hook(_) => run_hook(update, name).await,
    }
}

/// A step whose command `update.toml` replaces.
async fn run_configured(
    update: &mut Update,
    name: &StepName,
    command: Arguments,
) -> Result<Outcome, StepError> {
    if command.is_empty() {
        return Ok(Outcome::Skipped("`update.toml` skips it".to_owned()));
    }
    let folder = update.release_folder()?;
    let run = update.run().id.to_string();
    let task = match name {
        StepName::Dependencies | StepName::Build => update.build_task(&command, folder)?,
        StepName::Schema => update.task(&command, folder)?.environment([(RUN_VARIABLE.into(), run.into())]),
        _ => update.task(&command, folder)?,
    };
    update.run_task(&task).await?;
    if *name == StepName::Build {
        prepare::finish_build(update)?;
    }
    Ok(Outcome::Done)
}

async fn run_hook(update: &mut Update, name: &StepName) -> Result<Outcome, StepError> {
    let Some(hook) = update.config.hook(name) else {
        return Ok(Outcome::Skipped("`update.toml` no longer has it".to_owned()));
    };
    let command = hook.command.clone();
    let task = update.task(&command, update.settings.install_dir.clone())?;
    update.run_task(&task).await?;
    Ok(Outcome::Done)
}

async fn restart_server(
    update: &mut Update,
    installation: Option<&Arc<Installation>>,
) -> Result<Outcome, StepError> {
    const NEXT_START: &str = "the new release runs after the next start";
    if update.continued_after_restart {
        return Ok(Outcome::Done);
    }
    lease_keeper::extend_for_restart(&update.db, update.run().id, update.health_timeout())
        .await
        .map_err(StepError::because)?;
    if installation.is_none() {
        // A shell outlives the restart, so it has to release the lock for the next server. A server's lock
        // ends with it.
        update.recorder.release_lock();
    }
    let restarted = restart::restart(installation, &update.settings, &update.config.restart).await;
    if installation.is_none() && !matches!(restarted, Ok(Restarted::Begun)) {
        update.recorder.lock_again().map_err(StepError::because)?;
    }
    match restarted {
        Ok(Restarted::Begun) => Err(StepError::Restarting),
        Ok(Restarted::LeftToOperator) => Ok(Outcome::Skipped(NEXT_START.to_owned())),
        Err(error) => Err(StepError::because(error)),
    }
}

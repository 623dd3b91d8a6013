//! The new release continues the run that has started it: it checks its own health.

use std::sync::Arc;

use super::config::Config;
use super::perform::Ended;
use super::recorder::Recorder;
use super::run::{Caller, RunTarget, Update};
use crate::Installation;
use crate::config::Settings;
use crate::journal::{self, LockError, RunStage, StepName, UpdateLock};
use crate::releases;
use platform::log_field::logged;

/// Continues a run that has switched to this release. Must be called once this server listens.
pub async fn continue_after_restart(installation: Arc<Installation>) {
    match load(&installation) {
        Ok(Some(update)) => {
            if update.perform(Some(&installation)).await == Ended::Restarting {
                tracing::warn!("the update requires another restart");
            }
        }
        Ok(None) => {}
        Err(error) => {
            tracing::error!(error = logged(&error), "can't continue the update");
            // The supervisor rolls the run back. There is nothing to do without a supervisor.
            let _ = installation.control.refuse(&error.to_string());
        }
    }
}

fn load(installation: &Installation) -> Result<Option<Update>, LockError> {
    let settings = Settings::clone(&installation.settings);
    let lock = UpdateLock::take(&settings.data_dir)?;
    let awaited = |journal: &journal::Journal| journal.run.stage() == RunStage::AwaitsHealth;
    let Some(journal) = journal::read(&settings.data_dir)?.filter(awaited) else {
        return Ok(None);
    };
    let (config, config_error) = Config::read_or_default(&journal.rollback.install_dir);
    let is_observed_again = journal.run.has_begun(&StepName::Health);
    let (feed, clock) = (Arc::clone(&installation.runs), Arc::clone(&installation.clock));
    Ok(Some(Update {
        settings,
        config,
        db: installation.db.clone(),
        recorder: Recorder::new(Arc::new(lock), feed, clock, journal),
        from: releases::current(),
        release: None,
        origin: None,
        config_error,
        actor: None,
        guard: Caller::server(installation, None).guard,
        target: RunTarget::Latest,
        continued_after_restart: true,
        is_observed_again,
    }))
}

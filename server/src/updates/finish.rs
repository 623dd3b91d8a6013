//! The end of a run: by the new release, which says itself whether it is well, or by whoever finds a run whose process
//! is gone.

use std::sync::Arc;
use std::time::Duration;

use super::config::Config;
use super::journal::{self, JournalError, LockError, UpdateLock};
use super::recorder::Recorder;
use super::revert;
use super::run::{Ended, Update};
use crate::config::Settings;
use crate::state::AppState;
use crate::system::release;

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Goes on with a run that has switched to this release: once this server listens.
pub async fn finish(state: AppState) {
    match resume(&state) {
        Ok(Some(update)) => match update.go(Some(&state)).await {
            Ended::Finished(run) => tracing::info!(status = ?run.status, "the update is through"),
            Ended::Restarting => tracing::warn!("the update asks for another start"),
        },
        Ok(None) => {}
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "the update can't be finished");
            // Its supervisor takes the run back.
            let _ = state.control.refuse(&error.to_string());
        }
    }
}

fn resume(state: &AppState) -> Result<Option<Update>, LockError> {
    let settings = Settings::clone(&state.settings);
    let lock = UpdateLock::take(&settings.data_dir)?;
    let Some(journal) = journal::read(&settings.data_dir)?.filter(|journal| journal.run.awaits_restart())
    else {
        return Ok(None);
    };
    let (config, refused) = match Config::read(&journal.way.install_dir) {
        Ok(config) => (config, None),
        Err(error) => (Config::default(), Some(error)),
    };
    let recorder =
        Recorder::new(Arc::new(lock), settings.data_dir.clone(), Arc::clone(&state.clock), journal);
    Ok(Some(Update {
        settings,
        config,
        db: state.db.clone(),
        recorder,
        from: release::current(),
        release: None,
        checkout: None,
        refused,
        actor: None,
        resumed: true,
    }))
}

/// Takes back runs whose process has died without this server: those of a shell, above all. Never ends.
pub async fn watch(state: AppState) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if let Err(error) = look(&state).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the journal of the update can't be followed"
            );
        }
    }
}

/// Opens writes that a run has left closed at its end. Answers whether a run was taken back.
pub async fn look(state: &AppState) -> Result<bool, JournalError> {
    let now = state.clock.now();
    if let Some(journal) = journal::read(&state.settings.data_dir)?
        && journal.run.is_finished()
        && matches!(state.db.is_paused().await, Ok(true))
        && let Err(error) = revert::open_writes(&state.settings, &state.db).await
    {
        tracing::error!(error = &error as &dyn std::error::Error, "writes can't be opened");
    }
    let abandoned = || {
        let journal = journal::read(&state.settings.data_dir)?;
        Ok::<_, JournalError>(journal.filter(|journal| journal.is_abandoned(now)))
    };
    if abandoned()?.is_none() {
        return Ok(false);
    }
    let lock = match UpdateLock::take(&state.settings.data_dir) {
        Ok(lock) => Arc::new(lock),
        Err(LockError::Held) => return Ok(false),
        Err(LockError::Journal(error)) => return Err(error),
    };
    // It may have gone on before the lock was free.
    let Some(journal) = abandoned()? else { return Ok(false) };
    let recorder = Recorder::new(lock, state.settings.data_dir.clone(), Arc::clone(&state.clock), journal);
    revert::undo(recorder, &state.settings, &state.db, revert::INTERRUPTED, None).await;
    Ok(true)
}

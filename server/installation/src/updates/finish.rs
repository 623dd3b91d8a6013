//! The end of a run: by the new release, which says itself whether it is well, or by whoever finds a run whose process
//! is gone.

use std::sync::Arc;
use std::time::Duration;

use super::config::Config;
use super::journal::{self, JournalError, LockError, UpdateLock};
use super::recorder::Recorder;
use super::revert;
use super::run::{Ended, Update};
use crate::Installation;
use crate::config::Settings;
use crate::releases;

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Goes on with a run that has switched to this release: once this server listens.
pub async fn finish(installation: Arc<Installation>) {
    match resume(&installation) {
        Ok(Some(update)) => match update.go(Some(&installation)).await {
            Ended::Finished(run) => tracing::info!(status = ?run.status, "the update is through"),
            Ended::Restarting => tracing::warn!("the update asks for another start"),
        },
        Ok(None) => {}
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "the update can't be finished");
            // Its supervisor takes the run back.
            let _ = installation.control.refuse(&error.to_string());
        }
    }
}

fn resume(installation: &Installation) -> Result<Option<Update>, LockError> {
    let settings = Settings::clone(&installation.settings);
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
        Recorder::new(Arc::new(lock), settings.data_dir.clone(), Arc::clone(&installation.clock), journal);
    Ok(Some(Update {
        settings,
        config,
        db: installation.db.clone(),
        recorder,
        from: releases::current(),
        release: None,
        checkout: None,
        refused,
        actor: None,
        resumed: true,
    }))
}

/// Takes back runs whose process has died without this server: those of a shell, above all. Never ends.
pub async fn watch(installation: Arc<Installation>) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if let Err(error) = look(&installation).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the journal of the update can't be followed"
            );
        }
    }
}

/// Opens writes that a run has left closed at its end. Answers whether a run was taken back.
pub async fn look(installation: &Installation) -> Result<bool, JournalError> {
    let now = installation.clock.now();
    if let Some(journal) = journal::read(&installation.settings.data_dir)?
        && journal.run.is_finished()
        && matches!(installation.db.is_paused().await, Ok(true))
        && let Err(error) = revert::open_writes(&installation.settings, &installation.db).await
    {
        tracing::error!(error = &error as &dyn std::error::Error, "writes can't be opened");
    }
    let abandoned = || {
        let journal = journal::read(&installation.settings.data_dir)?;
        Ok::<_, JournalError>(journal.filter(|journal| journal.is_abandoned(now)))
    };
    if abandoned()?.is_none() {
        return Ok(false);
    }
    let lock = match UpdateLock::take(&installation.settings.data_dir) {
        Ok(lock) => Arc::new(lock),
        Err(LockError::Held) => return Ok(false),
        Err(LockError::Journal(error)) => return Err(error),
    };
    // It may have gone on before the lock was free.
    let Some(journal) = abandoned()? else { return Ok(false) };
    let recorder =
        Recorder::new(lock, installation.settings.data_dir.clone(), Arc::clone(&installation.clock), journal);
    revert::undo(recorder, &installation.settings, &installation.db, revert::INTERRUPTED, None).await;
    Ok(true)
}

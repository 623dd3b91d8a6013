//! The server watches for runs whose process has died, above all those of a shell.

use std::sync::Arc;
use std::time::Duration;

use super::recorder::Recorder;
use super::rollback;
use super::settle::settle;
use crate::Installation;
use crate::journal::{self, JournalError, LockError, UpdateLock};
use platform::log_field::logged;

const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Ends abandoned runs, until this server is told to stop: then the next start decides.
pub async fn watch(installation: Arc<Installation>) {
    let stopping = installation.stopping.clone();
    stopping.run_until_cancelled(watch_always(&installation)).await;
}

async fn watch_always(installation: &Installation) {
    let mut reported = String::new();
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let error = match settle_abandoned(installation).await {
            Ok(_) => String::new(),
            Err(error) => format!("{error}: {}", error.remedy()),
        };
        // Once, and again when the error changes.
        if error != reported && !error.is_empty() {
            tracing::error!(error, "can't watch the journal of the update");
        }
        reported = error;
    }
}

/// Ends the run in the journal if it is abandoned, and returns whether it was. Opens writes that a finished
/// run has left closed.
pub async fn settle_abandoned(installation: &Installation) -> Result<bool, JournalError> {
    let (settings, db) = (&installation.settings, &installation.db);
    let now = installation.clock.now();
    if let Some(journal) = journal::read(&settings.data_dir)?
        && journal.run.is_finished()
        && matches!(db.is_paused().await, Ok(true))
        && let Err(error) = rollback::open_writes(settings, db).await
    {
        tracing::error!(error = logged(&error), "can't open writes");
    }
    let abandoned = || {
        let journal = journal::read(&settings.data_dir)?;
        Ok::<_, JournalError>(journal.filter(|journal| journal.is_abandoned(now)))
    };
    if abandoned()?.is_none() {
        return Ok(false);
    }
    let lock = match UpdateLock::take(&settings.data_dir) {
        Ok(lock) => Arc::new(lock),
        Err(LockError::Held) => return Ok(false),
        Err(LockError::Journal(error)) => return Err(error),
    };
    // Another process may have continued the run before the lock was acquired.
    let Some(journal) = abandoned()? else { return Ok(false) };
    let (feed, clock) = (Arc::clone(&installation.runs), Arc::clone(&installation.clock));
    let recorder = Recorder::new(lock, feed, clock, journal);
    settle(recorder, settings, db, None, Some(installation)).await;
    Ok(true)
}

//! The server watches for runs whose process has died, above all those of a shell.

use std::sync::Arc;
use std::time::Duration;

use super::recorder::Recorder;
use super::rollback;
use crate::Installation;
use crate::journal::{self, JournalError, LockError, UpdateLock};

const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Rolls back abandoned runs. Never ends.
pub async fn watch(installation: Arc<Installation>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        if let Err(error) = roll_back_abandoned(&installation).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "can't watch the journal of the update"
            );
        }
    }
}

/// Rolls back the run in the journal if it is abandoned, and returns whether it was. Opens writes that a finished run
/// has left closed.
pub async fn roll_back_abandoned(installation: &Installation) -> Result<bool, JournalError> {
    let (settings, db) = (&installation.settings, &installation.db);
    let now = installation.clock.now();
    if let Some(journal) = journal::read(&settings.data_dir)?
        && journal.run.is_finished()
        && matches!(db.is_paused().await, Ok(true))
        && let Err(error) = rollback::open_writes(settings, db).await
    {
        tracing::error!(error = &error as &dyn std::error::Error, "can't open writes");
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
    rollback::roll_back(recorder, settings, db, rollback::INTERRUPTED, None).await;
    Ok(true)
}

//! The check for a new release: in the background once an hour for all servers together, while the settings
//! allow it, and whenever the Deployment Admin requests it.

use std::sync::Arc;
use std::time::Duration;

use super::{CheckError, Source, latest, store};
use crate::Installation;
use crate::settings::store as settings;
use platform::db::DbError;
use platform::log_field::logged;

/// How often a server looks whether a check is due.
const POLL_INTERVAL: Duration = Duration::from_secs(5 * 60);

/// Starts a task that checks until the server stops.
pub fn start_checks(installation: Arc<Installation>) {
    tokio::spawn(async move {
        loop {
            if let Err(error) = check_if_due(&installation).await {
                tracing::warn!(error = logged(&error), "can't store the latest release");
            }
            tokio::select! {
                () = installation.stopping.cancelled() => return,
                () = installation.check_due.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    });
}

/// Asks the release source if no server has done so for an hour, and if the settings allow it.
pub async fn check_if_due(installation: &Installation) -> Result<(), DbError> {
    let source = Source::of(&installation.settings);
    if source == Source::Off {
        return Ok(());
    }
    let key = source.key();
    let now = installation.clock.now();
    let mut db = installation.db.read().await?;
    if !settings::auto_check_updates(&mut db).await? || !store::check_is_due(&mut db, &key, now).await? {
        return Ok(());
    }
    drop(db);
    let mut db = installation.db.write().await?;
    // Servers compete for the check: this statement decides.
    let is_claimed =
        settings::auto_check_updates(&mut db).await? && store::claim_check(&mut db, &key, now).await?;
    db.commit().await?;
    if !is_claimed {
        return Ok(());
    }
    ask(installation, &source).await.map(|_| ())
}

/// Asks the release source at once, because the Deployment Admin requests it, and stores the answer. The
/// inner result is that of the check.
pub async fn check_now(installation: &Installation) -> Result<Result<(), CheckError>, DbError> {
    let source = Source::of(&installation.settings);
    if source == Source::Off {
        return Ok(Err(CheckError::Off));
    }
    let mut db = installation.db.write().await?;
    store::begin_check(&mut db, &source.key(), installation.clock.now()).await?;
    db.commit().await?;
    ask(installation, &source).await
}

async fn ask(installation: &Installation, source: &Source) -> Result<Result<(), CheckError>, DbError> {
    let found = latest(source).await;
    let mut db = installation.db.write().await?;
    match &found {
        Ok(release) => store::set_release(&mut db, &source.key(), release).await?,
        Err(error) => store::set_error(&mut db, &source.key(), error).await?,
    }
    db.commit().await?;
    Ok(found.map(|_| ()))
}

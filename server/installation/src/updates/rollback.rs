//! Rollback of a run: restores the installation and the local database. Idempotent.

use std::path::Path;
use std::sync::Arc;

use super::git::Checkout;
use super::layout::{CURRENT, point_current};
use super::recorder::Recorder;
use super::steps;
use crate::audit::{self, AuditAction};
use crate::config::{Settings, command_environment};
use crate::ids::UserId;
use crate::journal::{
    self, Journal, JournalError, LockError, Run, RunDatabase, RunFeed, RunStatus, StepName, UpdateLock,
};
use platform::db::{Database, DbError, OpenError, copy, lease};
use platform::time::{Clock, Moment};

/// The reason for the rollback of a run whose process has died.
pub(super) const INTERRUPTED: &str = "the update was interrupted";

/// Why there was no rollback.
#[derive(Debug, thiserror::Error)]
pub enum RollbackError {
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("there is no update to roll back")]
    NoRun,
}

/// Rolls back the unfinished run in the journal, whose process has ended. Does nothing if the run is finished.
pub async fn roll_back_unfinished(
    settings: &Settings,
    clock: Arc<dyn Clock>,
    reason: &str,
) -> Result<Run, RollbackError> {
    let lock = UpdateLock::take(&settings.data_dir)?;
    let journal = journal::read(&settings.data_dir)?.ok_or(RollbackError::NoRun)?;
    if journal.run.is_finished() {
        return Ok(journal.run);
    }
    let db = Database::open_in_use(&settings.database_url).await?;
    let feed = RunFeed::new(settings.data_dir.clone());
    let recorder = Recorder::new(Arc::new(lock), feed, clock, journal);
    let (run, _) = roll_back(recorder, settings, &db, reason, None).await;
    db.close().await;
    Ok(run)
}

/// Rolls the run back and ends it. Returns the lock with it.
pub(super) async fn roll_back(
    mut recorder: Recorder,
    settings: &Settings,
    db: &Database,
    reason: &str,
    actor: Option<UserId>,
) -> (Run, Option<Arc<UpdateLock>>) {
    let (status, reason) = match restore(&recorder.journal).await {
        Ok(()) => (RunStatus::RolledBack, reason.to_owned()),
        Err(failure) => (RunStatus::Failed, format!("{reason}. The rollback failed as well: {failure}")),
    };
    clean_up(&recorder.journal, settings).await;
    // INVARIANT: writes open only after the end is durable. An unfinished run is rolled back again, which must not lose
    // later writes.
    match recorder.finish(status, Some(reason)).await {
        Ok(()) => release_lease(db, &recorder.journal.run, recorder.clock().now(), actor).await,
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "can't record the end of the update");
        }
    }
    recorder.into_parts()
}

/// Restores the link and the database. On failure, returns the reason and the commands that the operator has to run.
async fn restore(journal: &Journal) -> Result<(), String> {
    let (run, plan) = (&journal.run, &journal.rollback);
    if run.has_begun(&StepName::Switch) {
        point_current(&plan.install_dir, plan.previous.as_deref()).map_err(|error| {
            let link = plan.install_dir.join(CURRENT);
            let command = match &plan.previous {
                Some(previous) => format!("ln -sfn '{}' '{}'", previous.display(), link.display()),
                None => format!("rm -f '{}'", link.display()),
            };
            format!("{error}. Run: {command}; {}", restore_command(journal))
        })?;
    }
    // The new release changes the schema in the step of that name, or at its start.
    if let (RunDatabase::Sqlite { path }, Some(backup)) = (&plan.database, &plan.backup)
        && (run.has_begun(&StepName::Schema) || run.has_begun(&StepName::Switch))
    {
        let (from, to) = (backup.clone(), path.clone());
        let written = tokio::task::spawn_blocking(move || copy::write_back(&from, &to)).await;
        let written = written
            .map_err(|error| error.to_string())
            .and_then(|done| done.map_err(|error| error.to_string()));
        written.map_err(|error| format!("{error}. Stop the server and run: {}", restore_command(journal)))?;
    }
    Ok(())
}

fn restore_command(journal: &Journal) -> String {
    match (&journal.rollback.database, &journal.rollback.backup) {
        (RunDatabase::Sqlite { path }, Some(backup)) => {
            format!("farthing restore '{}' --database-url 'sqlite://{}'", backup.display(), path.display())
        }
        _ => "farthing serve".to_owned(),
    }
}

/// Removes the rehearsal and the folder of the new release.
async fn clean_up(journal: &Journal, settings: &Settings) {
    steps::remove_rehearsal(&settings.data_dir);
    let plan = &journal.rollback;
    let Some(release) = plan.release.as_deref().filter(|_| journal.run.has_begun(&StepName::Fetch)) else {
        return;
    };
    if let Err(error) = remove_release(&plan.install_dir, release).await {
        tracing::warn!(error, "can't remove the folder of the release that was rolled back");
    }
}

async fn remove_release(install_dir: &Path, release: &Path) -> Result<(), String> {
    let checkout =
        Checkout::open(install_dir, command_environment()).await.map_err(|error| error.to_string())?;
    checkout.remove(release).await.map_err(|error| error.to_string())
}

/// Releases the lease, which opens writes, and records the end in the audit log. If the database does not answer, the
/// next start does it.
pub(super) async fn release_lease(db: &Database, run: &Run, now: Moment, actor: Option<UserId>) {
    let released = async {
        let mut transaction = db.write_always().await?;
        lease::release(&mut transaction, &run.id.to_string()).await?;
        let action = AuditAction::UpdateFinished(summary(run));
        audit::record(&mut transaction, now, actor, &action).await?;
        transaction.commit().await
    };
    if let Err(error) = released.await {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "can't open writes after the end of the update"
        );
    }
}

/// The result of the run, for the audit log.
fn summary(run: &Run) -> String {
    let result = match run.status {
        RunStatus::Running => "is under way",
        RunStatus::NothingToDo => "found nothing to be done",
        RunStatus::Succeeded => "succeeded",
        RunStatus::RolledBack => "was rolled back",
        RunStatus::Failed => "failed, and so did the rollback",
    };
    match &run.to_version {
        Some(to) => format!("to {to} {result}"),
        None => format!("from {} {result}", run.from_version),
    }
}

/// Opens writes that a finished run has left closed because its server ended early. For the start of a server, and
/// while no update is under way.
pub async fn open_writes(settings: &Settings, db: &Database) -> Result<(), DbError> {
    let Ok(_lock) = UpdateLock::take(&settings.data_dir) else { return Ok(()) };
    // A run in an unreadable journal is not continued, so it counts as finished.
    let last = journal::read(&settings.data_dir).ok().flatten().map(|journal| journal.run);
    if last.as_ref().is_some_and(|run| !run.is_finished()) {
        return Ok(());
    }
    let mut transaction = db.write_always().await?;
    let last = last.map(|run| run.id.to_string()).unwrap_or_default();
    lease::clear(&mut transaction, &last).await?;
    transaction.commit().await
}

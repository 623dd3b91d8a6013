//! The way back: the installation and the local database as they were, and why. It may be gone more than once.

use std::path::Path;
use std::sync::Arc;

use super::git::Checkout;
use super::journal::{
    self, Journal, JournalError, LockError, Run, RunDatabase, RunStatus, StepName, UpdateLock,
};
use super::recorder::Recorder;
use super::steps;
use crate::audit::{self, Act};
use crate::config::{Settings, environment_of_commands};
use crate::ids::UserId;
use platform::db::{Database, DbError, OpenError, copy, lease};
use platform::time::{Moment, SystemClock};

/// Why a run is taken back whose process has died.
pub(super) const INTERRUPTED: &str = "the update was interrupted";

/// Why the way back was not gone.
#[derive(Debug, thiserror::Error)]
pub enum RevertError {
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("there is no update that could be taken back")]
    NoRun,
}

/// Takes back the run in the journal, which has not finished and whose process is gone. Nothing happens where it has.
pub async fn revert(settings: &Settings, reason: &str) -> Result<Run, RevertError> {
    let lock = UpdateLock::take(&settings.data_dir)?;
    let journal = journal::read(&settings.data_dir)?.ok_or(RevertError::NoRun)?;
    if journal.run.is_finished() {
        return Ok(journal.run);
    }
    let db = Database::open_in_use(&settings.database_url).await?;
    let recorder = Recorder::new(Arc::new(lock), settings.data_dir.clone(), Arc::new(SystemClock), journal);
    let run = undo(recorder, settings, &db, reason, None).await.0;
    db.close().await;
    Ok(run)
}

/// Takes the run back and ends it. The lock is handed back with it.
pub(super) async fn undo(
    mut recorder: Recorder,
    settings: &Settings,
    db: &Database,
    reason: &str,
    actor: Option<UserId>,
) -> (Run, Option<Arc<UpdateLock>>) {
    let (status, reason) = match back(&recorder.journal).await {
        Ok(()) => (RunStatus::RolledBack, reason.to_owned()),
        Err(failure) => (RunStatus::Failed, format!("{reason}. The way back failed as well: {failure}")),
    };
    tidy(&recorder.journal, settings).await;
    // INVARIANT: writes open only once the end is on the disk. A run that is found unfinished is taken back again, and
    // that must not lose what was written since.
    match recorder.finish(status, Some(reason)).await {
        Ok(()) => leave(db, &recorder.journal.run, recorder.clock().now(), actor).await,
        Err(error) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the end of the update is not kept yet"
            );
        }
    }
    recorder.into_parts()
}

/// The installation and the local database as they were before the run; where that fails, why and what to run.
async fn back(journal: &Journal) -> Result<(), String> {
    let (run, way) = (&journal.run, &journal.way);
    if run.has_begun(&StepName::Switch) {
        let pointed = steps::point(&way.install_dir, way.previous.as_deref());
        pointed.map_err(|error| {
            let link = way.install_dir.join(steps::CURRENT);
            let command = match &way.previous {
                Some(previous) => format!("ln -sfn '{}' '{}'", previous.display(), link.display()),
                None => format!("rm -f '{}'", link.display()),
            };
            format!("{error}. Run: {command}; {}", restore_command(journal))
        })?;
    }
    // The schema may be there from the step of that name on, and with the new release's start.
    if let (RunDatabase::Sqlite { path }, Some(backup)) = (&way.database, &way.backup)
        && (run.has_begun(&StepName::Schema) || run.has_begun(&StepName::Switch))
    {
        let (from, to) = (backup.clone(), path.clone());
        let written = tokio::task::spawn_blocking(move || copy::write_back(&from, &to)).await;
        let written =
            written.map_err(|gone| gone.to_string()).and_then(|done| done.map_err(|error| error.to_string()));
        written.map_err(|error| format!("{error}. Stop the server and run: {}", restore_command(journal)))?;
    }
    Ok(())
}

fn restore_command(journal: &Journal) -> String {
    match (&journal.way.database, &journal.way.backup) {
        (RunDatabase::Sqlite { path }, Some(backup)) => {
            format!("farthing restore '{}' --database-url 'sqlite://{}'", backup.display(), path.display())
        }
        _ => "farthing serve".to_owned(),
    }
}

/// Takes away what the run has made and nobody needs.
async fn tidy(journal: &Journal, settings: &Settings) {
    steps::clear(&settings.data_dir);
    let Some(release) = journal.way.release.as_deref().filter(|_| journal.run.has_begun(&StepName::Fetch))
    else {
        return;
    };
    if let Err(error) = forget(&journal.way.install_dir, release).await {
        tracing::warn!(error, "the folder of the release that was taken back stays");
    }
}

async fn forget(install_dir: &Path, release: &Path) -> Result<(), String> {
    let checkout =
        Checkout::open(install_dir, environment_of_commands()).await.map_err(|error| error.to_string())?;
    checkout.forget(release).await.map_err(|error| error.to_string())
}

/// Opens writes and notes what came of the run. Where the database does not answer now, the next start does it.
pub(super) async fn leave(db: &Database, run: &Run, now: Moment, actor: Option<UserId>) {
    let left = async {
        let mut transaction = db.write_always().await?;
        lease::release(&mut transaction, &run.id.to_string()).await?;
        let act = Act::UpdateFinished(summary(run));
        audit::record(&mut transaction, now, actor, &act).await?;
        transaction.commit().await
    };
    if let Err(error) = left.await {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "the update has ended and can't open writes"
        );
    }
}

/// What came of the run, for the audit log.
fn summary(run: &Run) -> String {
    let word = match run.status {
        RunStatus::Running => "goes on",
        RunStatus::NothingToDo => "found nothing to be done",
        RunStatus::Succeeded => "succeeded",
        RunStatus::RolledBack => "was rolled back",
        RunStatus::Failed => "failed, and so did the way back",
    };
    match &run.to_version {
        Some(to) => format!("to {to} {word}"),
        None => format!("from {} {word}", run.from_version),
    }
}

/// Clears what a run that has ended left closed because its server ended in between. At a start, and while no run goes
/// on.
pub async fn open_writes(settings: &Settings, db: &Database) -> Result<(), DbError> {
    let Ok(_lock) = UpdateLock::take(&settings.data_dir) else { return Ok(()) };
    // One that can't be read is not gone on with.
    let last = journal::read(&settings.data_dir).ok().flatten().map(|journal| journal.run);
    if last.as_ref().is_some_and(|run| !run.is_finished()) {
        return Ok(());
    }
    let mut transaction = db.write_always().await?;
    let last = last.map(|run| run.id.to_string()).unwrap_or_default();
    lease::clear(&mut transaction, &last).await?;
    transaction.commit().await
}

//! Rollback of a run: restores the installation and the local database. It can be repeated after a crash.
//!
//! INVARIANT: the backup replaces the database only while the run itself has writes closed, which the
//! database's lease records. Once writes were opened, nothing is replaced, whatever the journal says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::end;
use super::git::remove_release;
use super::layout::{CURRENT, point_current};
use super::recorder::Recorder;
use super::steps;
use crate::Installation;
use crate::config::Settings;
use crate::ids::UserId;
use crate::journal::{
    self, Journal, JournalError, LockError, RollbackPlan, Run, RunDatabase, RunFeed, RunStatus, StepName,
    UpdateLock,
};
use crate::supervisor::restart_running;
use platform::db::copy::{self, CopyError};
use platform::db::{Database, DbError, OpenError, lease};
use platform::log_field::logged;
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
    #[error("can't read whether the update has closed writes: {0}")]
    Lease(DbError),
    #[error("there is no update to roll back")]
    NoRun,
}

/// What came of a run that had to end.
pub(super) enum Settled {
    /// The run has ended. The lock is still held.
    Ended(Box<Run>, Option<Arc<UpdateLock>>),
    /// The next start decides the run. The supervisor stops the server before, unless the database does not
    /// answer.
    HandedOver,
}

/// Rolls back the unfinished run in the journal, while no server runs. Does nothing if the run is finished.
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
    let replaces = replaces_database(&recorder.journal, &db).await;
    let run = match replaces {
        Ok(replaces) => Ok(roll_back_here(recorder, settings, &db, reason, None, replaces).await.0),
        Err(error) => Err(RollbackError::Lease(error)),
    };
    db.close().await;
    run
}

/// Rolls the run back and ends it. `installation` is that of this server; `None` in a shell. If the database
/// has to be replaced and a server uses it, the supervisor does it. If the database does not say whether it
/// has to be, as when this server is closing it, nothing is rolled back here.
pub(super) async fn roll_back(
    mut recorder: Recorder,
    settings: &Settings,
    db: &Database,
    reason: &str,
    actor: Option<UserId>,
    installation: Option<&Installation>,
) -> Settled {
    let replaces = match replaces_database(&recorder.journal, db).await {
        Ok(replaces) => replaces,
        Err(error) => {
            tracing::warn!(error = logged(&error), "the next start decides the update");
            return Settled::HandedOver;
        }
    };
    if replaces && hand_over(&mut recorder, settings, installation).await {
        return Settled::HandedOver;
    }
    let (run, lock) = roll_back_here(recorder, settings, db, reason, actor, replaces).await;
    Settled::Ended(Box::new(run), lock)
}

/// Leaves the run to the supervisor, if there is one, and returns whether it has it. The journal says so
/// before the lock is released: until the server has ended, its watch finds a run without a process.
async fn hand_over(
    recorder: &mut Recorder,
    settings: &Settings,
    installation: Option<&Installation>,
) -> bool {
    recorder.journal.handed_over_at = Some(recorder.clock().now());
    if let Err(error) = recorder.save().await {
        tracing::warn!(error = logged(&error), "can't record that the supervisor rolls the update back");
    }
    recorder.release_lock();
    let requested = match installation {
        Some(installation) => installation.control.restart(),
        None => restart_running(&settings.data_dir),
    };
    if requested.is_ok() {
        return true;
    }
    recorder.journal.handed_over_at = None;
    let locked = recorder.lock_again();
    if let Err(error) = &locked {
        tracing::error!(error = logged(error), "can't roll back the update");
    }
    locked.is_err()
}

async fn roll_back_here(
    mut recorder: Recorder,
    settings: &Settings,
    db: &Database,
    reason: &str,
    actor: Option<UserId>,
    replaces: bool,
) -> (Run, Option<Arc<UpdateLock>>) {
    let restored = restore(&recorder.journal, db, replaces).await;
    let (status, reason) = match &restored {
        Ok(None) => (RunStatus::RolledBack, reason.to_owned()),
        Ok(Some(kept)) => {
            let kept = kept.display();
            tracing::warn!("the database as the update had left it is kept as `{kept}`");
            (
                RunStatus::RolledBack,
                format!("{reason}. The database as the update had left it is kept as `{kept}`"),
            )
        }
        Err(failure) => (RunStatus::Failed, format!("{reason}. The rollback failed as well: {failure}")),
    };
    // After a failure writes stay closed, and `current` may lead to the new release: the operator has to
    // restore both.
    if let Ok(replaced) = &restored {
        clean_up(&recorder.journal, settings).await;
        let (run, now) = (recorder.journal.run.clone(), recorder.clock().now());
        match replaced {
            None => end::release_lease(db, &run, status, now, actor).await,
            Some(_) => release_restored(settings.database_url.clone(), run, status, now, actor).await,
        }
    }
    end::record(&mut recorder, status, Some(reason)).await;
    recorder.into_parts()
}

/// Opens writes in the restored database. If that fails, the next start does it.
async fn release_restored(
    database_url: String,
    run: Run,
    status: RunStatus,
    now: Moment,
    actor: Option<UserId>,
) {
    let runtime = tokio::runtime::Handle::current();
    // The future that opens a database can't move between threads.
    let released = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let db = Database::open_in_use(&database_url).await?;
            end::release_lease(&db, &run, status, now, actor).await;
            db.close().await;
            Ok::<_, OpenError>(())
        })
    });
    match released.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::error!(error = logged(&error), "can't open the restored database");
        }
        Err(error) => tracing::error!(error = logged(&error), "can't open writes"),
    }
}

/// Whether the backup has to replace the database: the run may have changed the schema, and nobody has
/// written since.
async fn replaces_database(journal: &Journal, db: &Database) -> Result<bool, DbError> {
    if journal.rollback.backup.is_none() || !journal.run.may_have_changed_schema() {
        return Ok(false);
    }
    lease::is_closed_by(&mut db.read().await?, &journal.run.id.to_string()).await
}

/// Restores the link and the database, and returns where the replaced database is kept. On failure, returns
/// the reason and the commands that the operator has to run.
async fn restore(journal: &Journal, db: &Database, replaces: bool) -> Result<Option<PathBuf>, String> {
    restore_link(journal)?;
    if !replaces {
        return Ok(None);
    }
    db.close().await;
    restore_database(&journal.rollback).await.map_err(|error| {
        let command = restore_command(journal);
        format!(
            "{error}. Writes stay closed until the backup is restored: on the page of the Deployment Admin, or stop the \
             server and run: {command}"
        )
    })
}

/// Whether the rollback of this run has failed and writes are closed until its backup is restored.
pub async fn needs_restoration(run: &Run, db: &Database) -> Result<bool, DbError> {
    Ok(run.status == RunStatus::Failed && db.is_paused().await?)
}

fn restore_link(journal: &Journal) -> Result<(), String> {
    let plan = &journal.rollback;
    if !journal.run.has_begun(&StepName::Switch) {
        return Ok(());
    }
    point_current(&plan.install_dir, plan.previous.as_deref()).map_err(|error| {
        let link = plan.install_dir.join(CURRENT);
        let command = match &plan.previous {
            Some(previous) => format!("ln -sfn '{}' '{}'", previous.display(), link.display()),
            None => format!("rm -f '{}'", link.display()),
        };
        format!("{error}. Run: {command}; {}", restore_command(journal))
    })
}

/// Moves the backup to the place of the database.
async fn restore_database(plan: &RollbackPlan) -> Result<Option<PathBuf>, CopyError> {
    let (RunDatabase::Sqlite { path }, Some(backup)) = (&plan.database, &plan.backup) else {
        return Ok(None);
    };
    let kept = kept_as(path, backup);
    tracing::info!("restoring the database from `{}`", backup.display());
    copy::put_back(backup, path, &kept).await?;
    Ok(Some(kept))
}

/// The name under which a replaced database is kept: beside the database, with the time of the backup.
fn kept_as(database: &Path, backup: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".rolled_back");
    if let Some(time) = backup.file_stem().and_then(|stem| stem.to_str()?.strip_prefix("backup")) {
        name.push(time);
    }
    name.into()
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
    let has_fetched = journal.run.has_begun(&StepName::Fetch);
    let Some(release) = plan.release.as_deref().filter(|_| has_fetched) else { return };
    if let Err(error) = remove_release(&plan.install_dir, release).await {
        tracing::warn!(error = logged(&error), "can't remove the folder of the release that was rolled back");
    }
}

/// Opens writes that a finished run has left closed because its server ended early. For the start of a
/// server, and while no update is under way. An unreadable journal may be that of an unfinished run, so
/// writes stay as they are. After a failed rollback they stay closed until the operator has restored the
/// database.
pub async fn open_writes(settings: &Settings, db: &Database) -> Result<(), DbError> {
    let Ok(_lock) = UpdateLock::take(&settings.data_dir) else { return Ok(()) };
    let last = match journal::read(&settings.data_dir) {
        Ok(last) => last.map(|journal| journal.run),
        Err(error) => {
            let remedy = error.remedy();
            tracing::error!(error = logged(&error), "writes are not opened: {remedy}");
            return Ok(());
        }
    };
    if last.as_ref().is_some_and(|run| !run.is_finished() || run.status == RunStatus::Failed) {
        return Ok(());
    }
    let mut transaction = db.write_always().await?;
    let last = last.map(|run| run.id.to_string()).unwrap_or_default();
    lease::clear(&mut transaction, &last).await?;
    transaction.commit().await
}

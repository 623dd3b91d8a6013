//! Why nothing was restored, and the lock that protects a restoration from an update.

use std::path::PathBuf;

use super::super::dump::DumpError;
use super::super::folder::FolderError;
use super::super::images::ImagesError;
use crate::config::Settings;
use crate::control::ControlError;
use crate::journal::{self, JournalError, LockError, RunStatus, UpdateLock};
use crate::needed_images::NeededImagesError;
use platform::db::DbError;
use platform::db::copy::CopyError;

/// Why nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Images(#[from] ImagesError),
    #[error(transparent)]
    NeededImages(#[from] NeededImagesError),
    #[error(
        "`{0}` is a dump of PostgreSQL: restore it into an empty database with `pg_restore --no-owner --exit-on-error \
         --single-transaction --dbname=ADDRESS {0}`, and copy the files of the folder {0}.images to the store of pictures"
    )]
    Dump(PathBuf),
    #[error(transparent)]
    CheckDump(#[from] DumpError),
    #[error("this backup is no longer there")]
    NoSuchBackup,
    #[error("{0}: wait until it has finished")]
    Update(#[from] LockError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("an update was interrupted: start the server once to finish it or roll it back")]
    Unfinished,
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("can't restart the server: {0}")]
    Restart(#[from] ControlError),
    #[error("the task that checked the backup has ended")]
    TaskEnded,
}

/// Exclusive lock on the installation. Fails if an update is unfinished, because its rollback would overwrite
/// the restored database.
pub(super) fn lock_installation(settings: &Settings) -> Result<UpdateLock, RestoreError> {
    let lock = UpdateLock::take(&settings.data_dir)?;
    refuse_unfinished_update(settings)?;
    Ok(lock)
}

/// Ends a run whose rollback had failed: its backup, or another one, is restored.
pub(super) fn settle_failed_update(
    lock: &UpdateLock,
    settings: &Settings,
    backup: &str,
) -> Result<(), JournalError> {
    let failed = journal::read(&settings.data_dir)?.filter(|last| last.run.status == RunStatus::Failed);
    let Some(mut failed) = failed else { return Ok(()) };
    let reason = failed.run.reason.take().unwrap_or_default();
    failed.run.reason = Some(format!("the backup `{backup}` was restored; before that: {reason}"));
    failed.run.status = RunStatus::RolledBack;
    journal::write(lock, &settings.data_dir, &failed)
}

pub(super) fn refuse_unfinished_update(settings: &Settings) -> Result<(), RestoreError> {
    match journal::read(&settings.data_dir)? {
        Some(journal) if !journal.run.is_finished() => Err(RestoreError::Unfinished),
        _ => Ok(()),
    }
}

//! Copies of the database, made while it is in use: of a SQLite file, or by the programs of PostgreSQL.

use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::dump::{self, DumpError};
use super::folder::{BackupFormat, BackupKind, FolderError, folder, prune};
use super::images::{self, ImagesError};
use crate::Installation;
use crate::config::{FileStore, Settings};
use crate::ids::UserId;
use crate::journal::UpdateLock;
use accounts::audit::{self, AuditAction};
use platform::db::copy::{self, CopyError, Depth};
use platform::db::{DbError, require_file};
use platform::log_field::logged;
use platform::time::Clock;

/// Two backups within one second would have the same name: the second waits.
pub(super) const NAME_INTERVAL: Duration = Duration::from_millis(1100);
/// The backup of an update, whose pictures are there first.
const PREPARED: &str = "prepared";

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error(transparent)]
    Dump(#[from] DumpError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Images(#[from] ImagesError),
    #[error("can't make the folder `{path}`: {cause}")]
    CreateFolder { path: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("the task that copied the database has ended")]
    TaskEnded,
}

impl BackupError {
    /// Whether the disk takes no more.
    pub(super) fn is_full(&self) -> bool {
        match self {
            Self::Copy(error) => error.is_full(),
            Self::Images(error) => error.is_full(),
            Self::CreateFolder { cause, .. } => cause.kind() == ErrorKind::StorageFull,
            _ => false,
        }
    }
}

/// What is copied.
#[derive(Debug, Clone)]
enum Source {
    File(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
}

impl Source {
    /// The database of the settings, which exists.
    fn of(settings: &Settings) -> Result<Self, CopyError> {
        match copy::file_of(&settings.database_url) {
            Ok(database) => {
                require_file(&database)?;
                Ok(Self::File(database))
            }
            Err(CopyError::Remote(_)) => Ok(Self::Postgres(settings.database_url.clone())),
            Err(error) => Err(error),
        }
    }

    fn format(&self) -> BackupFormat {
        match self {
            Self::File(_) => BackupFormat::Copy,
            Self::Postgres(_) => BackupFormat::Dump,
        }
    }

    async fn copy(self, to: &Path, depth: Depth) -> Result<(), BackupError> {
        match self {
            Self::Postgres(address) => Ok(dump::dump(&address, to).await?),
            Self::File(database) => {
                let to = to.to_owned();
                let copied = tokio::task::spawn_blocking(move || copy::copy(&database, &to, depth)).await;
                Ok(copied.map_err(|_| BackupError::TaskEnded)??)
            }
        }
    }
}

/// `farthing backup`: copies the database and the pictures of `settings` to the new file `to`, by default to
/// the folder of the backups, where it stays.
pub async fn backup_from_shell(
    settings: &Settings,
    to: Option<&Path>,
    clock: &dyn Clock,
) -> Result<PathBuf, BackupError> {
    let source = Source::of(settings)?;
    let Some(to) = to else { return backup_as(BackupKind::Kept, Depth::Full, settings, clock).await };
    let to = std::path::absolute(to).map_err(|cause| CopyError::Io { path: to.to_owned(), cause })?;
    copy_to(source, &settings.image_store().map_err(ImagesError::from)?, to, Depth::Full).await
}

/// Copies the database of `settings` to the folder of the backups, of which the newest are kept.
pub async fn backup(settings: &Settings, clock: &dyn Clock) -> Result<PathBuf, BackupError> {
    backup_as(BackupKind::Limited, Depth::Full, settings, clock).await
}

/// Copies the database of `settings` at a time of the schedule, and removes the oldest such copy.
pub(super) async fn backup_by_schedule(
    settings: &Settings,
    clock: &dyn Clock,
) -> Result<PathBuf, BackupError> {
    let made = backup_as(BackupKind::Scheduled, Depth::Full, settings, clock).await?;
    prune(settings, BackupKind::Scheduled)?;
    Ok(made)
}

/// Copies the pictures of a bucket before an update pauses writes, so that [`backup_in_update`] links them.
pub async fn prepare_backup_in_update(settings: &Settings) -> Result<(), BackupError> {
    let store = settings.image_store().map_err(ImagesError::from)?;
    if let FileStore::Folder(_) = store {
        return Ok(());
    }
    Ok(images::save(&store, &made_folder(settings)?.join(PREPARED)).await?)
}

/// Copies the database during an update, while writes pause. The rehearsal before has made and checked a copy
/// in full.
pub async fn backup_in_update(settings: &Settings, clock: &dyn Clock) -> Result<PathBuf, BackupError> {
    let made = backup_as(BackupKind::Limited, Depth::Pages, settings, clock).await?;
    if let Err(error) = images::remove(&made_folder(settings)?.join(PREPARED)) {
        tracing::warn!(error = logged(&error), "can't remove pictures that are in a backup");
    }
    Ok(made)
}

async fn backup_as(
    kind: BackupKind,
    depth: Depth,
    settings: &Settings,
    clock: &dyn Clock,
) -> Result<PathBuf, BackupError> {
    let (source, folder) = (Source::of(settings)?, made_folder(settings)?);
    let store = settings.image_store().map_err(ImagesError::from)?;
    let path = || folder.join(kind.name_at(clock.now(), source.format()));
    match copy_to(source.clone(), &store, path(), depth).await {
        Err(BackupError::Copy(CopyError::Exists(_))) => {
            tokio::time::sleep(NAME_INTERVAL).await;
            copy_to(source.clone(), &store, path(), depth).await
        }
        other => other,
    }
}

/// The folder of the backups, made if it is missing.
fn made_folder(settings: &Settings) -> Result<PathBuf, BackupError> {
    let folder = folder(settings)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.map_err(|cause| BackupError::CreateFolder { path: folder.clone(), cause })?;
    Ok(folder)
}

/// A backup that the Deployment Admin makes on the page. Old backups are removed, because the Deployment
/// Admin may have no shell for that.
pub async fn backup_by_admin(installation: &Installation, user: UserId) -> Result<(), BackupError> {
    let made = backup(&installation.settings, installation.clock.as_ref()).await?;
    prune_unless_updating(&installation.settings)?;
    let name = made.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut transaction = installation.db.write().await?;
    let action = AuditAction::BackedUp(name);
    audit::record(&mut transaction, installation.clock.now(), Some(user), &action).await?;
    Ok(transaction.commit().await?)
}

/// Removes old backups unless an update is under way, whose rollback may need one of them.
fn prune_unless_updating(settings: &Settings) -> Result<(), FolderError> {
    match UpdateLock::take(&settings.data_dir) {
        Ok(_lock) => prune(settings, BackupKind::Limited),
        Err(_) => Ok(()),
    }
}

/// Copies the database and the pictures of items. A picture may be removed once no item in the database has
/// it, and be added before an item has it: the pictures are copied before and after the database, so that the
/// copy has all of its own.
async fn copy_to(
    source: Source,
    pictures: &FileStore,
    to: PathBuf,
    depth: Depth,
) -> Result<PathBuf, BackupError> {
    if to.exists() {
        return Err(CopyError::Exists(to).into());
    }
    let pictures = pictures.clone();
    // A task of its own also ends what it has begun if the request ends.
    let copied = tokio::spawn(async move {
        let copied = copy_both(source, &pictures, &to, depth).await;
        if copied.is_err() && !to.exists() {
            // The first error is returned, whether or not this succeeds.
            let _ = images::remove(&to);
        }
        copied.map(|()| to)
    });
    copied.await.map_err(|_| BackupError::TaskEnded)?
}

async fn copy_both(source: Source, pictures: &FileStore, to: &Path, depth: Depth) -> Result<(), BackupError> {
    images::save(pictures, to).await?;
    source.copy(to, depth).await?;
    Ok(images::save(pictures, to).await?)
}

#[cfg(test)]
mod tests {
    use super::super::folder::list;
    use super::super::restore::restore;
    use super::*;
    use platform::db::Database;
    use platform::time::SystemClock;

    #[test]
    fn the_five_newest_backups_those_of_a_shell_and_other_files_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (install_dir, data_dir) = (folder.path().to_owned(), folder.path().join("data"));
        let settings = Settings { install_dir, data_dir, ..Settings::default() };
        assert_eq!(list(&settings).unwrap(), []);
        let backups = folder.path().join("data/backups");
        std::fs::create_dir_all(&backups).unwrap();
        let others = ["mine.db", "backup_20200101_000000.db-journal", "kept_20200101_000000.db"];
        for name in others {
            std::fs::write(backups.join(name), "x").unwrap();
        }
        for day in 1..=7 {
            std::fs::write(backups.join(format!("backup_2026050{day}_000000.db")), "x").unwrap();
        }
        let update = UpdateLock::take(&settings.data_dir).unwrap();
        prune_unless_updating(&settings).unwrap();
        assert_eq!(list(&settings).unwrap().len(), 8, "a rollback may need any of them");
        drop(update);
        prune_unless_updating(&settings).unwrap();
        let left = list(&settings).unwrap();
        let names: Vec<&str> = left.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names.len(), 6);
        assert_eq!(
            (names[0], names[4], names[5]),
            ("backup_20260507_000000.db", "backup_20260503_000000.db", "kept_20200101_000000.db")
        );
        assert!(others.iter().all(|name| backups.join(name).exists()));
    }
    #[tokio::test]
    async fn a_damaged_database_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("farthing.db");
        let database_url = format!("sqlite://{}", database.display());
        let settings = Settings { database_url, data_dir: folder.path().to_owned(), ..Settings::default() };
        std::fs::write(&database, vec![7; 8192]).unwrap();
        let said = backup(&settings, &SystemClock).await.unwrap_err().to_string();
        assert!(said.contains("/farthing.db` as a database"), "{said}");
        assert_eq!(std::fs::read_dir(folder.path().join("backups")).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn pictures_are_in_a_backup_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            database_url: format!("sqlite://{}", folder.path().join("farthing.db").display()),
            data_dir: folder.path().join("data"),
            install_dir: folder.path().to_owned(),
            ..Settings::default()
        };
        Database::open(&settings.database_url).await.unwrap().close().await;
        let pictures = settings.uploads_dir();
        let picture = pictures.join("a.full.jpg");
        std::fs::create_dir_all(&pictures).unwrap();
        std::fs::write(&picture, "old").unwrap();
        let backup = backup(&settings, &SystemClock).await.unwrap();
        std::fs::remove_file(&picture).unwrap();
        let other = pictures.join("b.full.jpg");
        std::fs::write(&other, "new").unwrap();
        let replaced = restore(&settings, &backup, &SystemClock, None).await.unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(&picture).unwrap(), "old");
        assert!(images::folder_of(&replaced).join("b.full.jpg").exists());
    }
}

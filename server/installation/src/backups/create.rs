//! `farthing backup`: copies of the local database, made while it is in use.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Installation;
use crate::audit::{self, Act};
use crate::config::Settings;
use crate::ids::UserId;
use crate::updates::journal::UpdateLock;
use platform::db::DbError;
use platform::db::copy::{self, CopyError};
use platform::time::{Clock, Moment};

const FOLDER: &str = "backups";
/// Backups that stay; older ones go.
const KEPT: usize = 5;
/// Two copies in one second would have one name: the later one waits.
const NEXT_NAME: Duration = Duration::from_millis(1100);

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error("can't make the folder `{path}`: {cause}")]
    Folder { path: PathBuf, cause: std::io::Error },
    #[error("can't list the backups in `{path}`: {cause}")]
    List { path: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("the task that copied the database is gone")]
    Gone,
}

/// A backup in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFile {
    pub name: String,
    pub bytes: u64,
    pub made_at: Moment,
}

/// Copies the database of `settings` to the new file `to`, or to one that is named by the time among the backups.
pub async fn backup(
    settings: &Settings,
    to: Option<&Path>,
    clock: &dyn Clock,
) -> Result<PathBuf, BackupError> {
    let database = copy::file_of(&settings.database_url)?;
    if let Some(to) = to {
        let to = std::path::absolute(to).map_err(|cause| CopyError::Io { path: to.to_owned(), cause })?;
        return copy_to(database, to).await;
    }
    let folder = folder(settings)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.map_err(|cause| BackupError::Folder { path: folder.clone(), cause })?;
    let copied = copy_to(database.clone(), folder.join(name_of(clock.now()))).await;
    match copied {
        Err(BackupError::Copy(CopyError::Exists(_))) => {
            tokio::time::sleep(NEXT_NAME).await;
            copy_to(database, folder.join(name_of(clock.now()))).await
        }
        other => other,
    }
}

/// A backup by the Deployment Admin's hand, who may have no shell to take old ones away: so the last few stay.
pub async fn by_admin(installation: &Installation, user: UserId) -> Result<(), BackupError> {
    let made = backup(&installation.settings, None, installation.clock.as_ref()).await?;
    prune_in_peace(&installation.settings)?;
    let name = made.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut transaction = installation.db.write().await?;
    audit::record(&mut transaction, installation.clock.now(), Some(user), &Act::BackedUp(name)).await?;
    Ok(transaction.commit().await?)
}

/// The backups, the newest first.
pub fn list(settings: &Settings) -> Result<Vec<BackupFile>, BackupError> {
    let folder = folder(settings)?;
    let cannot = |cause| BackupError::List { path: folder.clone(), cause };
    let entries = match std::fs::read_dir(&folder) {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(cannot)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(cannot)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let data = entry.metadata().map_err(cannot)?;
        if let Some(made_at) = time_of(&name).filter(|_| data.is_file()) {
            files.push(BackupFile { name, bytes: data.len(), made_at });
        }
    }
    files.sort_by(|one, other| other.name.cmp(&one.name));
    Ok(files)
}

/// Takes away all but the last few backups. What has another name stays.
pub fn prune(settings: &Settings) -> Result<(), BackupError> {
    let folder = folder(settings)?;
    for old in list(settings)?.into_iter().skip(KEPT) {
        let path = folder.join(old.name);
        std::fs::remove_file(&path).map_err(|cause| BackupError::List { path, cause })?;
    }
    Ok(())
}

/// The same where no update is under way: one of them may be its way back.
fn prune_in_peace(settings: &Settings) -> Result<(), BackupError> {
    match UpdateLock::take(&settings.data_dir) {
        Ok(_held) => prune(settings),
        Err(_) => Ok(()),
    }
}

async fn copy_to(database: PathBuf, to: PathBuf) -> Result<PathBuf, BackupError> {
    let copied = tokio::task::spawn_blocking(move || copy::copy(&database, &to).map(|()| to));
    Ok(copied.await.map_err(|_| BackupError::Gone)??)
}

/// Where the backups lie.
pub fn folder(settings: &Settings) -> Result<PathBuf, BackupError> {
    let path = settings.install_dir.join(FOLDER);
    std::path::absolute(&path).map_err(|cause| BackupError::Folder { path, cause })
}

/// A name by the time, which no backup has. Waits where one of this second has it.
pub fn free_name(settings: &Settings, clock: &dyn Clock) -> Result<String, BackupError> {
    let folder = folder(settings)?;
    loop {
        let name = name_of(clock.now());
        if !folder.join(&name).exists() {
            return Ok(name);
        }
        std::thread::sleep(NEXT_NAME);
    }
}

/// `backup_YYYYMMDD_HHMMSS.db`, in UTC.
fn name_of(moment: Moment) -> String {
    let timestamp = jiff::Timestamp::from_millisecond(moment.millis()).unwrap_or_default();
    format!("backup_{}.db", timestamp.strftime("%Y%m%d_%H%M%S"))
}

/// The time in such a name; nothing where it is another name.
fn time_of(name: &str) -> Option<Moment> {
    let digits = name.strip_prefix("backup_")?.strip_suffix(".db")?;
    let time = jiff::civil::DateTime::strptime("%Y%m%d_%H%M%S", digits).ok()?;
    let moment =
        Moment::from_millis(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())?;
    (name_of(moment) == name).then_some(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_time_of_the_copy() {
        let moment: Moment = "2026-05-01T08:09:07Z".parse().unwrap();
        assert_eq!(name_of(moment), "backup_20260501_080907.db");
        assert_eq!(time_of("backup_20260501_080907.db"), Some(moment));
        for other in [
            "backup_20260501_080907.db-wal",
            "backup_2026051_080907.db",
            "mine.db",
            "backup_20261301_000000.db",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_five_stay_and_what_has_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let (install_dir, data_dir) = (folder.path().to_owned(), folder.path().join("data"));
        let settings = Settings { install_dir, data_dir, ..Settings::default() };
        assert_eq!(list(&settings).unwrap(), []);
        let backups = folder.path().join("backups");
        std::fs::create_dir(&backups).unwrap();
        for name in ["mine.db", "backup_20200101_000000.db-journal"] {
            std::fs::write(backups.join(name), "x").unwrap();
        }
        for day in 1..=7 {
            std::fs::write(backups.join(format!("backup_2026050{day}_000000.db")), "x").unwrap();
        }
        let update = UpdateLock::take(&settings.data_dir).unwrap();
        prune_in_peace(&settings).unwrap();
        assert_eq!(list(&settings).unwrap().len(), 7, "an update may go back to any of them");
        drop(update);
        prune_in_peace(&settings).unwrap();
        let left = list(&settings).unwrap();
        assert_eq!(left.len(), 5);
        assert_eq!(
            (left[0].name.as_str(), left[4].name.as_str()),
            ("backup_20260507_000000.db", "backup_20260503_000000.db")
        );
        assert!(
            backups.join("mine.db").exists() && backups.join("backup_20200101_000000.db-journal").exists()
        );
    }
}

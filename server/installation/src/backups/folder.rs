//! The folder of the backups, their names and their retention.

use std::path::{Path, PathBuf};

use crate::config::Settings;
use platform::time::Moment;

const FOLDER: &str = "backups";
/// How many backups are kept.
const KEPT: usize = 5;

/// Why the folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("can't determine the folder `{path}`: {cause}")]
    Path { path: PathBuf, cause: std::io::Error },
    #[error("can't list the backups in `{path}`: {cause}")]
    List { path: PathBuf, cause: std::io::Error },
    #[error("can't remove the old backup `{path}`: {cause}")]
    Remove { path: PathBuf, cause: std::io::Error },
}

/// A backup in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFile {
    pub name: String,
    pub bytes: u64,
    pub made_at: Moment,
}

/// The folder, as an absolute path.
pub fn folder(settings: &Settings) -> Result<PathBuf, FolderError> {
    let path = settings.install_dir.join(FOLDER);
    std::path::absolute(&path).map_err(|cause| FolderError::Path { path, cause })
}

/// The backups, newest first.
pub fn list(settings: &Settings) -> Result<Vec<BackupFile>, FolderError> {
    let folder = folder(settings)?;
    let list_error = |cause| FolderError::List { path: folder.clone(), cause };
    let entries = match std::fs::read_dir(&folder) {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(list_error)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(list_error)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let data = entry.metadata().map_err(list_error)?;
        if let Some(made_at) = time_of(&name).filter(|_| data.is_file()) {
            files.push(BackupFile { name, bytes: data.len(), made_at });
        }
    }
    files.sort_by(|one, other| other.name.cmp(&one.name));
    Ok(files)
}

/// Removes all but the newest backups. Files with other names stay.
pub fn prune(settings: &Settings) -> Result<(), FolderError> {
    let folder = folder(settings)?;
    for old in list(settings)?.into_iter().skip(KEPT) {
        let path = folder.join(old.name);
        std::fs::remove_file(&path).map_err(|cause| FolderError::Remove { path, cause })?;
    }
    Ok(())
}

/// The path of a backup of this moment.
pub(super) fn path_at(folder: &Path, moment: Moment) -> PathBuf {
    folder.join(name_at(moment))
}

/// `backup_YYYYMMDD_HHMMSS.db`, in UTC.
pub(super) fn name_at(moment: Moment) -> String {
    let timestamp = jiff::Timestamp::from_millisecond(moment.millis()).unwrap_or_default();
    format!("backup_{}.db", timestamp.strftime("%Y%m%d_%H%M%S"))
}

/// The time in the name of a backup; `None` for any other name.
fn time_of(name: &str) -> Option<Moment> {
    let digits = name.strip_prefix("backup_")?.strip_suffix(".db")?;
    let time = jiff::civil::DateTime::strptime("%Y%m%d_%H%M%S", digits).ok()?;
    let moment =
        Moment::from_millis(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())?;
    (name_at(moment) == name).then_some(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_time_of_the_backup() {
        let moment: Moment = "2026-05-01T08:09:07Z".parse().unwrap();
        assert_eq!(name_at(moment), "backup_20260501_080907.db");
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
}

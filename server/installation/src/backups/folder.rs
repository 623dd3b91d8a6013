//! The folder of the backups, their names and their retention.

use std::path::PathBuf;

use super::images;
use crate::config::Settings;
use platform::time::Moment;

const FOLDER: &str = "backups";

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

/// What a backup is for. It is the first part of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupKind {
    /// Made by an update, a restoration or the Deployment Admin: the newest five are kept.
    Limited,
    /// Made at the time of a setting: the newest fourteen are kept.
    Scheduled,
    /// Made from a shell, by the operator: never removed.
    Kept,
}

/// The format of a backup, which its name ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupFormat {
    /// A SQLite database.
    Copy,
    /// A dump of a PostgreSQL database.
    Dump,
}

/// A backup in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFile {
    pub kind: BackupKind,
    pub format: BackupFormat,
    pub name: String,
    pub bytes: u64,
    pub made_at: Moment,
}

/// The folder, as an absolute path.
pub fn folder(settings: &Settings) -> Result<PathBuf, FolderError> {
    let path = settings.data_dir.join(FOLDER);
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
        if let Some((kind, format, made_at)) = parse_name(&name).filter(|_| data.is_file()) {
            files.push(BackupFile { kind, format, name, bytes: data.len(), made_at });
        }
    }
    files.sort_by(|one, other| (other.made_at, &other.name).cmp(&(one.made_at, &one.name)));
    Ok(files)
}

/// Removes all but the newest backups of a kind with a limit. Files with other names stay.
pub fn prune(settings: &Settings, kind: BackupKind) -> Result<(), FolderError> {
    let Some(kept) = kind.kept() else { return Ok(()) };
    let folder = folder(settings)?;
    for old in list(settings)?.into_iter().filter(|file| file.kind == kind).skip(kept) {
        let path = folder.join(old.name);
        let removed = std::fs::remove_file(&path).and_then(|()| images::remove(&path));
        removed.map_err(|cause| FolderError::Remove { path, cause })?;
    }
    Ok(())
}

impl BackupKind {
    const ALL: [Self; 3] = [Self::Limited, Self::Scheduled, Self::Kept];

    /// How many are kept.
    fn kept(self) -> Option<usize> {
        match self {
            Self::Limited => Some(5),
            Self::Scheduled => Some(14),
            Self::Kept => None,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Limited => "backup_",
            Self::Scheduled => "scheduled_",
            Self::Kept => "kept_",
        }
    }

    /// Such as `backup_YYYYMMDD_HHMMSS.db`, in UTC.
    pub(super) fn name_at(self, moment: Moment, format: BackupFormat) -> String {
        let timestamp = jiff::Timestamp::from_millisecond(moment.millis()).unwrap_or_default();
        format!("{}{}{}", self.prefix(), timestamp.strftime("%Y%m%d_%H%M%S"), format.extension())
    }

    /// The time in the name of a backup of this kind and format; `None` for any other name.
    fn time_of(self, name: &str, format: BackupFormat) -> Option<Moment> {
        let digits = name.strip_prefix(self.prefix())?.strip_suffix(format.extension())?;
        let time = jiff::civil::DateTime::strptime("%Y%m%d_%H%M%S", digits).ok()?;
        let millis = time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond();
        Moment::from_millis(millis).filter(|moment| self.name_at(*moment, format) == name)
    }
}

impl BackupFormat {
    const ALL: [Self; 2] = [Self::Copy, Self::Dump];

    fn extension(self) -> &'static str {
        match self {
            Self::Copy => ".db",
            Self::Dump => ".dump",
        }
    }
}

/// The kind, the format and the time of a backup; `None` for a file with another name.
fn parse_name(name: &str) -> Option<(BackupKind, BackupFormat, Moment)> {
    let of_kind = |kind: BackupKind| {
        BackupFormat::ALL.into_iter().find_map(|format| Some((kind, format, kind.time_of(name, format)?)))
    };
    BackupKind::ALL.into_iter().find_map(of_kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_kind_and_the_time_of_the_backup() {
        let moment: Moment = "2026-05-01T08:09:07Z".parse().unwrap();
        for (kind, format, name) in [
            (BackupKind::Limited, BackupFormat::Copy, "backup_20260501_080907.db"),
            (BackupKind::Scheduled, BackupFormat::Copy, "scheduled_20260501_080907.db"),
            (BackupKind::Kept, BackupFormat::Copy, "kept_20260501_080907.db"),
            (BackupKind::Scheduled, BackupFormat::Dump, "scheduled_20260501_080907.dump"),
        ] {
            assert_eq!(kind.name_at(moment, format), name);
            assert_eq!(parse_name(name), Some((kind, format, moment)));
        }
        for other in [
            "backup_20260501_080907.db-wal",
            "backup_2026051_080907.db",
            "20260501_080907.db",
            "mine.db",
            "backup_20261301_000000.db",
        ] {
            assert_eq!(parse_name(other), None, "{other}");
        }
    }
}

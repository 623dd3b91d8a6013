//! The problems with which failed backups and restorations are answered.

use platform::http::problem::Problem;
use platform::log_field::logged;

use super::create::BackupError;
use super::download::DownloadError;
use super::dump::DumpError;
use super::folder::FolderError;
use super::images::ImagesError;
use super::restore::RestoreError;
use crate::codes;
use crate::journal::LockError;

/// When a download is tried again.
const BUSY_SECONDS: u32 = 10;

impl From<FolderError> for Problem {
    fn from(error: FolderError) -> Self {
        Self::internal(&error)
    }
}

/// The detail has the cause: only the Deployment Admin makes backups.
impl From<BackupError> for Problem {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Db(error) => error.into(),
            BackupError::Dump(error @ DumpError::NotInstalled) => {
                Self::new(codes::INVALID_BODY, format!("No backup was made: {error}."))
            }
            BackupError::Dump(DumpError::Command(error)) => {
                tracing::error!(error = logged(&error), "can't make a backup");
                Self::new(codes::INTERNAL, format!("No backup was made: {}.", error.reason()))
            }
            error => {
                tracing::error!(error = logged(&error), "can't make a backup");
                match error.is_full() {
                    true => Self::storage_full(),
                    false => Self::new(codes::INTERNAL, format!("No backup was made: {error}.")),
                }
            }
        }
    }
}

impl From<DownloadError> for Problem {
    fn from(error: DownloadError) -> Self {
        match error {
            DownloadError::Folder(error) => error.into(),
            DownloadError::Db(error) => error.into(),
            DownloadError::NoSuchBackup => Self::new(codes::INVALID_BODY, "This backup is no longer there."),
            DownloadError::Busy => {
                Self::new(codes::OVERLOADED, "Another backup is being downloaded. Try again in a moment.")
                    .retry_after(BUSY_SECONDS)
            }
        }
    }
}

impl From<RestoreError> for Problem {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::Copy(error) => error.into(),
            RestoreError::Folder(error) => error.into(),
            RestoreError::Images(error @ ImagesError::Broken { .. }) => {
                Self::new(codes::INVALID_BODY, format!("The backup is incomplete: {error}."))
            }
            RestoreError::NoSuchBackup => Self::new(codes::INVALID_BODY, "This backup is no longer there."),
            RestoreError::Update(LockError::Held) | RestoreError::Unfinished => {
                Self::plain(codes::UPDATE_IN_PROGRESS)
            }
            RestoreError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::path::PathBuf;

    use platform::db::copy::CopyError;

    use super::*;
    use crate::command::CommandError;

    fn failed(kind: ErrorKind) -> Problem {
        CopyError::Io { path: PathBuf::from("/srv/backups"), cause: kind.into() }.into()
    }

    #[test]
    fn a_full_disk_is_not_the_fault_of_the_request() {
        assert_eq!(failed(ErrorKind::StorageFull).code, codes::STORAGE_FULL);
        let path = PathBuf::from("/srv/backups");
        let problem = Problem::from(BackupError::CreateFolder { path, cause: ErrorKind::StorageFull.into() });
        assert_eq!(problem.code, codes::STORAGE_FULL);
    }

    #[test]
    fn the_reason_of_a_failed_dump_is_shown_without_the_command_line() {
        let last = "pg_dump: detail: server version: 18.4; pg_dump version: 15.18".to_owned();
        let command = "pg_dump --dbname postgres://farthing@127.0.0.1/sale".to_owned();
        let failed = CommandError::Failed { command, status: "exit code 1".to_owned(), last };
        let problem = Problem::from(BackupError::Dump(failed.into()));
        let reason = "No backup was made: pg_dump: detail: server version: 18.4; pg_dump version: 15.18.";
        assert_eq!((problem.code, problem.detail.as_str()), (codes::INTERNAL, reason));
    }

    #[test]
    fn the_reason_of_a_failed_backup_is_shown() {
        let copy =
            CopyError::Io { path: PathBuf::from("/srv/backups"), cause: ErrorKind::PermissionDenied.into() };
        let problem = Problem::from(BackupError::Copy(copy));
        assert_eq!(problem.code, codes::INTERNAL);
        assert!(
            problem.detail.contains("can't write `/srv/backups`: permission denied"),
            "{}",
            problem.detail
        );
        assert_eq!(failed(ErrorKind::PermissionDenied).code, codes::INTERNAL);
    }
}

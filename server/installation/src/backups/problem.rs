//! The problems with which failed backups and restorations are answered.

use platform::http::problem::{Code, Problem};

use super::create::BackupError;
use super::folder::FolderError;
use super::restore::RestoreError;
use crate::journal::LockError;

impl From<FolderError> for Problem {
    fn from(error: FolderError) -> Self {
        Self::internal(&error)
    }
}

impl From<BackupError> for Problem {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Copy(error) => error.into(),
            BackupError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

impl From<RestoreError> for Problem {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::Copy(error) => error.into(),
            RestoreError::Folder(error) => error.into(),
            RestoreError::NoSuchBackup => Self::new(Code::InvalidBody, "This backup is no longer there."),
            RestoreError::Update(LockError::Held) | RestoreError::Unfinished => {
                Self::plain(Code::UpdateInProgress)
            }
            RestoreError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

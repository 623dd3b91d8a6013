//! The lock of the update.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::folder::{JournalError, folder};

const LOCK: &str = "lock";

/// Why the lock was not acquired.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("an update is under way")]
    Held,
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The exclusive right to run, finish or roll back an update. The kernel releases the lock when the process
/// ends.
#[derive(Debug)]
pub struct UpdateLock(File);

impl UpdateLock {
    pub fn take(data_dir: &Path) -> Result<Self, LockError> {
        let path = folder(data_dir)?.join(LOCK);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
        let file = opened.map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(LockError::Held),
            Err(TryLockError::Error(cause)) => Err(JournalError::Io { path, cause }.into()),
        }
    }
}

impl Drop for UpdateLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process between fork and exec may hold its descriptor for a
        // moment longer.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_exclusive_and_a_file_left_behind_does_not_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = UpdateLock::take(folder.path()).unwrap();
        assert!(matches!(UpdateLock::take(folder.path()), Err(LockError::Held)));
        drop(held);
        assert!(folder.path().join("update/lock").is_file());
        UpdateLock::take(folder.path()).unwrap();
    }
}

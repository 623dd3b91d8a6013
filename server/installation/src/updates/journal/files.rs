//! The update's own files in the data folder: a lock, and values that are replaced whole.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

const FOLDER: &str = "update";
const LOCK: &str = "lock";

/// Why such a file can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("can't keep `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("`{path}` can't be read: {cause}")]
    Content { path: PathBuf, cause: serde_json::Error },
}

/// Why a run can't have the journal to itself.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("an update is under way")]
    Held,
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Whoever has it runs, finishes or reverts a run. The system takes it back with the process, however that ends.
#[derive(Debug)]
pub struct UpdateLock(File);

impl UpdateLock {
    pub fn take(data_dir: &Path) -> Result<Self, LockError> {
        let folder = folder(data_dir)?;
        let path = folder.join(LOCK);
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
        // Closing is not enough: a process that is being started may hold the file open for a moment longer.
        let _ = self.0.unlock();
    }
}

/// The folder of these files, made where it is missing.
pub fn folder(data_dir: &Path) -> Result<PathBuf, JournalError> {
    let path = data_dir.join(FOLDER);
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
    made.map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
    Ok(path)
}

/// What the file of this name holds; nothing where it is not there. What is read is whole, whoever writes meanwhile.
pub fn kept<T: DeserializeOwned>(data_dir: &Path, name: &str) -> Result<Option<T>, JournalError> {
    let path = data_dir.join(FOLDER).join(name);
    match std::fs::read(&path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|cause| JournalError::Content { path, cause })
        }
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(cause) => Err(JournalError::Io { path, cause }),
    }
}

/// Is on the disk when it returns, or what was there before is.
pub fn keep(
    _held: &UpdateLock,
    data_dir: &Path,
    name: &str,
    value: &impl Serialize,
) -> Result<(), JournalError> {
    let folder = folder(data_dir)?;
    let path = folder.join(name);
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|cause| JournalError::Content { path: path.clone(), cause })?;
    bytes.push(b'\n');
    let replace = || {
        let partial = folder.join(format!("{name}.partial"));
        let mut file =
            OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&partial)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&partial, &path)?;
        File::open(&folder)?.sync_all()
    };
    replace().map_err(|cause| JournalError::Io { path: path.clone(), cause })
}

/// Takes the file away, if it is there.
pub fn forget(_held: &UpdateLock, data_dir: &Path, name: &str) -> Result<(), JournalError> {
    let folder = folder(data_dir)?;
    let path = folder.join(name);
    let removed = match std::fs::remove_file(&path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(()),
        removed => removed,
    };
    let gone = removed.and_then(|()| File::open(&folder)?.sync_all());
    gone.map_err(|cause| JournalError::Io { path, cause })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_the_lock_and_its_file_alone_holds_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let held = UpdateLock::take(folder.path()).unwrap();
        assert!(matches!(UpdateLock::take(folder.path()), Err(LockError::Held)));
        drop(held);
        assert!(folder.path().join("update/lock").is_file());
        UpdateLock::take(folder.path()).unwrap();
    }
}

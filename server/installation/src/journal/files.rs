//! JSON files in the folder `update` of the data folder. Each is replaced atomically, by the holder of the lock.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{JournalError, folder, folder_path};
use super::lock::UpdateLock;

/// The content of a file; `None` if it does not exist. A concurrent write is seen entirely or not at all.
pub fn read_file<T: DeserializeOwned>(data_dir: &Path, name: &str) -> Result<Option<T>, JournalError> {
    let path = folder_path(data_dir).join(name);
    match std::fs::read(&path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|cause| JournalError::Content { path, cause })
        }
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(cause) => Err(JournalError::Io { path, cause }),
    }
}

/// Replaces a file durably. If this fails, the old content remains.
pub fn write_file(
    _lock: &UpdateLock,
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

/// Removes a file durably, if it exists.
pub fn remove_file(_lock: &UpdateLock, data_dir: &Path, name: &str) -> Result<(), JournalError> {
    let folder = folder(data_dir)?;
    let path = folder.join(name);
    let removed = match std::fs::remove_file(&path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(()),
        removed => removed,
    };
    let synced = removed.and_then(|()| File::open(&folder)?.sync_all());
    synced.map_err(|cause| JournalError::Io { path, cause })
}

//! JSON files in the folder `update` of the data folder. Each is replaced atomically, by the holder of the
//! lock.

use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{JournalError, folder, folder_path};
use super::lock::UpdateLock;
use platform::files::{replace, sync_folder};

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
    let path = folder(data_dir)?.join(name);
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|cause| JournalError::Content { path: path.clone(), cause })?;
    bytes.push(b'\n');
    replace(&path, &bytes, 0o600).map_err(|cause| JournalError::Io { path: path.clone(), cause })
}

/// Removes a file durably, if it exists.
pub fn remove_file(_lock: &UpdateLock, data_dir: &Path, name: &str) -> Result<(), JournalError> {
    let path = folder(data_dir)?.join(name);
    let removed = match std::fs::remove_file(&path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(()),
        removed => removed,
    };
    let synced = removed.and_then(|()| sync_folder(&path));
    synced.map_err(|cause| JournalError::Io { path, cause })
}

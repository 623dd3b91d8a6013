//! The folder of the update's own files in the data folder.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

const FOLDER: &str = "update";

/// Why a file of the update can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("can't access `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("`{path}` can't be read: {cause}")]
    Content { path: PathBuf, cause: serde_json::Error },
}

impl JournalError {
    /// What the operator has to do, for messages.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Io { .. } => {
                "make the file readable for the user of the server; until then no update starts, is continued or is \
                 rolled back, and writes that an update has closed stay closed"
            }
            Self::Content { .. } => {
                "the content is damaged: check that the site runs the release that it should, then move the file away; \
                 until then no update starts, and writes that an update has closed stay closed"
            }
        }
    }
}

/// The folder of these files, created if it is missing.
pub fn folder(data_dir: &Path) -> Result<PathBuf, JournalError> {
    let path = folder_path(data_dir);
    let created = DirBuilder::new().recursive(true).mode(0o700).create(&path);
    created.map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
    Ok(path)
}

/// Where the folder is, or will be.
pub(super) fn folder_path(data_dir: &Path) -> PathBuf {
    data_dir.join(FOLDER)
}

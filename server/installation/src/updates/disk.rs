//! Free disk space for an update, before it begins.

use std::path::{Path, PathBuf};

/// A reserve for everything else.
const SPARE: u64 = 64 << 20;

/// There is too little space, or it is not known.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    #[error("too little free disk: `{}` has {} MiB, and the update needs {} MiB", path.display(), has >> 20, needs >> 20)]
    TooLittle { path: PathBuf, has: u64, needs: u64 },
    #[error("can't determine the free disk of `{}`: {cause}", path.display())]
    Unknown { path: PathBuf, cause: std::io::Error },
}

/// Free bytes of the disk with this folder.
pub fn free_space(path: &Path) -> Result<u64, DiskError> {
    let disk = rustix::fs::statvfs(path)
        .map_err(|error| DiskError::Unknown { path: path.to_path_buf(), cause: error.into() })?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Checks each folder on its own. The sum of several folders on one disk is not checked.
pub fn require_space(needs: &[(&Path, u64)]) -> Result<(), DiskError> {
    for (path, bytes) in needs {
        let needs = bytes.saturating_add(SPARE);
        let has = free_space(path)?;
        if has < needs {
            return Err(DiskError::TooLittle { path: path.to_path_buf(), has, needs });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_space_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        require_space(&[(folder.path(), 1)]).unwrap();
        let said = require_space(&[(folder.path(), 1), (folder.path(), 1 << 60)]).unwrap_err().to_string();
        assert!(said.starts_with("too little free disk"), "{said}");
        assert!(require_space(&[(&folder.path().join("x"), 1)]).unwrap_err().to_string().contains("/x"));
    }
}

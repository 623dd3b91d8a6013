//! Whether there is room for an update, before it begins.

use std::path::{Path, PathBuf};

/// So much is left to everything else.
const SPARE: u64 = 64 << 20;

/// There is too little room, or it can't be told.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    #[error("too little free disk: `{}` has {} MiB, and the update needs {} MiB", path.display(), has >> 20, needs >> 20)]
    TooLittle { path: PathBuf, has: u64, needs: u64 },
    #[error("can't tell how much room `{}` has: {cause}", path.display())]
    Unknown { path: PathBuf, cause: std::io::Error },
}

/// What is needed where. Of folders on one disk each asks for itself: how much they need together is told by none.
pub fn has_room(needs: &[(&Path, u64)]) -> Result<(), DiskError> {
    for (path, bytes) in needs {
        let needs = bytes.saturating_add(SPARE);
        let disk = rustix::fs::statvfs(*path)
            .map_err(|error| DiskError::Unknown { path: path.to_path_buf(), cause: error.into() })?;
        let has = disk.f_bavail.saturating_mul(disk.f_frsize);
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
    fn what_is_missing_is_told() {
        let folder = tempfile::tempdir().unwrap();
        has_room(&[(folder.path(), 1)]).unwrap();
        let said = has_room(&[(folder.path(), 1), (folder.path(), 1 << 60)]).unwrap_err().to_string();
        assert!(said.starts_with("too little free disk"), "{said}");
        assert!(has_room(&[(&folder.path().join("x"), 1)]).unwrap_err().to_string().contains("/x"));
    }
}

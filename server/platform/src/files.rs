//! Files that are replaced as a whole.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{Result, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Suffix of a file that is not complete yet.
const PARTIAL: &str = ".partial";

/// Replaces the file atomically and durably: it has the old content or the new one, also after a power
/// failure. The file gets this mode. INVARIANT: one process at a time replaces a file.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let partial = with_suffix(path, PARTIAL);
    let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(mode).open(&partial)?;
    // The file may be left over from a process that was killed.
    file.set_permissions(Permissions::from_mode(mode))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&partial, path)?;
    sync_folder(path)
}

/// Writes the names of the files beside `file` to the disk.
pub fn sync_folder(file: &Path) -> Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The path with `suffix` appended.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_with_its_mode_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        // As a killed process leaves it.
        std::fs::write(with_suffix(&path, PARTIAL), "a longer and incomplete content").unwrap();
        for (content, mode) in [("one", 0o644), ("two", 0o600)] {
            replace(&path, content.as_bytes(), mode).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

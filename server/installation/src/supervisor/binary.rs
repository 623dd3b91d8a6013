//! The binary that is started as the server.

use std::io::Error;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::config::installed_binary;

/// The link to the release that runs after the next start.
pub const CURRENT: &str = "current";
/// The binary in the folder of a release that was built there.
pub const BUILT: &str = "target/release/farthing";
/// The binary in the folder of a release that was unpacked from an archive.
pub const UNPACKED: &str = "farthing";

/// The binary in a release's folder, or the place of one that was built.
pub fn in_release(folder: &Path) -> PathBuf {
    let mut places = [BUILT, UNPACKED].into_iter().map(|place| folder.join(place));
    places.find(|path| path.is_file()).unwrap_or_else(|| folder.join(BUILT))
}

/// The executable of the current release of the installation in `install_dir`, as an absolute path. An update
/// switches the current release; before the first update there is none.
pub fn current_release(install_dir: &Path) -> Option<PathBuf> {
    of_release(&install_dir.join(CURRENT))
}

/// The executable of the release in `folder`, as an absolute path.
pub fn of_release(folder: &Path) -> Option<PathBuf> {
    // Resolved now, because an update may change a link in the path while the server runs.
    let binary = in_release(folder).canonicalize().ok()?;
    (binary.is_file() && access(&binary, Access::EXEC_OK).is_ok()).then_some(binary)
}

/// Whether the installation in `install_dir` has a current release, also one whose binary is missing.
pub fn has_current(install_dir: &Path) -> bool {
    install_dir.join(CURRENT).symlink_metadata().is_ok()
}

/// The binary with which the installation began, for example in `/usr/local/bin`, to start it. An update
/// never replaces it. If it is the binary of this process, it is started even if its file has been replaced.
pub fn installed() -> Result<PathBuf, Error> {
    installed_binary().map_or_else(own, Ok)
}

/// The path of the binary with which the installation began, for other processes, in which `/proc/self` is
/// another.
pub fn installed_path() -> Result<PathBuf, Error> {
    installed_binary().map_or_else(std::env::current_exe, Ok)
}

/// The binary of this process, to start it, also if its file has been replaced.
pub fn own() -> Result<PathBuf, Error> {
    let link = PathBuf::from("/proc/self/exe");
    if link.exists() { Ok(link) } else { std::env::current_exe() }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn the_current_release_is_the_executable_behind_the_link() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        assert_eq!(current_release(&folder), None);
        symlink("releases/v1.0.0", folder.join("current")).unwrap();
        assert_eq!(current_release(&folder), None, "the link is dangling");
        let target = folder.join("releases/v1.0.0/target/release");
        fs::create_dir_all(&target).unwrap();
        let binary = target.join("farthing");
        fs::write(&binary, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&binary, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(current_release(&folder), Some(binary.clone()));
        fs::remove_file(&binary).unwrap();
        fs::create_dir(&binary).unwrap();
        assert_eq!(current_release(&folder), None, "it is not a file");
        let unpacked = folder.join("releases/v1.0.0/farthing");
        fs::write(&unpacked, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&unpacked, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(current_release(&folder), Some(unpacked));
    }
}

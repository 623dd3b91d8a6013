//! Which binary is started as the server.

use std::io::Error;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// The release in force of the installation in `install_dir`, as a full path, where there is one that can be run. It
/// is what an update has switched to; before the first one there is none.
pub fn release_in_force(install_dir: &Path) -> Option<PathBuf> {
    let link = install_dir.join("current/target/release/farthing");
    // What the link says now, since it may say something else while the server runs.
    let binary = link.canonicalize().ok()?;
    (binary.is_file() && access(&binary, Access::EXEC_OK).is_ok()).then_some(binary)
}

/// The binary that this process runs, also when its file has been replaced since.
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
    fn a_release_is_in_force_where_current_leads_to_a_binary() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        assert_eq!(release_in_force(&folder), None);
        symlink("releases/v1.0.0", folder.join("current")).unwrap();
        assert_eq!(release_in_force(&folder), None, "it leads nowhere");
        let target = folder.join("releases/v1.0.0/target/release");
        fs::create_dir_all(&target).unwrap();
        let binary = target.join("farthing");
        fs::write(&binary, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&binary, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(release_in_force(&folder), Some(binary.clone()));
        fs::remove_file(&binary).unwrap();
        fs::create_dir(&binary).unwrap();
        assert_eq!(release_in_force(&folder), None, "it is no file");
    }
}

//! The files of an installation that an update changes.

use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub use crate::supervisor::binary::{BUILT, CURRENT, UNPACKED, in_release};

/// The folder of the releases.
pub const RELEASES: &str = "releases";

/// The folder in which a release is prepared, beside its own.
pub fn partial(release: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(release.file_name().unwrap_or_default());
    name.push(".partial");
    release.with_file_name(name)
}

/// Removes the folder of a release in any state, and what was prepared of it.
pub fn remove_folders(release: &Path) -> std::io::Result<()> {
    remove_folder(&partial(release))?;
    remove_folder(release)
}

/// Removes a folder and everything in it, if it exists.
pub fn remove_folder(folder: &Path) -> std::io::Result<()> {
    ignore_missing(std::fs::remove_dir_all(folder))
}

/// Whether the release in `folder` has an executable binary.
pub fn has_binary(folder: &Path) -> bool {
    let data = std::fs::metadata(in_release(folder));
    data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Lets a release that was built be started by the path at which an archive has its binary, as a unit of a
/// package does.
pub fn link_built(folder: &Path) -> std::io::Result<()> {
    match std::os::unix::fs::symlink(BUILT, folder.join(UNPACKED)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    }
}

/// Points `current` to `target`, or removes it, atomically and durably.
pub fn point_current(install_dir: &Path, target: Option<&Path>) -> std::io::Result<()> {
    let link = install_dir.join(CURRENT);
    match target {
        Some(target) => {
            let partial = install_dir.join(format!("{CURRENT}.partial"));
            ignore_missing(std::fs::remove_file(&partial))?;
            std::os::unix::fs::symlink(target, &partial)?;
            std::fs::rename(&partial, &link)?;
        }
        None => ignore_missing(std::fs::remove_file(&link))?,
    }
    File::open(install_dir)?.sync_all()
}

fn ignore_missing(removed: std::io::Result<()>) -> std::io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_removed_with_what_was_prepared_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let release = folder.path().join("v1.0.0");
        remove_folders(&release).unwrap();
        std::fs::create_dir(&release).unwrap();
        std::fs::create_dir_all(folder.path().join(".v1.0.0.partial/x")).unwrap();
        remove_folders(&release).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_link_is_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let current = || std::fs::read_link(folder.path().join(CURRENT)).ok();
        point_current(folder.path(), None).unwrap();
        for target in ["releases/v1.0.0", "releases/v1.1.0"] {
            point_current(folder.path(), Some(Path::new(target))).unwrap();
            assert_eq!(current().as_deref(), Some(Path::new(target)));
        }
        point_current(folder.path(), None).unwrap();
        assert_eq!(current(), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

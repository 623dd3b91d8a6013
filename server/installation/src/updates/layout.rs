//! The files of an installation that an update changes.

use std::fs::File;
use std::path::Path;

pub use crate::supervisor::binary::{BINARY, CURRENT};

/// The folder of the releases.
pub const RELEASES: &str = "releases";

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
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

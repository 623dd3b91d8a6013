//! The pictures beside a backup, in the folder with its name and `.images`. Their files never change, so that a hard link is a
//! copy.

use std::fs::{DirBuilder, File};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use platform::files::{sync_folder, with_suffix};

const SUFFIX: &str = ".images";
/// The beginning of the names of incomplete files, which are not carried.
const PARTIAL: &str = "partial-";

/// The pictures of a backup can't be copied.
#[derive(Debug, thiserror::Error)]
#[error("can't copy pictures to `{path}`: {cause}")]
pub struct ImagesError {
    pub path: PathBuf,
    pub cause: std::io::Error,
}

/// The folder with the pictures of a backup. Without any there is none.
pub fn folder_of(backup: &Path) -> PathBuf {
    with_suffix(backup, SUFFIX)
}

/// Gives the folder `to` every picture of the folder `from`, durably. Those that it has stay. May be repeated.
pub fn carry(from: &Path, to: &Path) -> Result<(), ImagesError> {
    carry_files(from, to).map_err(|cause| ImagesError { path: to.to_owned(), cause })
}

fn carry_files(from: &Path, to: &Path) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let mut last = None;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_file() || name.to_string_lossy().starts_with(PARTIAL) {
            continue;
        }
        if last.is_none() {
            DirBuilder::new().recursive(true).mode(0o700).create(to)?;
        }
        let target = to.join(&name);
        match std::fs::hard_link(entry.path(), &target) {
            // The collection of unused pictures has removed it since it was listed.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(()) => {}
            // Another file system, or one without links.
            Err(_) => copy(&entry.path(), &to.join(format!("{PARTIAL}copy")), &target)?,
        }
        last = Some(target);
    }
    match last {
        None => Ok(()),
        Some(file) => sync_folder(&file).and_then(|()| sync_folder(to)),
    }
}

fn copy(from: &Path, partial: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::copy(from, partial)?;
    File::open(partial)?.sync_all()?;
    std::fs::rename(partial, to)
}

/// Removes the pictures of a backup that is removed.
pub fn remove(backup: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder_of(backup)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_pictures_are_carried_and_those_that_are_there_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [images, backup] = ["images", "one.db"].map(|name| folder.path().join(name));
        carry(&images, &folder_of(&backup)).unwrap();
        assert!(!folder_of(&backup).exists(), "without pictures there is no folder");
        std::fs::create_dir(&images).unwrap();
        for name in ["a.full.jpg", "b.full.jpg", "partial-x"] {
            std::fs::write(images.join(name), name).unwrap();
        }
        carry(&images, &folder_of(&backup)).unwrap();
        std::fs::remove_file(images.join("a.full.jpg")).unwrap();
        carry(&folder_of(&backup), &images).unwrap();
        assert_eq!(std::fs::read_to_string(images.join("a.full.jpg")).unwrap(), "a.full.jpg");
        assert_eq!(std::fs::read_dir(folder_of(&backup)).unwrap().count(), 2);
        remove(&backup).unwrap();
        remove(&backup).unwrap();
        assert!(!folder.path().join("one.db.images").exists());
    }
}

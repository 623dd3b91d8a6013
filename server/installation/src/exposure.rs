//! What other users of this machine can read. New files are private; those of an earlier start, or restored
//! by other means, need not be.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::config::{FILE, Settings, StoreLocation, has_password};
use platform::db::copy;
use platform::files::with_suffix;

/// Suffixes of the database's files.
const DATABASE_FILES: [&str; 3] = ["", "-wal", "-shm"];

/// `farthing.toml` if it has a password and every user can read it.
pub fn exposed_file() -> Option<PathBuf> {
    let path = std::path::absolute(FILE).ok()?;
    let is_readable = path.metadata().is_ok_and(|found| found.permissions().mode() & 0o004 != 0);
    (is_readable && has_password(&std::fs::read_to_string(&path).ok()?)).then_some(path)
}

/// The data folder, a folder of pictures elsewhere, and the database's files, as far as the group or others
/// can read them.
pub fn exposed(settings: &Settings) -> Vec<PathBuf> {
    let mut exposed = vec![settings.data_dir.clone()];
    if let Some(StoreLocation::Folder(images)) = &settings.images {
        exposed.push(images.clone());
    }
    if let Ok(database) = copy::file_of(&settings.database_url) {
        // A private folder protects what is in it.
        if database.parent().is_none_or(is_exposed) {
            exposed.extend(DATABASE_FILES.map(|suffix| with_suffix(&database, suffix)));
        }
    }
    exposed.retain(|path| is_exposed(path));
    exposed
}

fn is_exposed(path: &Path) -> bool {
    // A file that does not exist is created private.
    path.metadata().is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, create_dir, set_permissions, write};

    use super::*;

    #[test]
    fn files_in_a_private_folder_are_not_exposed() {
        let folder = tempfile::tempdir().unwrap();
        let [data_dir, database] = ["data", "data/farthing.db"].map(|name| folder.path().join(name));
        let database_url = format!("sqlite://{}", database.display());
        let settings = Settings { data_dir: data_dir.clone(), database_url, ..Settings::default() };
        assert!(exposed(&settings).is_empty());
        create_dir(&data_dir).unwrap();
        write(&database, "").unwrap();
        write(with_suffix(&database, "-wal"), "").unwrap();
        let set = |path: &Path, mode| set_permissions(path, Permissions::from_mode(mode)).unwrap();
        set(&with_suffix(&database, "-wal"), 0o600);
        for (folder_mode, file_mode, expected) in [
            (0o700, 0o644, vec![]),
            (0o755, 0o600, vec![data_dir.clone()]),
            (0o750, 0o640, vec![data_dir.clone(), database.clone()]),
        ] {
            set(&data_dir, folder_mode);
            set(&database, file_mode);
            assert_eq!(exposed(&settings), expected);
        }
    }
}

//! `farthing check`: reads the settings as `serve` would and reports every error. Creates nothing.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::backups::scheduled;
use crate::config::{FileError, Given, Releases, Settings, StoreError, StoreLocation};
use crate::updates::{Config, ConfigError, NO_API};
use platform::db::{OpenError, check_address, copy};

/// An error of the settings, in one line.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Database(#[from] OpenError),
    #[error("`{0}` is not a file")]
    NoFile(PathBuf),
    #[error("`{0}` is not a folder")]
    NoFolder(PathBuf),
    #[error("can't write in `{path}`: {cause}")]
    ReadOnly { path: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Images(#[from] StoreError),
    #[error("{0}")]
    Mail(&'static str),
    #[error(
        "--backup-schedule needs `pg_dump` for PostgreSQL, and it is not installed: install the client of PostgreSQL"
    )]
    NoDump,
    #[error(transparent)]
    Update(#[from] ConfigError),
    #[error("`update.toml`: {NO_API}")]
    NoApi,
}

/// Every error of the flags and variables `given`, of `farthing.toml` and of `update.toml`.
pub fn check(given: Given) -> Vec<SettingError> {
    let (given, errors) = given.with_valid_lines_of_file();
    let settings = Settings::from(given);
    let found = [
        check_address(&settings.database_url).map_err(SettingError::from),
        check_file(copy::file_of(&settings.database_url).ok().as_deref()),
        check_writable_folder(&settings.data_dir),
        check_images(&settings),
        check_folder(&settings.install_dir),
    ];
    let found = found.into_iter().filter_map(Result::err).chain(tolerated(&settings));
    errors.into_iter().map(SettingError::from).chain(found).collect()
}

/// The errors with which a server starts all the same: it warns of them with these words.
pub fn tolerated(settings: &Settings) -> Vec<SettingError> {
    let mail = settings.lacks_for_mail().map(SettingError::Mail);
    let is_idle = settings.backup_schedule.is_some() && !scheduled::is_possible(settings);
    let schedule = is_idle.then_some(SettingError::NoDump);
    mail.into_iter().chain(schedule).chain(update_config(settings).err()).collect()
}

/// The content of `update.toml`, if an update can work with it.
pub fn update_config(settings: &Settings) -> Result<Config, SettingError> {
    let config = Config::read(&settings.install_dir)?;
    if config.takes_archives() && settings.releases_url == Releases::Git {
        return Err(SettingError::NoApi);
    }
    Ok(config)
}

/// Fails unless the database's file can be written or created.
fn check_file(path: Option<&Path>) -> Result<(), SettingError> {
    let Some(path) = path else { return Ok(()) };
    if path.exists() {
        if !path.is_file() {
            return Err(SettingError::NoFile(path.to_owned()));
        }
        check_access(path)?;
    }
    // SQLite creates its log beside the file.
    path.parent().map_or(Ok(()), check_writable_folder)
}

/// Fails unless files can be created in the folder, or the folder can be created.
fn check_writable_folder(folder: &Path) -> Result<(), SettingError> {
    let folder = std::path::absolute(folder)
        .map_err(|cause| SettingError::ReadOnly { path: folder.to_owned(), cause })?;
    let Some(existing) = folder.ancestors().find(|path| path.exists()) else { return Ok(()) };
    check_folder(existing)?;
    check_access(existing)
}

/// A folder within the data folder, as by default, is created there. A bucket is not connected to.
fn check_images(settings: &Settings) -> Result<(), SettingError> {
    match settings.images_location() {
        StoreLocation::Folder(folder) if folder.starts_with(&settings.data_dir) => Ok(()),
        StoreLocation::Folder(folder) => check_writable_folder(&folder),
        StoreLocation::Bucket(_) => Ok(settings.image_store().map(drop)?),
    }
}

fn check_folder(path: &Path) -> Result<(), SettingError> {
    if path.is_dir() { Ok(()) } else { Err(SettingError::NoFolder(path.to_owned())) }
}

fn check_access(path: &Path) -> Result<(), SettingError> {
    access(path, Access::WRITE_OK)
        .map_err(|error| SettingError::ReadOnly { path: path.to_owned(), cause: error.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::is_in_path;

    fn said(change: impl FnOnce(&mut Given, &Path)) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut given = Given {
            database_url: Some(format!("sqlite://{}", folder.path().join("new/farthing.db").display())),
            data_dir: Some(folder.path().join("new")),
            install_dir: Some(folder.path().to_owned()),
            ..Given::default()
        };
        std::fs::write(folder.path().join("file"), "").unwrap();
        change(&mut given, folder.path());
        let errors = check(given);
        assert!(!folder.path().join("new").exists(), "nothing is created");
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn valid_settings_have_no_errors() {
        assert_eq!(said(|_, _| {}), Vec::<String>::new());
        let postgres = |given: &mut Given, _: &Path| given.database_url = Some("postgres://h/x".to_owned());
        assert_eq!(said(postgres), Vec::<String>::new());
        let errors = said(|given, folder| {
            postgres(given, folder);
            given.backup_schedule = Some("daily 03:15".parse().unwrap());
        });
        assert_eq!(errors.is_empty(), is_in_path("pg_dump"), "{errors:?}");
    }

    #[test]
    fn an_archive_needs_keys_and_a_release_api() {
        let archive = |given: &mut Given, folder: &Path, keys: &str| {
            let text = "[source]\nkind = \"archive\"\n[verify]\nallowed_signers = \"keys.pub\"\n";
            std::fs::write(folder.join("update.toml"), text).unwrap();
            std::fs::write(folder.join("keys.pub"), keys).unwrap();
            given.releases_url = Some("https://releases.example.org/latest".parse().unwrap());
        };
        let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n";
        assert_eq!(said(|given, folder| archive(given, folder, key)), Vec::<String>::new());
        let errors = said(|given, folder| archive(given, folder, "\n"));
        assert!(errors.len() == 1 && errors[0].contains("`keys.pub`"), "{errors:?}");
        let errors = said(|given, folder| {
            archive(given, folder, key);
            given.releases_url = None;
        });
        assert!(errors.len() == 1 && errors[0].contains("`releases-url`"), "{errors:?}");
    }

    #[test]
    fn every_error_is_reported_once() {
        let errors = said(|given, folder| {
            given.database_url = Some("mysql://ada:secret@h/x".to_owned());
            given.data_dir = Some(folder.join("file/data"));
            std::fs::write(folder.join("update.toml"), "[restart]\nkind = \"docker\"\n").unwrap();
        });
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(errors[0].contains("`mysql://ada@h/x` is not a database address"), "{errors:?}");
        assert!(errors[1].ends_with("/file` is not a folder"), "{errors:?}");
        assert!(errors[2].contains("update.toml`, line 2"), "{errors:?}");
        let errors = said(|given, folder| {
            given.database_url = Some(format!("sqlite://{}", folder.display()));
            given.install_dir = Some(folder.join("file"));
        });
        assert!(errors[0].ends_with("is not a file") && errors[1].ends_with("is not a folder"), "{errors:?}");
    }
}

//! Commands in a shell work on the installation of the running server, also without its environment
//! variables, and run as the user that owns its files.

mod owner;

use std::path::{Path, PathBuf};

pub use owner::{OtherOwner, require_owner};

use crate::config::{FileError, Given, Releases, Settings};
use crate::supervisor::{FindError, RunningServer, find_running, is_same_path, pointed_data_dir};
use platform::db::{copy, without_password};

/// The settings of a command.
#[derive(Debug, Clone)]
pub struct Shell {
    pub settings: Settings,
    /// The running server of the installation; `None` if none runs.
    pub server: Option<RunningServer>,
}

/// Why a command can't begin.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    #[error(transparent)]
    Settings(#[from] FileError),
    #[error(transparent)]
    Owner(#[from] OtherOwner),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(
        "the running server has the {setting} `{running}`, and `{given}` is set here: remove the flag, the variable or \
         the line of farthing.toml, or run this in the folder of the other installation"
    )]
    Contradiction { setting: &'static str, running: String, given: String },
}

impl Shell {
    /// Finds the running server by the data folder, or else by the installation's folder, and takes its
    /// settings where `given`, the flags and variables, and `farthing.toml` have none.
    ///
    /// # Errors
    /// They contradict the server, or this user does not own the data. Nothing was changed.
    pub async fn enter(given: Given) -> Result<Self, ShellError> {
        let given = given.with_file()?;
        let settings = Settings::from(given.clone());
        require_owner(&settings)?;
        let pointed = pointed_data_dir(&settings.install_dir);
        for data_dir in [Some(settings.data_dir.clone()), pointed].into_iter().flatten() {
            require_owner(&Settings { data_dir: data_dir.clone(), ..settings.clone() })?;
            if let Some(server) = find_running(&data_dir).await? {
                let settings = settings_of(&server, given)?;
                require_owner(&settings)?;
                return Ok(Self { settings, server: Some(server) });
            }
        }
        Ok(Self { settings, server: None })
    }
}

/// The settings of the server, completed with what is given here.
fn settings_of(server: &RunningServer, given: Given) -> Result<Settings, ShellError> {
    same_folder("data folder", &server.data_dir, given.data_dir.as_deref())?;
    same_folder("installation", &server.install_dir, given.install_dir.as_deref())?;
    same_database(&server.database_url, given.database_url.as_deref())?;
    Ok(Settings::from(Given {
        data_dir: Some(server.data_dir.clone()),
        images: server.images.as_ref().and_then(|text| text.parse().ok()).or(given.images),
        install_dir: Some(server.install_dir.clone()),
        database_url: Some(server.database_url.clone()),
        public_url: given.public_url.or_else(|| server.public_url.as_ref()?.parse().ok()),
        releases_url: given.releases_url.or_else(|| server.releases_url.parse::<Releases>().ok()),
        ..given
    }))
}

fn same_folder(setting: &'static str, running: &Path, given: Option<&Path>) -> Result<(), ShellError> {
    match given {
        Some(given) if !is_same_path(running, given) => Err(ShellError::Contradiction {
            setting,
            running: running.display().to_string(),
            given: given.display().to_string(),
        }),
        _ => Ok(()),
    }
}

fn same_database(running: &str, given: Option<&str>) -> Result<(), ShellError> {
    let Some(given) = given else { return Ok(()) };
    let file = |address: &str| -> Option<PathBuf> { copy::file_of(address).ok() };
    let is_same = match (file(running), file(given)) {
        (Some(running), Some(given)) => is_same_path(&running, &given),
        _ => running == given,
    };
    if is_same {
        return Ok(());
    }
    Err(ShellError::Contradiction {
        setting: "database",
        running: without_password(running),
        given: without_password(given),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> RunningServer {
        let text = r#"{"supervisor": 1, "version": "1.2.3", "workingDir": "/srv", "dataDir": "/srv/data",
            "installDir": "/srv/app", "databaseUrl": "sqlite:///srv/data/farthing.db", "address": "127.0.0.1:80",
            "publicUrl": "https://bids.example.org", "releasesUrl": "https://releases.example.org/latest"}"#;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_settings_of_the_server_complete_those_of_the_shell() {
        let given = Given { releases_url: Some(Releases::Git), ..Given::default() };
        let settings = settings_of(&server(), given).unwrap();
        assert_eq!(settings.data_dir, Path::new("/srv/data"));
        assert_eq!(settings.install_dir, Path::new("/srv/app"));
        assert_eq!(settings.database_url, "sqlite:///srv/data/farthing.db");
        assert_eq!(settings.public_url.unwrap().as_str(), "https://bids.example.org");
        assert_eq!(settings.releases_url, Releases::Git);
    }

    #[test]
    fn a_setting_that_contradicts_the_server_is_refused() {
        let database = |url: &str| Given { database_url: Some(url.to_owned()), ..Given::default() };
        settings_of(&server(), database("sqlite:///srv/data/farthing.db")).unwrap();
        for (given, words) in [
            (database("sqlite://data/farthing.db"), "the database `sqlite:///srv/data/farthing.db`, and"),
            (database("postgres://ada:secret@h/x"), "`postgres://ada@h/x` is set here"),
            (Given { data_dir: Some("data".into()), ..Given::default() }, "the data folder `/srv/data`"),
            (Given { install_dir: Some("/srv".into()), ..Given::default() }, "the installation `/srv/app`"),
        ] {
            let said = settings_of(&server(), given).unwrap_err().to_string();
            assert!(said.contains(words) && !said.contains("secret"), "{said}");
        }
    }
}

//! What a running server tells commands in a shell: a file in the data folder with the settings in force, and
//! in the installation's folder the path of that data folder, unless it is the default.

use std::ffi::OsStr;
use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::process::getppid;
use serde::{Deserialize, Serialize};

use super::pid_file::find_supervisor;
use crate::config::{Settings, StoreLocation};
use platform::db::copy;
use platform::files::replace;
use platform::retry::retry_until_released;

/// Readable by its owner only: the address of the database may contain a password.
const FILE: &str = "server.json";
/// The data folder of an installation whose `farthing.toml` does not set one.
const DEFAULT_DATA_DIR: &str = "data";
/// In the installation's folder.
const POINTER: &str = ".farthing-data-dir";

/// A running server. Paths are absolute.
///
/// INVARIANT: other versions read the file: its format only gains optional members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningServer {
    /// The process id in the locked file of the supervisor. The file of a server that has ended has another
    /// one.
    supervisor: u32,
    pub version: String,
    pub working_dir: PathBuf,
    pub data_dir: PathBuf,
    /// `None` in the file of an earlier version, and where it is the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<String>,
    pub install_dir: PathBuf,
    pub database_url: String,
    /// Where it listens.
    pub address: SocketAddr,
    pub public_url: Option<String>,
    pub releases_url: String,
}

/// Why a running server can't be found.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("can't read `{path}`: {cause}")]
    Io { path: PathBuf, cause: Error },
    #[error("`{path}` can't be read: {cause}")]
    Content { path: PathBuf, cause: serde_json::Error },
    #[error("a server with the data folder `{0}` is starting: try again in a moment")]
    Starting(PathBuf),
}

impl RunningServer {
    /// This process, which serves on `address` with `settings`, as the child of its supervisor.
    pub fn this(settings: &Settings, address: SocketAddr) -> Result<Self, Error> {
        let supervisor = getppid().ok_or_else(|| Error::other("there is no supervisor"))?;
        let database_url = match copy::file_of(&settings.database_url) {
            Ok(path) => format!("sqlite://{}", path.display()),
            Err(_) => settings.database_url.clone(),
        };
        Ok(Self {
            supervisor: supervisor.as_raw_nonzero().get().unsigned_abs(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            working_dir: std::env::current_dir()?,
            data_dir: std::path::absolute(&settings.data_dir)?,
            images: settings.images.as_ref().map(absolute_location).transpose()?,
            install_dir: std::path::absolute(&settings.install_dir)?,
            database_url,
            address,
            public_url: settings.public_url.as_ref().map(|url| url.as_str().to_owned()),
            releases_url: settings.releases_url.to_string(),
        })
    }

    /// Writes the files by which commands find this server. Does nothing if another server has the data
    /// folder.
    pub fn publish(&self) -> Result<(), Error> {
        if !self.is_supervised_in(&self.data_dir)? {
            return Ok(());
        }
        let text = serde_json::to_vec_pretty(self)?;
        replace(&self.data_dir.join(FILE), &text, 0o600)?;
        let pointer = self.install_dir.join(POINTER);
        if is_same_path(&self.data_dir, &self.install_dir.join(DEFAULT_DATA_DIR)) {
            return match std::fs::remove_file(pointer) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        match pointed_data_dir(&self.install_dir) {
            Some(other) if other == self.data_dir => Ok(()),
            // Two servers share the installation: the first one keeps the pointer.
            Some(other) if find_supervisor(&other)?.is_some() => Ok(()),
            // Readable by all, so that a command that another user runs can name the owner.
            _ => replace(&pointer, self.data_dir.as_os_str().as_bytes(), 0o644),
        }
    }

    fn is_supervised_in(&self, data_dir: &Path) -> Result<bool, Error> {
        let found = find_supervisor(data_dir)?;
        Ok(found.is_some_and(|pid| pid.as_raw_nonzero().get().unsigned_abs() == self.supervisor))
    }
}

/// The data folder of the server that has started in this installation last, unless it is the default.
pub fn pointed_data_dir(install_dir: &Path) -> Option<PathBuf> {
    let bytes = std::fs::read(install_dir.join(POINTER)).ok()?;
    Some(PathBuf::from(OsStr::from_bytes(&bytes)))
}

/// The running server with this data folder, if there is one. A server that is starting is waited for.
pub async fn find_running(data_dir: &Path) -> Result<Option<RunningServer>, FindError> {
    let is_starting = |found: &Result<_, FindError>| matches!(found, Err(FindError::Starting(_)));
    retry_until_released(|| find_now(data_dir), is_starting).await
}

fn find_now(data_dir: &Path) -> Result<Option<RunningServer>, FindError> {
    let io = |path: &Path, cause| FindError::Io { path: path.to_owned(), cause };
    if find_supervisor(data_dir).map_err(|cause| io(data_dir, cause))?.is_none() {
        return Ok(None);
    }
    let path = data_dir.join(FILE);
    let starting = || FindError::Starting(data_dir.to_owned());
    let bytes = match std::fs::read(&path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Err(starting()),
        bytes => bytes.map_err(|cause| io(&path, cause))?,
    };
    let server: RunningServer =
        serde_json::from_slice(&bytes).map_err(|cause| FindError::Content { path, cause })?;
    let is_current = server.is_supervised_in(data_dir).map_err(|cause| io(data_dir, cause))?;
    if is_current { Ok(Some(server)) } else { Err(starting()) }
}

/// The location as it is found from any folder.
fn absolute_location(location: &StoreLocation) -> Result<String, Error> {
    Ok(match location {
        StoreLocation::Folder(path) => StoreLocation::Folder(std::path::absolute(path)?).to_string(),
        StoreLocation::Bucket(_) => location.to_string(),
    })
}

/// Whether both paths lead to the same place, also through links.
pub fn is_same_path(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    one == other || resolved(one).is_some_and(|one| Some(one) == resolved(other))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::pid_file::PidFile;
    use super::*;

    fn server(folder: &Path) -> RunningServer {
        RunningServer {
            supervisor: std::process::id(),
            version: "1.2.3".to_owned(),
            working_dir: folder.to_owned(),
            data_dir: folder.join("elsewhere"),
            images: None,
            install_dir: folder.to_owned(),
            database_url: "postgres://ada:secret@db.example.org/farthing".to_owned(),
            address: "127.0.0.1:3000".parse().unwrap(),
            public_url: None,
            releases_url: "git".to_owned(),
        }
    }

    #[tokio::test]
    async fn a_server_is_found_while_it_runs() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(folder.path());
        std::fs::create_dir(&server.data_dir).unwrap();
        assert_eq!(find_running(&server.data_dir).await.unwrap(), None);
        server.publish().unwrap();
        assert_eq!(pointed_data_dir(folder.path()), None, "no supervisor has the folder");

        let held = PidFile::lock(&server.data_dir).unwrap();
        server.publish().unwrap();
        let found = find_running(&server.data_dir).await.unwrap();
        assert_eq!(found.as_ref(), Some(&server));
        assert_eq!(pointed_data_dir(folder.path()).as_deref(), Some(server.data_dir.as_path()));
        let mode = std::fs::metadata(server.data_dir.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop(held);
        assert_eq!(find_running(&server.data_dir).await.unwrap(), None, "its files are left behind");
    }

    #[test]
    fn the_file_of_an_earlier_server_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(folder.path());
        std::fs::create_dir(&server.data_dir).unwrap();
        let _held = PidFile::lock(&server.data_dir).unwrap();
        server.publish().unwrap();
        let earlier = RunningServer { supervisor: 1, ..server.clone() };
        std::fs::write(server.data_dir.join(FILE), serde_json::to_vec(&earlier).unwrap()).unwrap();
        assert!(matches!(find_now(&server.data_dir), Err(FindError::Starting(_))));
    }

    #[test]
    fn the_default_data_folder_needs_no_pointer() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join(DEFAULT_DATA_DIR);
        std::fs::create_dir(&data_dir).unwrap();
        std::fs::write(folder.path().join(POINTER), "/somewhere").unwrap();
        let _held = PidFile::lock(&data_dir).unwrap();
        RunningServer { data_dir, ..server(folder.path()) }.publish().unwrap();
        assert!(!folder.path().join(POINTER).exists());
    }
}

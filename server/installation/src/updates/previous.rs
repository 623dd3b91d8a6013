//! The release before the current one, to which a rollback returns.

use std::path::{Path, PathBuf};
use std::time::Duration;

use semver::Version;

use super::layout::{RELEASES, has_binary};
use crate::command::Task;
use crate::config::command_environment;
use crate::releases::{self, Tag};
use crate::supervisor::binary;

const VERSION_MAX: Duration = Duration::from_secs(10);

/// A release that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    pub version: Version,
    /// Its folder; `None` for the binary with which the installation began.
    pub folder: Option<PathBuf>,
}

/// The newest installed release below the running version. Each serves on the current schema, which only
/// grows.
pub async fn find(install_dir: &Path) -> Option<Installed> {
    let running = releases::current();
    let in_folders = || {
        let entries = std::fs::read_dir(install_dir.join(RELEASES)).into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let tag: Tag = entry.file_name().to_str()?.parse().ok()?;
            let folder = entry.path();
            let version = tag.version().clone();
            has_binary(&folder).then_some(Installed { version, folder: Some(folder) })
        })
    };
    let older = in_folders().filter(|release| release.version < running);
    match older.max_by(|one, other| one.version.cmp(&other.version)) {
        Some(release) => Some(release),
        None => installed_binary().await.filter(|release| release.version < running),
    }
}

async fn installed_binary() -> Option<Installed> {
    let path = binary::installed_path().ok()?;
    // Then no release is before this one.
    if std::env::current_exe().is_ok_and(|own| own == path) {
        return None;
    }
    let mut output = Vec::new();
    let task = Task::new(&path, Path::new("/")).arguments(["--version"]).environment(command_environment());
    task.run(VERSION_MAX, &mut output).await.ok()?;
    let text = String::from_utf8(output).ok()?;
    let version = text.split_whitespace().last()?.parse().ok()?;
    Some(Installed { version, folder: None })
}

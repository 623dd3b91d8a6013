//! git in the installation's checkout: lists of arguments, whole names of refs, no transport that runs commands, no
//! hooks. What is checked out there, and what was changed in it, is left alone.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command::{CommandError, Listener, Task};
use crate::releases::{CAREFULLY, Tag};

/// For what speaks to nobody.
const LOCAL_MAX: Duration = Duration::from_secs(60);
/// Where the commit of a release is kept: no branch or tag of the operator's has this name.
const REFS: &str = "refs/farthing";

/// Why a release was not brought, in words for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("the installation `{0}` is no git checkout")]
    NoCheckout(PathBuf),
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("can't write in the git folder `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
}

/// The checkout of an installation.
#[derive(Debug, Clone)]
pub struct Checkout {
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Checkout {
    /// `folder` itself, not one above it.
    pub async fn open(folder: &Path, environment: Vec<(OsString, OsString)>) -> Result<Self, GitError> {
        let checkout = Self { folder: folder.to_owned(), environment };
        let no_checkout = || GitError::NoCheckout(folder.to_owned());
        let top = match checkout.ask(&["rev-parse", "--show-toplevel"]).await {
            Err(CommandError::Failed { .. }) => return Err(no_checkout()),
            top => PathBuf::from(top?),
        };
        let is_same = top.canonicalize().ok() == folder.canonicalize().ok();
        if is_same { Ok(checkout) } else { Err(no_checkout()) }
    }

    /// Brings the tag from `origin` into the new folder `to`, which is inside the checkout.
    pub async fn bring(
        &self,
        tag: &Tag,
        to: &Path,
        limit: Duration,
        listener: &mut impl Listener,
    ) -> Result<(), GitError> {
        self.overlook(&["/releases/", "/current", "/backups/"]).await?;
        self.forget(to).await?;
        let refs = format!("+refs/tags/{tag}:{REFS}/{tag}");
        let fetch =
            ["fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--end-of-options"];
        let task = self.task(&fetch).arguments(["origin", &refs]);
        task.run(limit, listener).await?;
        let task = self.task(&["worktree", "add", "--detach", "--end-of-options"]).arguments([to]);
        let task = task.arguments([format!("{REFS}/{tag}^{{commit}}")]);
        task.run(limit, listener).await?;
        Ok(())
    }

    /// Takes a release's folder away, whatever state it is in.
    pub async fn forget(&self, folder: &Path) -> Result<(), GitError> {
        match tokio::fs::remove_dir_all(folder).await {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                return Err(GitError::Io { path: folder.to_owned(), cause });
            }
            _ => {}
        }
        // Of worktrees whose folder is gone.
        self.task(&["worktree", "prune"]).run(LOCAL_MAX, &mut Vec::new()).await?;
        Ok(())
    }

    /// Has git overlook what the update makes in the checkout, without a change to any file of it.
    async fn overlook(&self, patterns: &[&str]) -> Result<(), GitError> {
        let path = self.folder.join(self.ask(&["rev-parse", "--git-path", "info/exclude"]).await?);
        let io = |cause| GitError::Io { path: path.clone(), cause };
        let mut text = match std::fs::read_to_string(&path) {
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(io)?,
        };
        let missing: Vec<&&str> =
            patterns.iter().filter(|pattern| !text.lines().any(|line| line == **pattern)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        missing.iter().for_each(|pattern| text.extend([**pattern, "\n"]));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        std::fs::write(&path, text).map_err(io)
    }

    /// The one line that a command answers.
    async fn ask(&self, arguments: &[&str]) -> Result<String, CommandError> {
        let mut heard = Vec::new();
        self.task(arguments).run(LOCAL_MAX, &mut heard).await?;
        Ok(String::from_utf8_lossy(&heard).trim_end_matches('\n').to_owned())
    }

    fn task(&self, arguments: &[&str]) -> Task {
        let own = [("GIT_TERMINAL_PROMPT", "0"), ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"), ("LC_ALL", "C")];
        Task::new("git", &self.folder)
            .environment(self.environment.iter().cloned())
            .environment(own.map(|(name, value)| (name.into(), value.into())))
            .arguments(CAREFULLY)
            .arguments(["-c", "advice.detachedHead=false"])
            .arguments(arguments)
    }
}

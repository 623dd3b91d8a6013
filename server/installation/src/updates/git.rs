//! git in the installation's checkout, with full ref names. The operator's own checkout and changes are not
//! touched.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::layout;
use crate::command::{CommandError, OutputSink, Task};
use crate::releases::{Tag, git, is_checkout, words_of_git};

/// The timeout of commands without network access.
const LOCAL_MAX: Duration = Duration::from_secs(60);
/// The refs of releases, apart from the branches and tags of the operator.
const REFS: &str = "refs/farthing";

/// Why a release was not fetched, for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("the installation `{0}` is not a git checkout")]
    NoCheckout(PathBuf),
    #[error("git refuses the installation: {0}")]
    Refused(String),
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("the tag `{tag}` is not signed by a key of `{signers}`: {said}")]
    NotSigned { tag: String, signers: PathBuf, said: String },
    #[error("can't write in `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
}

/// The checkout of an installation.
#[derive(Debug, Clone)]
pub struct Checkout {
    folder: PathBuf,
}

impl Checkout {
    /// Opens `folder`, which has to be the root of the checkout.
    pub async fn open(folder: &Path) -> Result<Self, GitError> {
        let checkout = Self { folder: folder.to_owned() };
        let no_checkout = || GitError::NoCheckout(folder.to_owned());
        let mut output = Vec::new();
        let done = checkout.task(&["rev-parse", "--show-toplevel"]).run(LOCAL_MAX, &mut output).await;
        let output = String::from_utf8_lossy(&output);
        match done {
            Err(CommandError::Failed { .. }) if output.contains("dubious ownership") => {
                return Err(GitError::Refused(words_of_git(&output, folder)));
            }
            Err(CommandError::Failed { .. }) => return Err(no_checkout()),
            done => done?,
        }
        let top = PathBuf::from(output.trim_end_matches('\n'));
        let is_same = top.canonicalize().ok() == folder.canonicalize().ok();
        if is_same { Ok(checkout) } else { Err(no_checkout()) }
    }

    /// Fetches the tag from `origin` into the new folder `to`, which is inside the checkout. With `signers`
    /// it must be signed by one of them.
    pub async fn fetch(
        &self,
        tag: &Tag,
        signers: Option<&Path>,
        to: &Path,
        limit: Duration,
        sink: &mut impl OutputSink,
    ) -> Result<(), GitError> {
        self.ignore(&["/releases/", "/current", "/backups/", "/.farthing-data-dir"]).await?;
        remove_release(&self.folder, to).await?;
        let refs = format!("+refs/tags/{tag}:{REFS}/{tag}");
        let fetch =
            ["fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--end-of-options"];
        let task = self.task(&fetch).arguments(["origin", &refs]);
        task.run(limit, sink).await?;
        if let Some(signers) = signers {
            self.verify(tag, signers).await?;
        }
        let task = self.task(&["worktree", "add", "--detach", "--end-of-options"]).arguments([to]);
        let task = task.arguments([format!("{REFS}/{tag}^{{commit}}")]);
        task.run(limit, sink).await?;
        Ok(())
    }

    /// Fails unless the fetched tag is signed by a key in the file, and names itself: a signed tag of another
    /// name is an older release.
    async fn verify(&self, tag: &Tag, signers: &Path) -> Result<(), GitError> {
        let mut setting = OsString::from("gpg.ssh.allowedSignersFile=");
        setting.push(self.folder.join(signers));
        // Signatures of other kinds are checked with the keys of the service user.
        let ssh_only = ["-c", "gpg.program=false", "-c", "gpg.x509.program=false", "-c"];
        let name = format!("{REFS}/{tag}");
        let task = self.task(&ssh_only).arguments([setting]);
        let task = task.arguments(["verify-tag", "--format=%(tag)", "--end-of-options", &name]);
        let mut output = Vec::new();
        let verified = task.run(LOCAL_MAX, &mut output).await;
        let said = String::from_utf8_lossy(&output).trim().replace('\n', "; ");
        match verified {
            Ok(()) if is_line(&output, tag.as_str()) => Ok(()),
            Ok(()) | Err(CommandError::Failed { .. }) => {
                Err(GitError::NotSigned { tag: tag.to_string(), signers: signers.to_owned(), said })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Forgets worktrees whose folder no longer exists.
    async fn prune(&self) -> Result<(), GitError> {
        Ok(self.task(&["worktree", "prune"]).run(LOCAL_MAX, &mut Vec::new()).await?)
    }

    /// Makes git ignore the files of the update, without a change to the checkout.
    async fn ignore(&self, patterns: &[&str]) -> Result<(), GitError> {
        let path = self.folder.join(self.output_of(&["rev-parse", "--git-path", "info/exclude"]).await?);
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

    /// The one-line output of a command.
    async fn output_of(&self, arguments: &[&str]) -> Result<String, CommandError> {
        let mut output = Vec::new();
        self.task(arguments).run(LOCAL_MAX, &mut output).await?;
        Ok(String::from_utf8_lossy(&output).trim_end_matches('\n').to_owned())
    }

    fn task(&self, arguments: &[&str]) -> Task {
        git(&self.folder, arguments)
    }
}

/// Removes the folder of a release in any state, and what git knows of it.
pub async fn remove_release(install_dir: &Path, folder: &Path) -> Result<(), GitError> {
    let path = folder.to_owned();
    let removed = tokio::task::spawn_blocking(move || layout::remove_folders(&path)).await;
    let io = |cause| GitError::Io { path: folder.to_owned(), cause };
    removed.map_err(|error| io(std::io::Error::other(error)))?.map_err(io)?;
    if is_checkout(install_dir) {
        Checkout::open(install_dir).await?.prune().await?;
    }
    Ok(())
}

/// Whether a line of the output is this text.
fn is_line(output: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(output).lines().any(|line| line == text)
}

//! The latest release, from the source that the operator configures: the tags of the installation's `origin`,
//! or a release API. Answers are not trusted: only plain versions are accepted, and time and size are
//! limited.

mod api;
pub mod check;
mod download;
mod file;
mod git;
mod keys;
pub mod routes;
pub mod status;
mod store;
mod tag;
mod transfer;

use std::path::PathBuf;

use semver::Version;
use sha2::{Digest, Sha256};

use crate::config::{Releases, Settings};
pub use download::{DownloadError, download, download_text};
pub use file::{ReleaseFile, archive_name, target};
pub use git::{git, is_checkout, words_of_git};
pub use keys::{Keys, KeysError, SignatureError, Signed};
pub use tag::{NoPlainVersion, Tag};
pub use transfer::FetchError;

/// The source of releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The tags of this checkout's `origin`.
    Git(PathBuf),
    /// An address that answers `{tag_name, html_url, body, assets}`.
    Api(String),
    /// The operator has switched it off.
    Off,
}

impl Source {
    pub fn of(settings: &Settings) -> Self {
        match &settings.releases_url {
            Releases::Git => Self::Git(settings.install_dir.clone()),
            Releases::Api(address) => Self::Api(address.clone()),
            Releases::Off => Self::Off,
        }
    }

    /// The key under which answers are stored: a SHA-256, because an address may contain a password.
    fn key(&self) -> String {
        let source = match self {
            Self::Git(folder) => format!("git {}", folder.display()),
            Self::Api(address) => address.clone(),
            Self::Off => "off".to_owned(),
        };
        const_hex::encode(Sha256::digest(source.as_bytes()))
    }
}

/// A published release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub tag: Tag,
    /// Its release notes: an https address.
    pub url: Option<String>,
    /// The notes themselves, in Markdown.
    pub notes: Option<String>,
    /// Its files; none with git.
    pub files: Vec<ReleaseFile>,
}

impl Release {
    /// The size of its archive for this machine, as announced.
    pub fn download_bytes(&self) -> Option<u64> {
        let name = archive_name(self.tag.version());
        self.files.iter().find(|file| file.name == name).map(|file| file.size)
    }
}

/// Why the latest release is not known. Everyone may read these texts. What the source answered is only
/// logged, because it may contain an address with a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    #[error("releases are not looked up, because `releases-url` is `off`")]
    Off,
    #[error("the installation is not a git checkout")]
    NoCheckout,
    #[error("git can't be started")]
    NoGit,
    /// With git's own words, for the Deployment Admin and the shell: they may name folders of the server.
    #[error("git could not list the tags of `origin`")]
    Git(String),
    #[error("there is no release yet")]
    NoRelease,
    #[error("the release source could not be reached")]
    Unreachable,
    #[error("the release source took too long to answer")]
    TooSlow,
    #[error("the release source answered with more than is read")]
    TooLarge,
    #[error("the release source answered with status {0}")]
    Status(u16),
    #[error("the release source led elsewhere too often")]
    TooManyRedirects,
    #[error("the release source answered with something else than a release")]
    NotARelease,
    #[error("the release source names no plain version such as v1.2.3")]
    NoPlainVersion,
}

impl CheckError {
    /// What is known beyond the text for everyone. For the Deployment Admin and the shell.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Git(words) => Some(words),
            _ => None,
        }
    }

    /// The text for everyone, and the detail.
    pub fn in_full(&self) -> String {
        self.detail().map_or_else(|| self.to_string(), |detail| format!("{self}: {detail}"))
    }
}

/// This server's own version.
pub fn current() -> Version {
    // INVARIANT: cargo only builds packages with a valid version.
    Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or_else(|_| Version::new(0, 0, 0))
}

/// Asks the source, within a few seconds.
pub async fn latest(source: &Source) -> Result<Release, CheckError> {
    match source {
        Source::Git(folder) => git::latest(folder).await,
        Source::Api(address) => api::latest(address).await,
        Source::Off => Err(CheckError::Off),
    }
}

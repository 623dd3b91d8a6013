//! The latest release, asked where the operator says: of the tags of the installation's `origin`, or of a release API.
//! What comes back is not trusted: only a plain version is let through, and nothing waits or reads without an end.

mod api;
mod git;
pub mod store;
mod tag;
pub mod version;

use std::path::PathBuf;

use semver::Version;

use crate::config::{Releases, Settings};
pub use git::CAREFULLY;
pub use tag::{NoPlainVersion, Tag};

/// Where the latest release is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The tags of this checkout's `origin`.
    Git(PathBuf),
    /// An address that answers `{tag_name, html_url}`.
    Api(String),
}

impl Source {
    pub fn of(settings: &Settings) -> Self {
        match &settings.releases_url {
            Releases::Git => Self::Git(settings.install_dir.clone()),
            Releases::Api(address) => Self::Api(address.clone()),
        }
    }
}

/// A release that can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub tag: Tag,
    /// Its release notes: an https address.
    pub url: Option<String>,
}

/// Why it is not known. The words are for everyone: what the other side said is in the log alone, since it may quote
/// an address with a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    #[error("the installation is no git checkout")]
    NoCheckout,
    #[error("git can't be started")]
    NoGit,
    #[error("git could not list the tags of `origin`")]
    Git,
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

/// This server's own version.
pub fn current() -> Version {
    // INVARIANT: cargo builds nothing whose version is none.
    Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or_else(|_| Version::new(0, 0, 0))
}

/// Asks afresh, within a few seconds.
pub async fn latest(source: &Source) -> Result<Release, CheckError> {
    match source {
        Source::Git(folder) => git::latest(folder).await,
        Source::Api(address) => api::latest(address).await,
    }
}

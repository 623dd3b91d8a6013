//! The files of a release.

use semver::Version;

/// A file of a release, as the source announces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    pub name: String,
    /// `None`: the source names no address that may be asked.
    pub address: Option<String>,
    pub size: u64,
}

/// The machines for which an archive is, as in its name.
pub fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

/// The name of the archive of a release for this machine.
pub fn archive_name(version: &Version) -> String {
    format!("farthing-{version}-{}.tar.zst", target())
}

//! The files of a release: archive, package for Debian, container image, list of parts, sums and signatures.
//! The same commit and toolchain are to give the same bytes in every folder.

pub mod archive;
pub mod base;
pub mod binary;
pub mod checklist;
pub mod deb;
pub mod image;
pub mod parts;
pub mod signature;
pub mod sums;
mod tree;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::python::Python;
use crate::workspace::Workspace;

/// Targets for which releases are made, with the architecture's name in Debian and in container images.
const TARGETS: [(&str, &str); 2] =
    [("x86_64-unknown-linux-gnu", "amd64"), ("aarch64-unknown-linux-gnu", "arm64")];

/// Compresses standard input. Python's package of zstd has the same version everywhere.
const COMPRESS: &str = "import sys, zstandard
sys.stdout.buffer.write(zstandard.ZstdCompressor(level=19).compress(sys.stdin.buffer.read()))";

/// Decompresses standard input.
const DECOMPRESS: &str = "import sys, zstandard
sys.stdout.buffer.write(zstandard.ZstdDecompressor().decompress(sys.stdin.buffer.read()))";

/// The keys that may sign releases, in the workspace: `.pub` files of minisign, one after the other.
pub const PUBLIC_KEYS: &str = "xtask/package/release-keys.pub";

pub struct BuiltRelease<'a> {
    pub workspace: &'a Workspace,
    pub python: &'a Python,
    pub version: String,
    pub target: &'static str,
    /// The architecture's name in Debian and in container images.
    pub architecture: &'static str,
    pub binary: Vec<u8>,
    /// Address of a release API, preset for updates.
    pub releases_url: Option<String>,
    /// Keys that may sign releases, in minisign's form.
    pub public_keys: Option<String>,
    /// Seconds since 1970, of the commit: the time of every file.
    pub epoch: u64,
    /// The folder for the release's files.
    pub folder: PathBuf,
}

impl BuiltRelease<'_> {
    /// Name of the archive without its ending.
    pub fn name(&self) -> String {
        format!("farthing-{}-{}", self.version, self.target)
    }

    /// The time of the commit, as documents write it.
    pub fn time(&self) -> Result<String> {
        let time = format!("@{}", self.epoch);
        let text = process::output(Command::new("date").args(["-u", "-d", &time, "+%FT%TZ"]))?;
        Ok(text.trim().to_owned())
    }

    /// Compresses as far as zstd does without needing much memory to unpack.
    pub fn compress(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        process::filter(&mut self.python.script(COMPRESS), bytes)
    }

    /// What was compressed.
    pub fn decompress(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        process::filter(&mut self.python.script(DECOMPRESS), bytes)
    }

    /// The contents of a template in `xtask/package`.
    pub fn template(&self, name: &str) -> Result<String> {
        let path = self.workspace.root.join("xtask/package").join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

/// A target for which releases are made, by its name; by default the one of this machine's compiler.
pub fn target(name: Option<&str>) -> Result<(&'static str, &'static str)> {
    let host = || Some(format!("{}-unknown-linux-gnu", std::env::consts::ARCH));
    let name = name.map(str::to_owned).or_else(host).unwrap_or_default();
    let known = TARGETS.into_iter().find(|(target, _)| *target == name);
    known.with_context(|| {
        let names = TARGETS.map(|(target, _)| target).join(" and ");
        format!("no release is made for {name}, only for {names}")
    })
}

/// The version of the workspace.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The time of the commit, in seconds since 1970.
pub fn epoch(workspace: &Workspace) -> Result<u64> {
    let text = git(workspace, &["log", "-1", "--format=%ct"])?;
    text.trim().parse().context("git reports no time of the commit")
}

/// The files that differ from the commit, or that it does not have.
pub fn changes(workspace: &Workspace) -> Result<String> {
    git(workspace, &["status", "--porcelain"])
}

pub fn git(workspace: &Workspace, arguments: &[&str]) -> Result<String> {
    process::output(Command::new("git").args(arguments).current_dir(&workspace.root))
}

/// Fails unless a binary for this machine reports the version.
pub fn check_version(binary: &std::path::Path, version: &str) -> Result<()> {
    let reported = process::output(Command::new(binary).arg("--version"))?;
    if reported.trim() != format!("farthing {version}") {
        bail!("the binary reports `{}` instead of version {version}", reported.trim());
    }
    Ok(())
}

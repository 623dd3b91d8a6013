//! `cargo xtask dist`: makes the files of a release, or checks whether one can be made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use minisign::SecretKey;

use crate::bare_package;
use crate::bare_system::RELEASES;
use crate::dist::{self, BuiltRelease, archive, base, binary, checklist, deb, image, parts, signature, sums};
use crate::node::Node;
use crate::path_context::PathContext;
use crate::python::Python;
use crate::workspace::Workspace;

/// Largest size in bytes of the archive and of the package.
const LIMIT: usize = 20_000_000;

#[derive(Args)]
pub struct Options {
    /// Target: `x86_64-unknown-linux-gnu` or `aarch64-unknown-linux-gnu`, by default that of this machine
    #[arg(long)]
    target: Option<String>,
    /// File of the secret key of minisign that signs the release; without it the release is unsigned
    #[arg(long)]
    key: Option<PathBuf>,
    /// Address of the release API that installations of this release ask for newer ones
    #[arg(long)]
    releases_url: Option<String>,
    /// An existing binary instead of a new one, for example to sign on a machine what another one has built
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Prints what has to be done before a release, with the state of each item, and makes nothing
    #[arg(long)]
    check: bool,
    /// Tries the image, and the package on bare Debian systems, as `cargo xtask test --all` does, with the
    /// binary of `cargo xtask build`, and makes nothing
    #[arg(long = "try")]
    tries: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    if options.tries {
        let (node, python) = (Node::ensure(workspace)?, Python::ensure(workspace)?);
        bare_package::lint::check(workspace, &python)?;
        bare_package::image::check(workspace, &python)?;
        RELEASES.iter().try_for_each(|debian| bare_package::check(workspace, &node, &python, debian))?;
        return Ok(ExitCode::SUCCESS);
    }
    let started = Instant::now();
    let key = options.key.as_deref().map(signature::key).transpose()?;
    if options.check {
        let is_ready = checklist::check(workspace, key.as_ref());
        return Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let (target, architecture) = dist::target(options.target.as_deref())?;
    let public_keys = public_keys(workspace, key.as_ref())?;
    let epoch = dist::epoch(workspace)?;
    let python = Python::ensure(workspace)?;
    let path = match &options.binary {
        Some(path) => path.clone(),
        None => binary::build(workspace, target, epoch)?,
    };
    if target.starts_with(std::env::consts::ARCH) {
        dist::check_version(&path, dist::version())?;
    }
    let release = BuiltRelease {
        workspace,
        python: &python,
        version: dist::version().to_owned(),
        target,
        architecture,
        binary: fs::read(&path).on_path("read", &path)?,
        releases_url: options.releases_url.clone(),
        public_keys,
        epoch,
        folder: workspace.target.join(format!("farthing-{}", dist::version())),
    };
    binary::check_paths(&release.binary, workspace)?;
    make(&release, key.as_ref())?;
    println!("dist: needs glibc {} or newer", binary::oldest_glibc(&release.binary)?);
    if !dist::changes(workspace)?.is_empty() {
        println!("dist: the checkout differs from its commit, so nobody else can make the same bytes");
    }
    println!("dist: {} (done in {:.0} s)", release.folder.display(), started.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

/// Makes the files of a release from its binary.
pub fn make(release: &BuiltRelease<'_>, key: Option<&SecretKey>) -> Result<()> {
    fs::create_dir_all(&release.folder).on_path("create", &release.folder)?;
    let archive = archive::make(release)?;
    if let Some(key) = key {
        let text = signature::sign(key, &archive.1, &signature::comment(release))?;
        write(&release.folder, &format!("{}.minisig", archive.0), text.as_bytes())?;
    } else {
        println!(
            "dist: unsigned, because no --key is given: no installation accepts this archive for an update"
        );
    }
    let mut files = vec![archive, deb::make(release)?, parts::make(release)?];
    if let Some(base) = base::make(release)? {
        files.push(image::make(release, &base)?);
        for name in ["compose.yaml", "compose.postgres.yaml"] {
            let text = release.template(name)?.replace("@VERSION@", &release.version);
            files.push((name.to_owned(), text.into_bytes()));
        }
    }
    for (name, bytes) in files {
        if bytes.len() > LIMIT && !name.ends_with(".image.tar") {
            bail!("{name} has {} bytes, more than {LIMIT}", bytes.len());
        }
        write(&release.folder, &name, &bytes)?;
    }
    let all = sums::of_folder(&release.folder)?;
    write(&release.folder, sums::NAME, all.as_bytes())?;
    if let Some(key) = key {
        let text = signature::sign(key, all.as_bytes(), &format!("farthing {}", release.version))?;
        write(&release.folder, &format!("{}.minisig", sums::NAME), text.as_bytes())?;
    }
    Ok(())
}

/// The keys that installations will have: those of the checkout, or the public half of the key that signs.
fn public_keys(workspace: &Workspace, key: Option<&SecretKey>) -> Result<Option<String>> {
    let shipped = workspace.root.join(dist::PUBLIC_KEYS);
    if shipped.exists() {
        let shipped = fs::read_to_string(&shipped).on_path("read", &shipped)?;
        key.map(|key| signature::check_shipped(key, &shipped)).transpose()?;
        return Ok(Some(shipped));
    }
    key.map(signature::public).transpose()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, bytes).on_path("write", &path)?;
    println!("dist: {name}, {:.1} MB", bytes.len() as f64 / 1e6);
    Ok(())
}

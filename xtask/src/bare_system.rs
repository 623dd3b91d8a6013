//! Root file systems of Debian that have only the packages that apt itself needs, and `cargo xtask install`
//! in one.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::node::Node;
use crate::path_context::PathContext;
use crate::process;
use crate::toolchain;
use crate::workspace::Workspace;

pub struct Debian {
    /// Name of the step that installs the tests' tools in this release.
    pub step: &'static str,
    /// Name of the step that installs the package in this release.
    pub package_step: &'static str,
    pub codename: &'static str,
}

pub const RELEASES: [Debian; 2] = [
    Debian { step: "installation on Debian 12", package_step: "package on Debian 12", codename: "bookworm" },
    Debian { step: "installation on Debian 13", package_step: "package on Debian 13", codename: "trixie" },
];

/// The checkout in the root file system.
const CHECKOUT: &str = "/farthing";

/// This tool in the root file system.
const XTASK: &str = "/usr/local/bin/xtask";

/// npm's settings for all users.
const GLOBAL_NPMRC: &str = "/etc/npmrc";

/// The certificates that programs of Debian trust.
const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// dpkg need not flush files that are soon removed, and has no pseudoterminal.
const DPKG_SETTINGS: &str = "DPkg::Options:: \"--force-unsafe-io\";\nDPkg::Use-Pty \"0\";\n";

/// Creates the root file system and runs the command there. Prints why if that is not possible on this
/// machine.
pub fn install(workspace: &Workspace, node: &Node, release: &Debian) -> Result<()> {
    let Some(mirror) = mirror()? else { return Ok(()) };
    let root = workspace.scratch()?.join(format!("bare-{}", release.codename));
    // Left by an interrupted run.
    let _ = fs::remove_dir_all(&root);
    let outcome = install_in(&root, workspace, node, release, &mirror);
    // After a failure, too: it occupies more than a gigabyte and contains a copy of npm's settings.
    let _ = fs::remove_dir_all(&root);
    outcome
}

/// The mirror from which root file systems are made. Prints why if that is not possible on this machine.
pub fn mirror() -> Result<Option<String>> {
    if !process::succeeds("unshare", &["--mount", "true"]) {
        println!("skipped: only root may mount the file systems of a bare system");
        return Ok(None);
    }
    debian::install(&["debootstrap"])?;
    if process::on_path("debootstrap").is_none() {
        println!("skipped: this machine has no debootstrap");
        return Ok(None);
    }
    let mirror = debian::mirror()?;
    if mirror.is_none() {
        println!("skipped: apt uses no mirror of Debian on this machine");
    }
    Ok(mirror)
}

/// Creates a root file system, which reaches packages as this machine does.
pub fn make(root: &Path, node: &Node, release: &Debian, mirror: &str) -> Result<()> {
    debootstrap(release, root, mirror)?;
    copy_settings(node, root)
}

fn install_in(root: &Path, workspace: &Workspace, node: &Node, release: &Debian, mirror: &str) -> Result<()> {
    make(root, node, release, mirror)?;
    copy_programs(workspace, root)?;
    copy_checkout(workspace, &within(root, CHECKOUT))?;
    if process::run(xtask(root).arg("--help").stdout(Stdio::null())).is_err() {
        println!("skipped: the C library of {} is too old for this machine's programs", release.codename);
        return Ok(());
    }
    process::run(xtask(root).arg("install"))
}

/// In a mount namespace, so that no mount remains if debootstrap is killed.
fn debootstrap(release: &Debian, root: &Path, mirror: &str) -> Result<()> {
    let mut command = Command::new("unshare");
    command.args(["--mount", "debootstrap", "--variant=minbase", "--force-check-gpg", release.codename]);
    for protocol in ["http", "https"] {
        let proxy = debian::proxy(protocol)?;
        if !proxy.is_empty() {
            command.env(format!("{protocol}_proxy"), proxy);
        }
    }
    process::run(command.arg(root).arg(mirror))
}

/// Copies the settings by which this machine reaches the packages of Debian, npm and Python: host names,
/// proxies, certificates and registries.
fn copy_settings(node: &Node, root: &Path) -> Result<()> {
    let apt = within(root, "/etc/apt/apt.conf.d/50machine");
    fs::write(&apt, debian::download_settings()? + DPKG_SETTINGS).on_path("write", &apt)?;
    for file in ["/etc/hosts", "/etc/resolv.conf", "/etc/pip.conf", CERTIFICATES] {
        copy(Path::new(file), &within(root, file))?;
    }
    // The package `ca-certificates` adds the files of this folder to those of its own.
    copy(Path::new(CERTIFICATES), &within(root, "/usr/local/share/ca-certificates/machine.crt"))?;
    for variable in ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"] {
        if let Some(file) = env::var_os(variable) {
            copy(Path::new(&file), &within(root, &file))?;
        }
    }
    for (setting, file) in [("userconfig", "/root/.npmrc"), ("globalconfig", GLOBAL_NPMRC)] {
        let path = process::output(node.command("npm").args(["config", "get", setting]))?;
        copy(Path::new(path.trim()), &within(root, file))?;
    }
    Ok(())
}

/// This tool, and cargo, by which it finds the workspace.
fn copy_programs(workspace: &Workspace, root: &Path) -> Result<()> {
    let own = env::current_exe().context("cannot find this tool's own file")?;
    copy(&own, &within(root, XTASK))?;
    copy(&toolchain::sysroot(workspace)?.join("bin/cargo"), &within(root, "/usr/local/bin/cargo"))
}

/// Copies the checkout without the target folder, which cargo marks as a cache, and without npm packages.
fn copy_checkout(workspace: &Workspace, to: &Path) -> Result<()> {
    fs::create_dir_all(to).on_path("create", to)?;
    let mut pack = Command::new("tar")
        .args(["--create", "--exclude-vcs", "--exclude-caches-all", "--exclude=node_modules", "--directory"])
        .arg(&workspace.root)
        .arg(".")
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start tar")?;
    let archive = pack.stdout.take().context("tar has no output")?;
    process::run(Command::new("tar").args(["--extract", "--directory"]).arg(to).stdin(archive))?;
    if !pack.wait().context("cannot wait for tar")?.success() {
        bail!("cannot pack {}", workspace.root.display());
    }
    Ok(())
}

/// This tool in the root file system.
fn xtask(root: &Path) -> Command {
    let mut command = command(root, XTASK);
    command
        .env("NPM_CONFIG_GLOBALCONFIG", GLOBAL_NPMRC)
        .env("CARGO_MANIFEST_DIR", Path::new(CHECKOUT).join("xtask"));
    command
}

/// A program in the root file system, with its own process ids, so that every process that it starts ends
/// with it.
pub fn command(root: &Path, program: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--mount-proc", "--pid", "--fork", "--kill-child", "--root"]).arg(root).arg(program);
    set_environment(&mut command);
    command
}

/// The environment of a program in a root file system: this machine's only as far as it concerns the network.
pub fn set_environment(command: &mut Command) {
    command.env_clear().envs(env::vars_os().filter(|(name, _)| is_network_setting(name)));
    command.env("HOME", "/root").env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
}

fn is_network_setting(variable: &OsStr) -> bool {
    let name = variable.to_string_lossy().to_ascii_lowercase();
    name.ends_with("_proxy")
        || name.starts_with("npm_config_")
        || name.starts_with("pip_")
        || ["node_extra_ca_certs", "ssl_cert_file", "ssl_cert_dir"].contains(&name.as_str())
}

/// Copies a file if it exists, with the folder that it is in.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_file() {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).on_path("create", folder)?;
    }
    fs::copy(from, to).map(drop).on_path("copy", from)
}

/// The path in the root file system that programs inside know as `path`.
pub fn within(root: &Path, path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    root.join(path.strip_prefix("/").unwrap_or(path))
}

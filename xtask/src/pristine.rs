//! A root file system of Debian, and copies of it in which packages are installed as they are. This machine's
//! own packages are left alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::bare_system::{self, RELEASES};
use crate::node::Node;
use crate::path_context::PathContext;
use crate::process;
use crate::workspace::Workspace;

/// The release of Debian.
const RELEASE: &bare_system::Debian = &RELEASES[0];

/// Removed, with its copies, when it is dropped.
pub struct Pristine {
    pub folder: PathBuf,
    /// The name of the machine that a package finds when it is installed.
    host: &'static str,
}

impl Pristine {
    /// None, after a word why, if that is not possible on this machine.
    pub fn make(workspace: &Workspace, node: &Node, host: &'static str) -> Result<Option<Self>> {
        let Some(mirror) = bare_system::mirror()? else { return Ok(None) };
        let folder = workspace.scratch()?.join(format!("pristine-{host}"));
        // Left by an interrupted run.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).on_path("create", &folder)?;
        let pristine = Self { folder, host };
        bare_system::make(&pristine.root(), node, RELEASE, &mirror)?;
        Ok(Some(pristine))
    }

    fn root(&self) -> PathBuf {
        self.folder.join("pristine")
    }

    /// Runs with a copy in which packages are installed without a question.
    pub fn with<T>(&self, packages: &[&str], run: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
        let root = self.folder.join("copy");
        process::run(Command::new("cp").arg("--archive").arg(self.root()).arg(&root))?;
        let hosts = root.join("etc/hosts");
        let others = fs::read_to_string(&hosts).unwrap_or_default();
        // A second line of `localhost` would let a mail server listen there twice.
        fs::write(&hosts, format!("{others}\n127.0.0.1 {}\n", self.host)).on_path("write", &hosts)?;
        let install = [&["install", "--no-install-recommends"], packages].concat();
        for arguments in [&["update"][..], &install] {
            let mut apt = self.command(&root, "apt-get");
            apt.args(["-qq", "-y", "-o=APT::Sandbox::User=root"]).args(arguments);
            process::run(apt.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))?;
        }
        let outcome = run(&root);
        fs::remove_dir_all(&root).on_path("remove", &root)?;
        outcome
    }

    /// A program in a copy, on a machine with the name.
    fn command(&self, root: &Path, program: &str) -> Command {
        let inner = bare_system::command(root, program);
        let mut command = Command::new("unshare");
        command.args(["--uts", "sh", "-c", "hostname \"$0\" && exec \"$@\"", self.host]);
        command.arg(inner.get_program()).args(inner.get_args());
        bare_system::set_environment(&mut command);
        command
    }
}

impl Drop for Pristine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The version of a package in a root file system, without the revision of Debian.
pub fn version(root: &Path, package: &str) -> Result<String> {
    let mut query = bare_system::command(root, "dpkg-query");
    let printed = process::output(query.args(["--show", "--showformat=${Version}", package]))?;
    let upstream = printed.rsplit_once('-').map_or(printed.as_str(), |(upstream, _)| upstream);
    // An epoch stands before it.
    let upstream = upstream.split_once(':').map_or(upstream, |(_, upstream)| upstream);
    Some(upstream.to_owned()).filter(|version| !version.is_empty()).context("a package without a version")
}

/// A program in namespaces of its own for network, names, mounts and processes, which sees this machine's
/// files.
pub fn apart(program: &Command) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--net", "--uts", "--mount", "--pid", "--fork", "--kill-child"]);
    command.arg(program.get_program()).args(program.get_args());
    command
}

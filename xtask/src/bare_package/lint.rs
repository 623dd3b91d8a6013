//! The package for Debian, read by lintian.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::debian;
use crate::dist::{self, BuiltRelease, deb};
use crate::path_context::PathContext;
use crate::process;
use crate::python::Python;
use crate::works_with::Program;
use crate::workspace::Workspace;

/// Checks a package of the binary of the tests. Prints why if that is not possible on this machine.
pub fn check(workspace: &Workspace, python: &Python) -> Result<Vec<Program>> {
    if process::on_path("lintian").is_none() {
        debian::install(&["lintian"])?;
    }
    if process::on_path("lintian").is_none() {
        println!("skipped: lintian is not installed, and only Debian has it");
        return Ok(Vec::new());
    }
    let (target, architecture) = dist::target(None)?;
    let path = workspace.binary();
    let release = BuiltRelease {
        workspace,
        python,
        version: dist::version().to_owned(),
        target,
        architecture,
        binary: fs::read(&path).on_path("read", &path)?,
        releases_url: None,
        public_keys: None,
        epoch: dist::epoch(workspace)?,
        folder: workspace.scratch()?.join("lint"),
    };
    fs::create_dir_all(&release.folder).on_path("create", &release.folder)?;
    let (name, bytes) = deb::make(&release)?;
    let package = release.folder.join(name);
    fs::write(&package, bytes).on_path("write", &package)?;
    let mut lintian = Command::new("lintian");
    // Debian 12's does not know the compression that its dpkg unpacks.
    lintian.args(["--allow-root", "--fail-on", "error,warning", "--suppress-tags", "malformed-deb-archive"]);
    lintian.arg(&package);
    let outcome = process::run(&mut lintian);
    let _ = fs::remove_dir_all(&release.folder);
    outcome?;
    let version = process::output(Command::new("lintian").args(["--print-version"]))?;
    let seen = "neither an error nor a warning, except that Debian 12’s does not know `.tar.zst` inside; in \
                `cargo xtask test --all`";
    Ok(vec![Program::new("lintian", version.trim(), seen)])
}

//! The parts of the Rust toolchain. `rust-toolchain.toml` lists them, but rustup installs them by itself only
//! where its automatic installation is on.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::{BROWSER_TARGET, ENGINE_TARGET, Workspace};

pub fn ensure_targets(workspace: &Workspace) -> Result<()> {
    let installed = sysroot(workspace)?.join("lib/rustlib");
    let missing: Vec<&str> = [BROWSER_TARGET, ENGINE_TARGET]
        .into_iter()
        .filter(|target| !installed.join(target).is_dir())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    println!("toolchain: adding {names}");
    process::run(Command::new("rustup").args(["target", "add"]).args(&missing).current_dir(&workspace.root))
        .with_context(|| format!("the compiler needs the targets {names} to build the pages"))
}

/// The folder of the toolchain that the workspace selects.
pub fn sysroot(workspace: &Workspace) -> Result<PathBuf> {
    let path =
        process::output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&workspace.root))?;
    Ok(PathBuf::from(path.trim()))
}

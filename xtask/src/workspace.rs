//! The workspace's folders, and cargo as this tool calls it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::path_context::PathContext;
use crate::process;

pub const BROWSER_TARGET: &str = "wasm32-unknown-unknown";
pub const ENGINE_TARGET: &str = "wasm32v1-none";
/// Names the folder of the site to the build of the server.
pub const SITE_VARIABLE: &str = "FARTHING_SITE_DIR";

pub struct Workspace {
    pub root: PathBuf,
    pub target: PathBuf,
    /// Settings of every call of cargo, as `--config` takes them.
    pub cargo_settings: Vec<String>,
    /// Variables of every command that may call cargo.
    pub variables: Vec<(String, String)>,
}

impl Workspace {
    /// The checkout that the tool was started in. `cargo run` and `cargo test` name the package's folder in
    /// the environment; without it the current folder counts. A path from compile time would be wrong in a
    /// copied checkout, whose target folder contains this tool as it was built in the original.
    pub fn find() -> Result<Self> {
        let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        Self::of_package(package.as_deref())
    }

    fn of_package(folder: Option<&Path>) -> Result<Self> {
        let mut command = cargo();
        command.args(["metadata", "--format-version=1", "--no-deps", "--offline"]);
        if let Some(folder) = folder {
            command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
        }
        let metadata: serde_json::Value = serde_json::from_str(&process::output(&mut command)?)
            .context("`cargo metadata` printed invalid JSON")?;
        let path = |field: &str| {
            let path = metadata[field].as_str().map(PathBuf::from);
            path.with_context(|| format!("`cargo metadata` reports no {field}"))
        };
        let (root, target) = (path("workspace_root")?, path("target_directory")?);
        Ok(Self { root, target, cargo_settings: Vec::new(), variables: Vec::new() })
    }

    /// The folder that the server embeds: the pages' assets and their manifest.
    pub fn site(&self) -> PathBuf {
        self.target.join("site")
    }

    /// The folder of the browser tests and of their npm packages.
    pub fn end2end(&self) -> PathBuf {
        self.root.join("end2end")
    }

    pub fn binary(&self) -> PathBuf {
        self.target.join("release").join(format!("farthing{}", env::consts::EXE_SUFFIX))
    }

    /// The folder for this tool's own files, created if it is missing.
    pub fn scratch(&self) -> Result<PathBuf> {
        let folder = self.target.join("xtask");
        fs::create_dir_all(&folder).on_path("create", &folder)?;
        Ok(folder)
    }

    /// Cargo, run in the workspace.
    pub fn cargo(&self) -> Command {
        let mut command = cargo();
        self.prepare(command.current_dir(&self.root));
        command.args(self.cargo_settings.iter().map(|setting| format!("--config={setting}")));
        command
    }

    /// Gives a command that may call cargo the environment that this tool's own calls have. The site's folder
    /// is always set, because cargo rebuilds the server when the variable changes.
    pub fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        remove_package_variables(command)
            .env("CARGO_TARGET_DIR", &self.target)
            .env(SITE_VARIABLE, self.site())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
    }
}

fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    remove_package_variables(&mut command);
    command
}

/// Removes the variables in which `cargo run` describes this package. Build scripts that watch these names
/// would run again whenever cargo is called with and without this tool alternately.
pub fn remove_package_variables(command: &mut Command) -> &mut Command {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
            || text == "CARGO_BIN_NAME"
            || text == "CARGO_CRATE_NAME"
            || text == "CARGO_PRIMARY_PACKAGE"
        {
            command.env_remove(&name);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_the_one_of_the_package_that_runs() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let package = root.join("tool");
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(root.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"tool\"]\n").unwrap();
        fs::write(package.join("Cargo.toml"), "[package]\nname = \"tool\"\nedition = \"2024\"\n").unwrap();
        fs::write(package.join("src/main.rs"), "fn main() {}\n").unwrap();
        let workspace = Workspace::of_package(Some(&package)).unwrap();
        assert_eq!(workspace.root, root);
    }
}

//! Where things lie, and how cargo is called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::process;

pub const BROWSER_TARGET: &str = "wasm32-unknown-unknown";
pub const ENGINE_TARGET: &str = "wasm32v1-none";

pub struct Workspace {
    pub root: PathBuf,
    /// Cargo's own answer, so that `CARGO_TARGET_DIR` and a user's configuration hold.
    pub target: PathBuf,
}

impl Workspace {
    pub fn find() -> Outcome<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.parent().unwrap_or(here).to_path_buf();
        let answer = process::output(cargo_in(&root).args([
            "metadata",
            "--format-version=1",
            "--no-deps",
            "--offline",
        ]))?;
        let metadata: serde_json::Value = serde_json::from_str(&answer)
            .map_err(|error| Failure::new(format!("`cargo metadata` answered something else: {error}")))?;
        let target = metadata["target_directory"]
            .as_str()
            .ok_or_else(|| Failure::new("`cargo metadata` names no target directory"))?;
        Ok(Self { root, target: PathBuf::from(target) })
    }

    /// What the server embeds: pages' assets and their manifest.
    pub fn site(&self) -> PathBuf {
        self.target.join("site")
    }

    pub fn binary(&self) -> PathBuf {
        self.target.join("release").join(format!("farthing{}", env::consts::EXE_SUFFIX))
    }

    /// A call of cargo in the workspace.
    pub fn cargo(&self) -> Command {
        let mut command = cargo_in(&self.root);
        self.prepare(&mut command);
        command
    }

    /// Has a command call cargo as this tool does. The site's folder is always named, because a variable that
    /// comes and goes would have cargo build the server anew.
    pub fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        without_words_of_cargo(command)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("FARTHING_SITE_DIR", self.site())
    }
}

fn cargo_in(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    without_words_of_cargo(&mut command).current_dir(root);
    command
}

/// `cargo run` describes the crate it runs in the environment. Build scripts of others watch these names, and
/// would run again whenever cargo is called with and without this tool in turn.
fn without_words_of_cargo(command: &mut Command) -> &mut Command {
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

//! The scripts beside this file, and the programs that only they need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Program;
use crate::node::Node;
use crate::path_context::PathContext;
use crate::process;
use crate::workspace::Workspace;

/// Stands before each script.
const COMMON: &str = include_str!("common.py");

const REQUIREMENTS: &str = include_str!("requirements.txt");

const PACKAGES: [&str; 9] = [
    "@apidevtools/swagger-parser@13.1.0",
    "@redocly/cli@2.77.0",
    "@stoplight/spectral-cli@6.16.3",
    "eventsource@4.1.0",
    "openapi-fetch@0.17.0",
    "openapi-typescript@7.13.0",
    "otpauth@9.5.2",
    "otplib@13.5.0",
    "typescript@5.9.3",
];

/// Python and packages of npm, in the target folder.
pub struct Programs {
    python: PathBuf,
    pub packages: PathBuf,
}

impl Programs {
    pub fn ensure(workspace: &Workspace, node: &Node) -> Result<Self> {
        let folder = workspace.target.join("works-with");
        let (environment, packages) = (folder.join("python"), folder.join("npm"));
        fs::create_dir_all(&packages).on_path("create", &packages)?;
        process::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let python = environment.join("bin/python");
        let requirements = folder.join("requirements.txt");
        fs::write(&requirements, REQUIREMENTS).on_path("write", &requirements)?;
        let options = ["--quiet", "--disable-pip-version-check", "--requirement"];
        process::run(Command::new(&python).args(["-m", "pip", "install"]).args(options).arg(requirements))?;
        let options = ["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix"];
        process::run(node.command("npm").args(options).arg(&packages).args(PACKAGES))?;
        Ok(Self { python, packages })
    }

    /// A script, with the address of a server, if it needs one, and a folder for its files.
    pub fn script(&self, text: &str, address: &str, folder: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command.arg("-c").arg(format!("{COMMON}\n{text}")).arg(format!("http://{address}")).arg(folder);
        command
    }
}

/// The rows that a script prints.
pub fn rows(script: &mut Command) -> Result<Vec<Program>> {
    let printed = process::output(script)?;
    let row = |line: &str| {
        let found: Value = serde_json::from_str(line).with_context(|| format!("no row: {line}"))?;
        let text = |name: &str| found[name].as_str().with_context(|| format!("a row without `{name}`"));
        Ok(Program::new(text("tool")?, text("version")?, text("seen")?))
    };
    printed.lines().filter(|line| line.starts_with('{')).map(row).collect()
}

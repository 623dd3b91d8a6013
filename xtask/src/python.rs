//! Python programs, in a virtual environment of the target folder. `xtask/python/requirements.txt` locks
//! their versions.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::debian;
use crate::path_context::PathContext;
use crate::process;
use crate::site;
use crate::workspace::Workspace;

pub struct Python {
    /// The programs of the virtual environment.
    programs: PathBuf,
}

impl Python {
    /// Installs the programs unless the locked versions are unchanged since the last installation. If Python
    /// is missing, installs the distribution's package first.
    pub fn ensure(workspace: &Workspace) -> Result<Self> {
        let folder = workspace.target.join("python");
        let python = Self { programs: folder.join("bin") };
        let requirements = workspace.root.join("xtask/python/requirements.txt");
        let hash = site::hash(&[&fs::read(&requirements).on_path("read", &requirements)?]);
        let mark = folder.join(".installed-from");
        if fs::read_to_string(&mark).is_ok_and(|installed| installed == hash) {
            return Ok(python);
        }
        // Debian has the module that installs pip in a package of its own.
        if !process::succeeds("python3", &["-c", "import venv, ensurepip"]) {
            debian::install(&["python3", "python3-venv"])?;
        }
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
            .context("the tests need Python 3.11 or newer with its module `venv`: please install it")?;
        let options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--require-hashes"];
        process::run(
            python.module("pip").arg("install").args(options).arg("--requirement").arg(&requirements),
        )?;
        fs::write(&mark, hash).on_path("write", &mark)?;
        Ok(python)
    }

    /// A compiled program.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.programs.join(name))
    }

    /// A program that is given as text.
    pub fn script(&self, text: &str) -> Command {
        let mut command = self.program("python");
        command.args(["-c", text]);
        command
    }

    /// The installed version of a package.
    pub fn version(&self, package: &str) -> Result<String> {
        let script = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))";
        Ok(process::output(self.script(script).arg(package))?.trim().to_owned())
    }

    /// A program that is a Python module. Its script would contain the path of the target folder in which it
    /// was installed, which is wrong in a copied checkout.
    pub fn module(&self, name: &str) -> Command {
        let mut command = self.program("python");
        command.args(["-m", name]);
        command
    }
}

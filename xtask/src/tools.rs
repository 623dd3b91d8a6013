//! The tools that the tests need beside the compiler: Node, npm packages, a browser and its driver. A missing tool is
//! installed where possible; otherwise the error says how to install it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::path_context::PathContext;
use crate::process;
use crate::site;
use crate::workspace::Workspace;

/// The oldest version that Playwright supports.
const OLDEST_NODE: u32 = 20;

pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

pub fn ensure_node() -> Result<()> {
    if on_path("node").is_none() || on_path("npm").is_none() {
        install_from_distribution(&["nodejs", "npm"])?;
    }
    let version = process::output(Command::new("node").arg("--version")).with_context(|| {
        format!("the tests need Node {OLDEST_NODE} or newer, with npm: please install it")
    })?;
    let version = version.trim();
    let major = version.trim_start_matches('v').split('.').next().and_then(|text| text.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST_NODE) {
        bail!("the tests need Node {OLDEST_NODE} or newer, and `node` is {version}");
    }
    Ok(())
}

/// Installs the packages of `end2end/` unless its lock file is unchanged since the last installation.
pub fn ensure_packages(workspace: &Workspace) -> Result<()> {
    let folder = end2end(workspace);
    let lock = folder.join("package-lock.json");
    let hash = site::hash(&[&fs::read(&lock).on_path("read", &lock)?]);
    let mark = folder.join("node_modules/.installed-from");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == hash) {
        return Ok(());
    }
    process::run(
        Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(&folder),
    )?;
    fs::write(&mark, hash).on_path("write", &mark)
}

/// Finds Chromium and its driver. If one is missing, installs the distribution's package, or else Playwright's Chromium.
pub fn ensure_browser(workspace: &Workspace) -> Result<Browser> {
    if find_chromium(workspace)?.is_none() || find_driver().is_none() {
        install_from_distribution(&["chromium", "chromium-driver"])?;
    }
    let chromium = match find_chromium(workspace)? {
        Some(chromium) => chromium,
        None => {
            // If the download fails, Playwright has printed why, and no Chromium is found below.
            let _ = process::run(npx(workspace, "playwright").args(["install", "chromium"]));
            find_chromium(workspace)?.context(
                "no Chromium: install the package `chromium` (Debian), or set CHROMIUM to its executable",
            )?
        }
    };
    let driver = find_driver().context(
        "no chromedriver: install the package `chromium-driver` (Debian), or set CHROMEDRIVER to its executable",
    )?;
    Ok(Browser { chromium, driver })
}

pub fn end2end(workspace: &Workspace) -> PathBuf {
    workspace.root.join("end2end")
}

/// A program of an installed package of `end2end/`. npx does not download one.
pub fn npx(workspace: &Workspace, program: &str) -> Command {
    let mut command = Command::new("npx");
    command.args(["--no-install", program]).current_dir(end2end(workspace));
    command
}

/// Playwright's test runner, with the built binary and a browser.
pub fn playwright_test(workspace: &Workspace, browser: &Browser) -> Command {
    let mut command = npx(workspace, "playwright");
    command.arg("test").env("FARTHING_BIN", workspace.binary()).env("CHROMIUM", &browser.chromium);
    command
}

pub fn on_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|path| path.is_file())
}

fn find_chromium(workspace: &Workspace) -> Result<Option<PathBuf>> {
    if let Some(named) = env::var_os("CHROMIUM").map(PathBuf::from) {
        if named.is_file() {
            return Ok(Some(named));
        }
        bail!("CHROMIUM is {}, which is not a file", named.display());
    }
    let installed = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path);
    Ok(installed.or_else(|| playwright_chromium(workspace)))
}

/// The Chromium that Playwright has downloaded.
fn playwright_chromium(workspace: &Workspace) -> Option<PathBuf> {
    let script = "console.log(require('@playwright/test').chromium.executablePath())";
    let mut command = Command::new("node");
    command.args(["-e", script]).current_dir(end2end(workspace)).stderr(Stdio::null());
    let path = PathBuf::from(String::from_utf8(command.output().ok()?.stdout).ok()?.trim());
    path.is_file().then_some(path)
}

fn find_driver() -> Option<PathBuf> {
    env::var_os("CHROMEDRIVER").map(PathBuf::from).or_else(|| on_path("chromedriver"))
}

/// Installs Debian packages if that is possible without a password. Otherwise does nothing; the caller reports what is
/// missing.
fn install_from_distribution(packages: &[&str]) -> Result<()> {
    if on_path("apt-get").is_none() {
        return Ok(());
    }
    let words: &[&str] = if succeeds("test", &["-w", "/usr/bin"]) {
        &["apt-get"]
    } else if succeeds("sudo", &["-n", "true"]) {
        &["sudo", "-n", "apt-get"]
    } else {
        return Ok(());
    };
    println!("tools: installing {}", packages.join(" "));
    let apt = || {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    process::run(apt().args(["update", "-qq"]))?;
    process::run(apt().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Writes the file that selects the browser, and its flags, for wasm-bindgen's test runner.
pub fn webdriver_settings(workspace: &Workspace, chromium: &Path) -> Result<PathBuf> {
    let path = workspace.scratch()?.join("webdriver.json");
    let settings = serde_json::json!({
        "goog:chromeOptions": {
            "binary": chromium,
            // Chromium's sandbox does not start for root, the usual user in a container.
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        }
    });
    site::write_if_changed(&path, settings.to_string().as_bytes())?;
    Ok(path)
}

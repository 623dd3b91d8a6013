//! What the tests need beside the compiler: Node, its packages, a browser and the browser's driver. What
//! is missing is installed where that is possible, and else named with the way to get it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, OnPath, Outcome};
use crate::process;
use crate::site;
use crate::workspace::Workspace;

const OLDEST_NODE: u32 = 20;

pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Node of a version that Playwright runs on.
pub fn ensure_node() -> Outcome<()> {
    if on_path("node").is_none() || on_path("npm").is_none() {
        install_from_distribution(&["nodejs", "npm"])?;
    }
    let version = process::output(Command::new("node").arg("--version")).map_err(|_| {
        Failure::new(format!(
            "the tests need Node {OLDEST_NODE} or newer (with npm): install it, then try again"
        ))
    })?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|text| text.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST_NODE) {
        let version = version.trim();
        return Err(Failure::new(format!(
            "the tests need Node {OLDEST_NODE} or newer, and `node` is {version}"
        )));
    }
    Ok(())
}

/// The packages of `end2end/`, as its lock file says. A mark beside them says from which lock they came.
pub fn ensure_packages(workspace: &Workspace) -> Outcome<()> {
    let folder = end2end(workspace);
    let lock = folder.join("package-lock.json");
    let wanted = site::hash(&[&fs::read(&lock).on("read", &lock)?]);
    let mark = folder.join("node_modules/.installed-from");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    process::run(
        Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(&folder),
    )?;
    fs::write(&mark, wanted).on("write", &mark)
}

/// Chromium and its driver: those that are here, or else the distribution's, or else Playwright's.
pub fn ensure_browser(workspace: &Workspace) -> Outcome<Browser> {
    if find_chromium(workspace)?.is_none() || find_driver().is_none() {
        install_from_distribution(&["chromium", "chromium-driver"])?;
    }
    let chromium = match find_chromium(workspace)? {
        Some(chromium) => chromium,
        None => {
            // Its own words say why, where it can't be reached.
            let _ = process::run(npx(workspace).args(["playwright", "install", "chromium"]));
            find_chromium(workspace)?.ok_or_else(|| {
                Failure::new(
                    "no Chromium: install the package `chromium` (Debian) or set CHROMIUM to its executable",
                )
            })?
        }
    };
    let driver = find_driver().ok_or_else(|| {
        Failure::new("no chromedriver: install the package `chromium-driver` (Debian), or set CHROMEDRIVER")
    })?;
    Ok(Browser { chromium, driver })
}

pub fn end2end(workspace: &Workspace) -> PathBuf {
    workspace.root.join("end2end")
}

/// npx for what `end2end/` has installed, and nothing that it would first have to download.
pub fn npx(workspace: &Workspace) -> Command {
    let mut command = Command::new("npx");
    command.arg("--no-install").current_dir(end2end(workspace));
    command
}

pub fn on_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|path| path.is_file())
}

fn find_chromium(workspace: &Workspace) -> Outcome<Option<PathBuf>> {
    if let Some(named) = env::var_os("CHROMIUM").map(PathBuf::from) {
        if named.is_file() {
            return Ok(Some(named));
        }
        return Err(Failure::new(format!("CHROMIUM is {}, where no file is", named.display())));
    }
    let installed = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path);
    Ok(installed.or_else(|| playwrights_chromium(workspace)))
}

/// Where Playwright would keep a Chromium of its own, if it is there.
fn playwrights_chromium(workspace: &Workspace) -> Option<PathBuf> {
    let script = "console.log(require('@playwright/test').chromium.executablePath())";
    let mut command = Command::new("node");
    command.args(["-e", script]).current_dir(end2end(workspace)).stderr(Stdio::null());
    let path = PathBuf::from(String::from_utf8(command.output().ok()?.stdout).ok()?.trim());
    path.is_file().then_some(path)
}

fn find_driver() -> Option<PathBuf> {
    env::var_os("CHROMEDRIVER").map(PathBuf::from).or_else(|| on_path("chromedriver"))
}

/// Installs Debian packages where that asks nobody for a password. Elsewhere it does nothing, and what is
/// missing is named by the caller.
fn install_from_distribution(packages: &[&str]) -> Outcome<()> {
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

/// What tells wasm-bindgen's runner which browser to have driven, and how.
pub fn webdriver_settings(workspace: &Workspace, chromium: &Path) -> Outcome<PathBuf> {
    let folder = workspace.target.join("xtask");
    fs::create_dir_all(&folder).on("create", &folder)?;
    let path = folder.join("webdriver.json");
    let settings = serde_json::json!({
        "goog:chromeOptions": {
            "binary": chromium,
            // The driver's user may be root, as in a container, where Chromium's sandbox does not start.
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        }
    });
    site::write_if_changed(&path, settings.to_string().as_bytes())?;
    Ok(path)
}

//! Chromium, its driver, and Chromium without a window.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::node::Node;
use crate::process;
use crate::site;
use crate::workspace::Workspace;

/// Debian's packages. All have the same version.
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];
const HEADLESS_SHELL: &str = "chromium-headless-shell";

pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
    /// Runs Playwright's tests: Chromium without a window, in which they take 0.56 of the time, or else
    /// Chromium itself.
    headless: PathBuf,
}

impl Browser {
    /// Finds Chromium and its driver. If one is missing, installs the distribution's packages, or else
    /// Playwright's Chromium.
    pub fn ensure(workspace: &Workspace, node: &Node) -> Result<Self> {
        if find_chromium(workspace, node)?.is_none() || find_driver().is_none() {
            debian::install(&PACKAGES)?;
        }
        let chromium = match find_chromium(workspace, node)? {
            Some(chromium) => chromium,
            None => {
                // If the download fails, Playwright has printed why, and no Chromium is found below.
                let _ = process::run(node.npx(workspace, "playwright").args(["install", "chromium"]));
                find_chromium(workspace, node)?.context(
                    "no Chromium: install the package `chromium` (Debian), or set CHROMIUM to its executable",
                )?
            }
        };
        let driver = find_driver().context(
            "no chromedriver: install the package `chromium-driver` (Debian), or set CHROMEDRIVER to its executable",
        )?;
        let headless = headless_shell().unwrap_or_else(|| chromium.clone());
        for program in [&chromium, &driver, &headless] {
            process::run(Command::new(program).arg("--version"))?;
        }
        Ok(Self { chromium, driver, headless })
    }

    /// Playwright's test runner, with the built binary and this browser.
    pub fn playwright_test(&self, workspace: &Workspace, node: &Node) -> Command {
        let mut command = node.npx(workspace, "playwright");
        command.arg("test").env("FARTHING_BIN", workspace.binary()).env("CHROMIUM", &self.headless);
        command
    }

    /// Writes the file that selects the browser, and its flags, for wasm-bindgen's test runner.
    pub fn webdriver_settings(&self, workspace: &Workspace) -> Result<PathBuf> {
        let path = workspace.scratch()?.join("webdriver.json");
        let settings = serde_json::json!({
            "goog:chromeOptions": {
                "binary": self.chromium,
                // Chromium's sandbox does not start for root, the usual user in a container.
                "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
            }
        });
        site::write_if_changed(&path, settings.to_string().as_bytes())?;
        Ok(path)
    }
}

fn find_chromium(workspace: &Workspace, node: &Node) -> Result<Option<PathBuf>> {
    if let Some(named) = env::var_os("CHROMIUM").map(PathBuf::from) {
        if named.is_file() {
            return Ok(Some(named));
        }
        bail!("CHROMIUM is {}, which is not a file", named.display());
    }
    let installed = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(process::on_path);
    Ok(installed.or_else(|| playwright_chromium(workspace, node)))
}

/// Debian's Chromium without a window, which is installed if that is possible. None if CHROMIUM names the
/// browser. Other distributions don't have the package.
fn headless_shell() -> Option<PathBuf> {
    if env::var_os("CHROMIUM").is_some() {
        return None;
    }
    process::on_path(HEADLESS_SHELL).or_else(|| {
        // apt has printed why, if it fails.
        let _ = debian::install(&[PACKAGES.as_slice(), &[HEADLESS_SHELL]].concat());
        process::on_path(HEADLESS_SHELL)
    })
}

/// The Chromium that Playwright has downloaded.
fn playwright_chromium(workspace: &Workspace, node: &Node) -> Option<PathBuf> {
    let script = "console.log(require('@playwright/test').chromium.executablePath())";
    let mut command = node.command("node");
    command.args(["-e", script]).current_dir(workspace.end2end()).stderr(Stdio::null());
    let path = PathBuf::from(String::from_utf8(command.output().ok()?.stdout).ok()?.trim());
    path.is_file().then_some(path)
}

fn find_driver() -> Option<PathBuf> {
    env::var_os("CHROMEDRIVER").map(PathBuf::from).or_else(|| process::on_path("chromedriver"))
}

//! Chromium and its driver.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::node::Node;
use crate::process;
use crate::site;
use crate::workspace::Workspace;

pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

impl Browser {
    /// Finds Chromium and its driver. If one is missing, installs the distribution's packages, or else
    /// Playwright's Chromium.
    pub fn ensure(workspace: &Workspace, node: &Node) -> Result<Self> {
        if find_chromium(workspace, node)?.is_none() || find_driver().is_none() {
            debian::install(&["chromium", "chromium-driver"])?;
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
        process::run(Command::new(&chromium).arg("--version"))?;
        process::run(Command::new(&driver).arg("--version"))?;
        Ok(Self { chromium, driver })
    }

    /// Playwright's test runner, with the built binary and this browser.
    pub fn playwright_test(&self, workspace: &Workspace, node: &Node) -> Command {
        let mut command = node.npx(workspace, "playwright");
        command.arg("test").env("FARTHING_BIN", workspace.binary()).env("CHROMIUM", &self.chromium);
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

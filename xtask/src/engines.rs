//! Firefox and WebKit, in which a part of the browser tests runs.

use std::process::Command;

use anyhow::Result;

use crate::debian;
use crate::node::Node;
use crate::process;
use crate::workspace::Workspace;

/// Programs, and Debian's packages that have them.
const PROGRAMS: [(&str, &str); 3] =
    [("firefox-esr", "firefox-esr"), ("WebKitWebDriver", "webkit2gtk-driver"), ("Xvfb", "xvfb")];
const PROGRAMS_OF_WPE: [(&str, &str); 2] = [("WPEWebDriver", "wpewebkit-driver"), ("cog", "cog")];

/// The engines of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineSet {
    Usual,
    /// With WPE, too, whose WebKit is some years old.
    WithWpe,
}

/// Installs what is missing if that is possible. Returns whether all is there: other distributions than
/// Debian and its derivatives have other packages.
pub fn ensure(engines: EngineSet) -> Result<bool> {
    let of_wpe = if engines == EngineSet::WithWpe { &PROGRAMS_OF_WPE[..] } else { &[] };
    let missing = || {
        PROGRAMS
            .iter()
            .chain(of_wpe)
            .filter(|(program, _)| process::on_path(program).is_none())
            .map(|(_, package)| *package)
    };
    let packages: Vec<&str> = missing().collect();
    if !packages.is_empty() {
        debian::install(&packages)?;
    }
    Ok(missing().next().is_none())
}

/// Playwright's test runner with the journeys for all engines, and the built binary.
pub fn journeys(workspace: &Workspace, node: &Node, engines: EngineSet) -> Command {
    let mut command = node.npx(workspace, "playwright");
    command.args(["test", "--config=engines/playwright.config.ts"]).env("FARTHING_BIN", workspace.binary());
    if engines == EngineSet::WithWpe {
        command.env("FARTHING_ALL_ENGINES", "1");
    }
    command
}

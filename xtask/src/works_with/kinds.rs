//! How the programs of each kind are run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Program;
use super::scripts::{Programs, rows};
use crate::browser::Browser;
use crate::commands::test::PRODUCT;
use crate::engines::{self, EngineSet};
use crate::measure::DemoServer;
use crate::node::Node;
use crate::path_context::PathContext;
use crate::postgres::Cluster;
use crate::pristine::{Pristine, apart};
use crate::s3::ObjectStore;
use crate::workspace::Workspace;
use crate::{debian, office, process};

/// The tools of the runs.
pub struct Machine<'a> {
    pub workspace: &'a Workspace,
    pub node: &'a Node,
    pub programs: &'a Programs,
}

/// The name of the site in the examples of proxies.
const SITE: &str = "auctions.example.org";

/// The packages of each proxy, of which the first gives the version, and its example.
const PROXIES: [(&[&str], &str); 5] = [
    (&["nginx"], "nginx.conf"),
    (&["apache2"], "apache.conf"),
    (&["lighttpd", "lighttpd-mod-openssl"], "lighttpd.conf"),
    (&["haproxy"], "haproxy.cfg"),
    (&["caddy"], "Caddyfile"),
];

impl Machine<'_> {
    /// Validators of the API's document, and clients that other languages make from it.
    pub fn generators(&self) -> Result<Vec<Program>> {
        let clients = ["client.ts", "client_fetch.ts", "client.py"]
            .map(|file| self.workspace.root.join("xtask/src/works_with").join(file));
        let arguments = [vec![self.programs.packages.clone()], clients.to_vec()].concat();
        self.beside_demo(include_str!("generators.py"), |_| arguments)
    }

    pub fn calendars(&self) -> Result<Vec<Program>> {
        debian::install(&["calcurse"])?;
        self.beside_demo(include_str!("calendars.py"), |_| Vec::new())
    }

    pub fn authenticators(&self) -> Result<Vec<Program>> {
        debian::install(&["oathtool"])?;
        self.beside_demo(include_str!("authenticators.py"), |_| vec![self.programs.packages.clone()])
    }

    pub fn streams(&self) -> Result<Vec<Program>> {
        self.beside_demo(include_str!("streams.py"), |_| vec![self.programs.packages.clone()])
    }

    pub fn backups(&self) -> Result<Vec<Program>> {
        debian::install(&["borgbackup", "restic", "rsync", "sqlite3"])?;
        let binary = self.workspace.binary();
        self.beside_demo(include_str!("backups.py"), |folder| {
            vec![binary.clone(), folder.join("farthing.db"), folder.join("data")]
        })
    }

    /// Runs a script with a demo server. Its further arguments may depend on the folder of the demo.
    fn beside_demo(
        &self,
        script: &str,
        arguments: impl FnOnce(&Path) -> Vec<PathBuf>,
    ) -> Result<Vec<Program>> {
        self.in_folder(|folder| {
            let demo = folder.join("demo");
            fs::create_dir_all(&demo).on_path("create", &demo)?;
            let server = DemoServer::start(&self.workspace.binary(), &demo)?;
            let files = folder.join("files");
            fs::create_dir_all(&files).on_path("create", &files)?;
            let mut command = self.programs.script(script, &server.address, &files);
            rows(self.node.put_on_path(&mut command).args(arguments(&demo)))
        })
    }

    /// Runs with an empty folder.
    fn in_folder<T>(&self, run: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
        let folder = self.workspace.scratch()?.join("works-with");
        // Left by an interrupted run.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).on_path("create", &folder)?;
        let outcome = run(&folder);
        let _ = fs::remove_dir_all(&folder);
        outcome
    }

    pub fn proxies(&self) -> Result<Vec<Program>> {
        let Some(pristine) = Pristine::make(self.workspace, self.node, SITE)? else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for (packages, example) in PROXIES {
            all.extend(pristine.with(packages, |root| {
                self.in_folder(|folder| self.proxy(root, folder, packages, example))
            })?);
        }
        Ok(all)
    }

    fn proxy(&self, root: &Path, folder: &Path, packages: &[&str], example: &str) -> Result<Vec<Program>> {
        let example = self.workspace.root.join("docs/operate/proxies").join(example);
        let mut script = apart(&self.programs.script(include_str!("proxies.py"), SITE, folder));
        script
            .arg(root)
            .arg(packages.first().context("no package")?)
            .arg(example)
            .arg(self.workspace.binary());
        rows(&mut script)
    }

    pub fn poolers(&self) -> Result<Vec<Program>> {
        let Some(pristine) = Pristine::make(self.workspace, self.node, SITE)? else { return Ok(Vec::new()) };
        let cluster = Cluster::start(self.workspace)?;
        pristine.with(&["pgbouncer"], |root| {
            self.in_folder(|folder| {
                let mut script = self.programs.script(include_str!("poolers.py"), SITE, folder);
                rows(cluster.describe_to(script.arg(self.workspace.binary()).arg(root)))
            })
        })
    }

    pub fn stores(&self) -> Result<Vec<Program>> {
        let store = ObjectStore::start(self.workspace, self.node)?;
        let package = self.workspace.end2end().join("node_modules/@20minutes/s3rver/package.json");
        self.in_folder(|folder| {
            let mut script = self.programs.script(include_str!("stores.py"), SITE, folder);
            rows(store.describe_to(script.arg(self.workspace.binary()).arg(&package)))
        })
    }

    pub fn browsers(&self) -> Result<Vec<Program>> {
        let browser = Browser::ensure(self.workspace, self.node)?;
        process::run(browser.playwright_test(self.workspace, self.node).arg("journey"))?;
        let mut all = vec![Program::new(
            "Chromium",
            &version(&browser.chromium)?,
            "a sale from its creation to its end",
        )];
        if !engines::ensure(EngineSet::Usual)? {
            println!("not run: Firefox, WebKit or Xvfb is not installed");
            return Ok(all);
        }
        process::run(&mut engines::journeys(&browser, self.workspace, self.node, EngineSet::Usual))?;
        let seen = "the journeys for all engines ([more](browsers.md)); in `cargo xtask test`";
        let firefox = process::on_path("firefox-esr").context("no firefox-esr")?;
        all.push(Program::new("Firefox", &version(&firefox)?, seen));
        // Its driver says no version.
        let mut package = Command::new("dpkg-query");
        let said = process::output(package.args(["--show", "--showformat=${Version}", "webkit2gtk-driver"]))?;
        let webkit = said.split('-').next().context("a package without a version")?;
        all.push(Program::new("WebKitGTK", webkit, seen));
        Ok(all)
    }

    pub fn spreadsheets(&self) -> Result<Vec<Program>> {
        if !office::ensure()? {
            println!("not run: LibreOffice is not installed");
            return Ok(Vec::new());
        }
        let mut test = self.workspace.cargo();
        test.args(["test", "--release"]).args(PRODUCT).args([
            "--test",
            "it",
            "--",
            "--ignored",
            "round_trip_office",
        ]);
        process::run(test.env("FARTHING_TEST_DATABASE", "sqlite"))?;
        let seen = "5,000 exported lots come back without a change as `.xlsx` and `.ods`, in en-US, de-DE and de-CH; CSV loses \
                    `12E3` and `1E5` ([more](spreadsheets.md)); in `cargo xtask test --all`";
        let program = process::on_path("soffice").context("no soffice")?;
        Ok(vec![Program::new("LibreOffice", &version(&program)?, seen)])
    }
}

/// The first word with a digit that a program says of itself.
fn version(program: &Path) -> Result<String> {
    let said = process::output(Command::new(program).arg("--version"))?;
    let found = said.split_whitespace().find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
    found.map(str::to_owned).with_context(|| format!("no version in `{said}`"))
}

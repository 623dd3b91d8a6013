//! `cargo xtask test`: installs what tests need and runs every test. What is quick or often wrong comes
//! first; the first step that fails ends the run.

use std::process::{Command, ExitCode};

use clap::Args;

use crate::failure::Outcome;
use crate::npm;
use crate::postgres::Cluster;
use crate::process;
use crate::site;
use crate::steps::Steps;
use crate::toolchain;
use crate::tools;
use crate::workspace::{BROWSER_TARGET, ENGINE_TARGET, Workspace};

/// What is compiled natively, always together and with its tests: then every crate that it stands on has the
/// same features in every step, and is compiled once. The binary differs from that of `cargo xtask build` in
/// nothing but features of other crates that only tests ask for.
const PRODUCT: &[&str] = &[
    "--package=server",
    "--package=app",
    "--package=rules-engine",
    "--package=rules-engine-wasm",
    "--package=wasm-test-runner",
    // Of the engine's schemas, which are tested against its parser. Nothing in the binary calls them.
    "--features=rules-engine/schema",
];

#[derive(Args)]
pub struct Options {
    /// Also runs what takes long or asks the network: more rounds of the tests in Rust, an update between two
    /// versions that it builds, benchmarks, known vulnerabilities of dependencies
    #[arg(long)]
    all: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> ExitCode {
    let mut steps = Steps::begin();
    // A step that failed is in the summary, which is what a person sees last.
    let _ = all_steps(workspace, options, &mut steps);
    steps.summary()
}

fn all_steps(workspace: &Workspace, options: &Options, steps: &mut Steps) -> Outcome<()> {
    steps.run("toolchain", || toolchain::ensure_targets(workspace))?;
    steps.run("format", || cargo(workspace, &["fmt", "--all", "--check"]))?;
    steps.run("crates", || cargo(workspace, &["fetch", "--locked"]))?;
    if tools::on_path("cargo-deny").is_some() {
        let advisories: &[&str] = if options.all { &["advisories"] } else { &[] };
        let checks = [&["deny", "check", "bans", "licenses", "sources"], advisories].concat();
        steps.run("dependencies", || cargo(workspace, &checks))?;
    }
    steps.run("node", || {
        tools::ensure_node()?;
        tools::ensure_packages(workspace)
    })?;
    let browser = steps.run("browser", || tools::ensure_browser(workspace))?;
    steps.run("types of end2end", || process::run(tools::npx(workspace).arg("tsc")))?;

    // Before all that compiles the server, which embeds it.
    steps.run("site", || site::build(workspace))?;
    steps.run("lints", || {
        cargo(
            workspace,
            &[
                "clippy",
                "--release",
                "--workspace",
                "--all-targets",
                "--features=rules-engine/schema",
                "--",
                "-D",
                "warnings",
            ],
        )
    })?;
    steps.run("lints of the bundle", || {
        cargo(
            workspace,
            &[
                "clippy",
                "--profile=wasm",
                "--target",
                BROWSER_TARGET,
                "--package=app",
                "--lib",
                "--features=hydrate",
                "--",
                "-D",
                "warnings",
            ],
        )
    })?;
    steps.run("engine without std", || {
        cargo(
            workspace,
            &["build", "--release", "-p", "rules-engine", "--no-default-features", "--target", ENGINE_TARGET],
        )
    })?;
    steps.run("tests of the build tool", || cargo(workspace, &["test", "--release", "-p", "xtask"]))?;
    let cluster = steps.run("PostgreSQL", || Cluster::start(workspace))?;
    let tests = |database: &str, only: &[&str]| {
        let mut command = workspace.cargo();
        command.args(["test", "--release"]).args(PRODUCT).args(only);
        command.env("FARTHING_TEST_DATABASE", database);
        if options.all {
            command.env("FARTHING_LONG_TESTS", "1");
        }
        process::run(cluster.tell(&mut command))
    };
    steps.run("tests in Rust", || tests("sqlite", &[]))?;
    steps.run("the server's again, on PostgreSQL", || tests("postgres", &["--test", "it"]))?;
    if options.all {
        steps.run("one version updated to the next", || {
            tests("sqlite", &["--test", "it", "--", "--ignored"])
        })?;
    }
    drop(cluster);
    steps.run("binary", || {
        cargo(workspace, &[&["build", "--release", "--bins", "--tests"], PRODUCT].concat())
    })?;
    steps.run("tests in Node", || process::run(&mut wasm_tests(workspace)))?;
    steps.run("tests in Chromium", || {
        process::run(
            wasm_tests(workspace)
                .env("WASM_BINDGEN_USE_BROWSER", "1")
                .env("CHROMEDRIVER", &browser.driver)
                .env(
                    "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
                    tools::webdriver_settings(workspace, &browser.chromium)?,
                ),
        )
    })?;
    steps.run("size of the npm package", || npm::check(workspace, npm::Kind::Web))?;
    steps.run("pages in Chromium", || {
        process::run(
            tools::npx(workspace)
                .args(["playwright", "test"])
                .env("FARTHING_BIN", workspace.binary())
                .env("CHROMIUM", &browser.chromium),
        )
    })?;

    if options.all {
        steps.run("benchmarks of the engine", || cargo(workspace, &["bench", "-p", "rules-engine"]))?;
    }
    Ok(())
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Outcome<()> {
    process::run(workspace.cargo().args(arguments))
}

/// The engine's own door to the web, tested as what it will be.
fn wasm_tests(workspace: &Workspace) -> Command {
    let runner = format!("wasm-test-runner{}", std::env::consts::EXE_SUFFIX);
    let mut command = workspace.cargo();
    command
        .args(["test", "--release", "-p", "rules-engine-wasm", "--tests", "--target", BROWSER_TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", workspace.target.join("release").join(runner));
    command
}

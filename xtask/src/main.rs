//! The build tool: `cargo xtask build`, `run`, `check`, `test`, `postgres`, `bench`, `npm`, `works-with`
//! and `dist`.
//!
//! It depends on the workspace's layout and on none of its crates, so that it starts even when the product
//! does not compile. Each command is a file in `commands`; the modules beside this file are shared by the
//! commands.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints to the terminal")]

mod api;
mod bare_package;
mod bare_system;
mod browser;
mod checks;
mod commands;
mod dated;
mod debian;
mod dist;
mod engines;
mod mail;
mod measure;
mod node;
mod npm;
mod office;
mod path_context;
mod postgres;
mod pristine;
mod process;
mod python;
mod s3;
mod site;
mod steps;
mod toolchain;
mod unit_graph;
mod wasm;
mod works_with;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::commands::build::Purpose;
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Builds, runs and tests Farthing")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the browser's bundles, the styles, and the `farthing` binary that embeds them
    Build,
    /// Builds, then serves a demo auction
    Run(commands::run::Options),
    /// Checks format, types of scripts, lints, and the rules about the source tree, the quickest first
    Check,
    /// Installs what the tests need and runs every test
    Test(commands::test::Options),
    /// Installs what the tests need
    #[command(hide = true)]
    Install,
    /// Runs a command with a temporary PostgreSQL and a temporary S3-compatible store
    Postgres(commands::postgres::Options),
    /// Measures the server, the item page or the rules engine against limits
    Bench(commands::bench::Options),
    /// Builds the npm package of the rules engine
    Npm(commands::npm::Options),
    /// Runs Farthing with programs of others, and writes what was seen to docs/reference/works-with.md
    WorksWith(commands::works_with::Options),
    /// Makes the files of a release: archive, package, image, sums and signatures
    Dist(commands::dist::Options),
}

fn main() -> ExitCode {
    match dispatch(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    match command {
        Command::Build => commands::build::run(&workspace, Purpose::Installation).map(|()| ExitCode::SUCCESS),
        Command::Run(options) => commands::run::run(&workspace, &options),
        Command::Check => Ok(commands::check::run(&workspace)),
        Command::Test(options) => Ok(commands::test::run(&workspace, &options)),
        Command::Install => Ok(commands::install::run(&workspace)),
        Command::Postgres(options) => commands::postgres::run(&workspace, &options),
        Command::Bench(options) => commands::bench::run(&workspace, &options),
        Command::Npm(options) => commands::npm::run(&workspace, &options).map(|()| ExitCode::SUCCESS),
        Command::WorksWith(options) => Ok(commands::works_with::run(&workspace, &options)),
        Command::Dist(options) => commands::dist::run(&workspace, &options),
    }
}

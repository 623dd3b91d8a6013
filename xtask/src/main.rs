//! The build tool: `cargo xtask build`, `run`, `test`, `postgres`, `bench` and `npm`.
//!
//! It knows the workspace's layout and none of its crates, so that a broken product never keeps it from
//! starting. Each command is a file in `commands`; what they share lies beside this file.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks on the terminal")]

mod commands;
mod failure;
mod measure;
mod npm;
mod postgres;
mod process;
mod site;
mod steps;
mod toolchain;
mod tools;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Outcome;
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Builds, runs and tests Farthing")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the browser's bundle, the styles and the `farthing` binary that holds them
    Build,
    /// Builds, then serves with a demo auction
    Run(commands::run::Options),
    /// Installs what tests need and runs every test
    Test(commands::test::Options),
    /// Runs a command beside a PostgreSQL that is thrown away after it
    Postgres(commands::postgres::Options),
    /// Measures how heavy and how quick the item page is, or the engine
    Bench(commands::bench::Options),
    /// Builds the engine's npm package
    Npm(commands::npm::Options),
}

fn main() -> ExitCode {
    match dispatch(Cli::parse().command) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> Outcome<ExitCode> {
    let workspace = Workspace::find()?;
    match command {
        Command::Build => commands::build::run(&workspace).map(|()| ExitCode::SUCCESS),
        Command::Run(options) => commands::run::run(&workspace, &options),
        Command::Test(options) => Ok(commands::test::run(&workspace, &options)),
        Command::Postgres(options) => commands::postgres::run(&workspace, &options),
        Command::Bench(options) if options.engine => commands::bench_engine::run(&workspace, &options),
        Command::Bench(options) => commands::bench::run(&workspace, &options),
        Command::Npm(options) => commands::npm::run(&workspace, &options).map(|()| ExitCode::SUCCESS),
    }
}

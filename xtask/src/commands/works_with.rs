//! `cargo xtask works-with`: runs Farthing with programs of others, and writes what was seen to
//! `docs/reference/works-with.md`.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::api;
use crate::bare_package;
use crate::commands::build;
use crate::mail;
use crate::node::Node;
use crate::path_context::PathContext;
use crate::process;
use crate::python::Python;
use crate::site;
use crate::steps::TimedSteps;
use crate::works_with::{Machine, PAGE, Program, Programs, with_rows};
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// The kinds of programs [default: all]
    #[arg(value_enum)]
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Clients made from the OpenAPI document, validators of it, and generated requests
    Api,
    /// Mail servers of Debian, and SpamAssassin
    Mail,
    /// Proxies of Debian, with the examples of docs/operate/proxies
    Proxies,
    Calendars,
    /// Programs of second factors
    Authenticators,
    /// Clients of event streams
    Streams,
    Browsers,
    Spreadsheets,
    /// Poolers of PostgreSQL
    Poolers,
    /// S3-compatible stores
    Stores,
    /// Programs that copy the database and keep backups
    Backups,
    /// lintian
    Package,
}

/// The tools that a kind may need.
struct Run<'a> {
    workspace: &'a Workspace,
    node: Node,
    python: Python,
    programs: Programs,
}

pub fn run(workspace: &Workspace, options: &Options) -> ExitCode {
    let mut steps = TimedSteps::start();
    // The summary prints the error.
    let _ = all_kinds(workspace, options, &mut steps);
    steps.summary()
}

fn all_kinds(workspace: &Workspace, options: &Options, steps: &mut TimedSteps) -> Result<()> {
    let node = steps.run("node", || Node::ensure(workspace))?;
    steps.run("npm packages", || node.ensure_packages(workspace))?;
    let python = steps.run("Python programs", || Python::ensure(workspace))?;
    steps.run("server", || build::run(workspace, build::Purpose::Development))?;
    let programs = steps.run("programs of others", || Programs::ensure(workspace, &node))?;
    let run = Run { workspace, node, python, programs };
    let all = Kind::value_variants();
    let kinds = if options.kinds.is_empty() { all } else { &options.kinds };
    for kind in kinds {
        let name = kind.to_possible_value().context("a kind without a name")?.get_name().to_owned();
        steps.run(kind.about(), || write(workspace, &name, &kind.rows(&run)?))?;
    }
    Ok(())
}

impl Kind {
    /// Name of the step.
    fn about(self) -> &'static str {
        match self {
            Self::Api => "clients and validators",
            Self::Mail => "mail",
            Self::Proxies => "proxies",
            Self::Calendars => "calendars",
            Self::Authenticators => "second factors",
            Self::Streams => "event streams",
            Self::Browsers => "browsers",
            Self::Spreadsheets => "spreadsheets",
            Self::Poolers => "poolers",
            Self::Stores => "stores",
            Self::Backups => "backups",
            Self::Package => "package",
        }
    }

    fn rows(self, Run { workspace, node, python, programs }: &Run<'_>) -> Result<Vec<Program>> {
        let machine = Machine { workspace, node, programs };
        match self {
            Self::Api => Ok([machine.generators()?, api::check(workspace, python)?].concat()),
            Self::Mail => mail::check(workspace, node, python),
            Self::Proxies => machine.proxies(),
            Self::Calendars => machine.calendars(),
            Self::Authenticators => machine.authenticators(),
            Self::Streams => machine.streams(),
            Self::Browsers => machine.browsers(),
            Self::Spreadsheets => machine.spreadsheets(),
            Self::Poolers => machine.poolers(),
            Self::Stores => machine.stores(),
            Self::Backups => machine.backups(),
            Self::Package => bare_package::lint::check(workspace, python),
        }
    }
}

/// Writes the rows of a kind to the page. Without any, where the machine can't run them, the old ones stay.
fn write(workspace: &Workspace, kind: &str, rows: &[Program]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let path = workspace.root.join(PAGE);
    let old = fs::read_to_string(&path).on_path("read", &path)?;
    let day = process::output(Command::new("date").args(["-u", "+%F"]))?;
    let new = with_rows(&old, kind, rows, day.trim())?;
    site::write_if_changed(&path, new.as_bytes()).map(drop)
}

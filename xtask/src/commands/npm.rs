//! `cargo xtask npm`: the engine's npm package.

use clap::Args;

use crate::failure::Outcome;
use crate::npm::{self, Kind};
use crate::toolchain;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// Who is to load it
    #[arg(long, value_enum, default_value = "web")]
    target: Kind,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome<()> {
    toolchain::ensure_targets(workspace)?;
    npm::check(workspace, options.target)
}

//! `cargo xtask npm`: builds the rules engine's npm package.

use anyhow::Result;
use clap::Args;

use crate::npm::{self, PackageLoader};
use crate::toolchain;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// What loads the package
    #[arg(long, value_enum, default_value = "web")]
    target: PackageLoader,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    toolchain::ensure_targets(workspace)?;
    npm::build_within_limit(workspace, options.target)
}

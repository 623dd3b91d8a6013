//! Mail as others take it: mail servers of Debian as they are installed, and a filter of spam.

mod servers;
mod spam;

use anyhow::Result;

use crate::node::Node;
use crate::pristine::Pristine;
use crate::python::Python;
use crate::works_with::Program;
use crate::workspace::Workspace;

/// The name of the machine on which mail is tried. A mail server takes it when it is installed.
const HOST: &str = "mail.example.org";

/// Fails if a mail server that takes mail gets none, or if a kind of mail looks like spam. Prints why if that
/// is not possible on this machine.
pub fn check(workspace: &Workspace, node: &Node, python: &Python) -> Result<Vec<Program>> {
    let Some(pristine) = Pristine::make(workspace, node, HOST)? else { return Ok(Vec::new()) };
    let mut rows = servers::check(workspace, python, &pristine)?;
    rows.push(spam::check(workspace, &pristine)?);
    Ok(rows)
}

//! The programs of others with which Farthing was run, as `docs/reference/works-with.md` lists them.

mod kinds;
mod page;
mod scripts;

pub use kinds::Machine;
pub use page::{PAGE, with_rows};
pub use scripts::Programs;

/// A program that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    tool: String,
    version: String,
    /// Whether it works, and what one must know.
    seen: String,
}

impl Program {
    pub fn new(tool: &str, version: &str, seen: &str) -> Self {
        Self { tool: tool.to_owned(), version: version.to_owned(), seen: seen.to_owned() }
    }
}

//! Tables whose rows are of several kinds.

use super::column::key;

/// Headings of a table with rows of several kinds, of which an import reads one.
#[derive(Debug, Clone, Copy)]
pub struct Kinds {
    /// Heading of the column with the kind of each row.
    pub column: &'static str,
    /// Another heading that such a table has.
    pub beside: &'static str,
    /// The kind that is read.
    pub read: &'static str,
}

impl Kinds {
    /// The place of the column, if these are the headings of such a table.
    pub(super) fn place(&self, headings: &[String]) -> Option<usize> {
        let at = |wanted: &str| headings.iter().position(|heading| key(heading) == key(wanted));
        at(self.beside).and_then(|_| at(self.column))
    }
}

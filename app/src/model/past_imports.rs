//! Imports of tables that were made before.

/// The last imports into a place, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PastImports {
    pub list: Vec<PastImport>,
    /// There are earlier ones.
    pub has_more: bool,
    /// When the table of the page was imported, if it was.
    pub before: Option<i64>,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastImport {
    pub id: String,
    pub at: i64,
    pub by: String,
    /// What it has written, such as `12 created, 1 changed`.
    pub words: String,
    /// When it was undone, and by which user.
    pub undone: Option<(i64, String)>,
}

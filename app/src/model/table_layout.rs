//! A table that is imported, as its page shows it before anything is written.

/// The header of a table and what its columns are read as. Empty before a preview.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableLayout {
    /// What names the table of this preview, when it is sent again.
    pub previewed: String,
    /// Rows above the header.
    pub passed_over: usize,
    /// Rows below it that are of a kind that is not read.
    pub others: usize,
    /// Headings of filled columns that are not read.
    pub unread: Vec<String>,
    pub columns: Vec<TableColumn>,
    /// Names of the fields that a column may be read as.
    pub fields: Vec<&'static str>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    pub heading: String,
    /// Name of the field that it is read as.
    pub field: Option<&'static str>,
    /// Cells of the first rows.
    pub samples: Vec<String>,
}

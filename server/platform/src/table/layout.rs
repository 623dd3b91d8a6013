//! The header of a table as it was read, and what a preview says about it.

use super::column::letters;
use super::{excerpt, wrong_rows};

/// Rows below the header of which a preview shows the cells.
const SAMPLES_MAX: usize = 3;
/// Rows of other kinds that are listed, at most.
const OTHERS_MAX: usize = 1_000;

/// The header of a table, and what its columns are read as.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Number of the row in a spreadsheet. 0 if the table has no header, or none was found.
    pub header_row: usize,
    pub columns: Vec<HeadedColumn>,
    /// The separator of the cells. 0 if no header was found.
    pub(super) separator: u8,
    /// How many rows below the header are of a kind that is not read.
    pub others: usize,
    /// Numbers of the first of these rows.
    pub(super) first_others: Vec<usize>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadedColumn {
    /// The heading, or the letters of a column without one.
    pub label: String,
    pub has_heading: bool,
    /// Name of the field that the column is read as.
    pub field: Option<&'static str>,
    /// A row below the header has a value here.
    pub is_filled: bool,
    /// Cells of the first rows, shortened.
    pub samples: Vec<String>,
    /// The column is not meant to be read as a field.
    pub is_silent: bool,
}

impl HeadedColumn {
    pub(super) fn of(index: usize, heading: &str, field: Option<&'static str>) -> Self {
        let has_heading = !heading.is_empty();
        let label = if has_heading { heading.to_owned() } else { letters(index) };
        Self { label, has_heading, field, is_filled: false, samples: Vec::new(), is_silent: false }
    }

    /// Whether the column is filled and not read.
    pub fn is_unread(&self) -> bool {
        self.is_filled && self.field.is_none() && !self.is_silent
    }
}

impl Layout {
    /// Numbers of the rows above the header, and of the first ones of a kind that is not read.
    pub fn passed_over(&self) -> Vec<usize> {
        (1..self.header_row).chain(self.first_others.iter().copied()).collect()
    }

    /// Whether the column at this place has the kinds of rows, and is no field.
    pub(super) fn takes_kinds(&mut self, at: usize) -> bool {
        let column = self.columns.get_mut(at).filter(|column| column.field.is_none());
        column.map(|column| column.is_silent = true).is_some()
    }

    /// Passes over the last columns without a word if they are those of a file of wrong rows, which is
    /// imported once it is corrected.
    pub(super) fn silence_errors(&mut self) {
        if let Some(last) = self.columns.last_chunk_mut::<3>()
            && last.each_ref().map(|column| column.label.as_str()) == wrong_rows::OWN
        {
            last.iter_mut().for_each(|column| column.is_silent = true);
        }
    }

    /// Notes a row of a kind that is not read.
    pub(super) fn pass_over(&mut self, row: usize) {
        self.others += 1;
        if self.first_others.len() < OTHERS_MAX {
            self.first_others.push(row);
        }
    }

    /// Headings of the columns that are not read.
    pub fn ignored_columns(&self) -> Vec<String> {
        let is_ignored = |column: &&HeadedColumn| column.field.is_none() && !column.is_silent;
        let ignored = self.columns.iter().filter(is_ignored).filter(|column| column.has_heading);
        ignored.map(|column| column.label.clone()).collect()
    }

    /// Headings of the filled columns that are not read, and the letters of those without a heading.
    pub fn unread(&self) -> Vec<String> {
        self.columns.iter().filter(|column| column.is_unread()).map(|column| column.label.clone()).collect()
    }

    /// Notes the cells of a row below the header.
    pub(super) fn note(&mut self, record: &csv::StringRecord) {
        for (at, column) in self.columns.iter_mut().enumerate() {
            let cell = record.get(at).unwrap_or_default().trim();
            column.is_filled |= !cell.is_empty();
            if column.samples.len() < SAMPLES_MAX {
                column.samples.push(excerpt(cell));
            }
        }
    }
}

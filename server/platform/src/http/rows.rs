//! Rows of an export that is one table, as CSV or a workbook.

use super::download::{ExportError, ExportPart};
use super::format::TableFormat;
use crate::cell::Cell;
use crate::csv_text::{self, Dialect};
use crate::workbook::Workbook;

/// Writes rows below a header, part by part.
pub enum RowWriter {
    /// The text that no part has had.
    Csv(Dialect, Vec<u8>),
    /// None after the last part.
    Xlsx(Option<Box<Workbook>>),
}

impl RowWriter {
    /// # Errors
    /// There is no room for the rows of a workbook.
    pub fn begin(format: TableFormat, headings: &[&str]) -> Result<Self, ExportError> {
        match format {
            TableFormat::Csv(dialect) => {
                let mut text = Vec::new();
                csv_text::begin(&mut text, dialect, headings.iter().copied());
                Ok(Self::Csv(dialect, text))
            }
            TableFormat::Xlsx => Ok(Self::Xlsx(Some(Box::new(Workbook::begin(headings)?)))),
        }
    }

    /// # Errors
    /// The workbook takes no more rows.
    pub fn write(&mut self, cells: &[Cell]) -> Result<(), ExportError> {
        match self {
            Self::Csv(dialect, text) => csv_text::write_row(text, *dialect, cells),
            Self::Xlsx(Some(workbook)) => workbook.write_row(cells)?,
            Self::Xlsx(None) => {}
        }
        Ok(())
    }

    /// What was written since the part before. The last part of a workbook is the whole file.
    pub fn part(&mut self, is_last: bool) -> ExportPart {
        match self {
            Self::Csv(_, text) => ExportPart::Text(std::mem::take(text)),
            Self::Xlsx(workbook) => {
                let workbook = workbook.take_if(|_| is_last);
                workbook.map_or_else(|| ExportPart::Text(Vec::new()), ExportPart::Workbook)
            }
        }
    }
}

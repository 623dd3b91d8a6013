//! The wrong rows of a previewed table as a file (SPEC, section 3).

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::csv_body::CsvBody;
use super::download::{ExportError, ExportPart};
use super::format::{ExportFormat, TableFormat};
use super::problem::Problem;
use super::rows::RowWriter;
use crate::cell::Cell;
use crate::fields::FieldError;
use crate::table::{Layout, WrongRows};

/// The text of a table that a preview reads, kept for the file of its wrong rows.
#[derive(Debug, Clone, Default)]
pub struct KeptText(Arc<OnceLock<String>>);

impl KeptText {
    /// Reads the text of a body and keeps it.
    pub fn of(&self, body: CsvBody) -> impl FnOnce() -> Result<String, Problem> + Send + 'static {
        let kept = Self::clone(self);
        move || {
            let text = body.text()?;
            Ok(kept.0.get_or_init(|| text).clone())
        }
    }

    /// The file with the wrong rows. It takes the time of a table: call it on a thread of low priority.
    ///
    /// # Errors
    /// There is no room for a workbook.
    pub fn file(
        &self,
        format: TableFormat,
        layout: &Layout,
        errors: &[FieldError],
    ) -> Result<Response, Problem> {
        wrong_rows_file(format, self.0.get().map_or("", String::as_str), layout, errors)
    }
}

/// The file with the wrong rows of a text.
///
/// # Errors
/// There is no room for a workbook.
pub fn wrong_rows_file(
    format: TableFormat,
    text: &str,
    layout: &Layout,
    errors: &[FieldError],
) -> Result<Response, Problem> {
    let bytes = written(format, &WrongRows::of(text, layout, errors))?;
    let (media_type, extension) = ExportFormat::Table(format).file_type();
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"wrong-rows.{extension}\"")),
    ];
    Ok((headers, Body::from(bytes)).into_response())
}

fn written(format: TableFormat, WrongRows { headings, rows }: &WrongRows) -> Result<Vec<u8>, ExportError> {
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut writer = RowWriter::begin(format, &headings)?;
    for row in rows {
        writer.write(&row.iter().map(Cell::text).collect::<Vec<_>>())?;
    }
    match writer.part(true) {
        ExportPart::Text(text) => Ok(text),
        ExportPart::Workbook(workbook) => {
            let mut bytes = Vec::new();
            workbook.save(&mut bytes)?;
            Ok(bytes)
        }
    }
}

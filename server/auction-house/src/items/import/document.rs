//! An import in responses.

use serde::Serialize;
use utoipa::ToSchema;

use super::plan::{ImportPlan, PlannedRow, RowAction, Write};
use super::{Imported, Preview};
use crate::ids::ImportId;
use crate::imports::{Counts, ImportedBefore};
use platform::fields::FieldError;
use platform::table::{cut_rows, is_zero, listed};

/// How many items an import has written.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ItemImportResult)]
pub struct ImportedDocument {
    /// Absent if nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub import_id: Option<ImportId>,
    pub created: u32,
    pub changed: u32,
    pub unchanged: u32,
}

impl From<Imported> for ImportedDocument {
    fn from(Imported { id, counts }: Imported) -> Self {
        let Counts { created, changed, unchanged } = counts;
        Self { import_id: id, created, changed, unchanged }
    }
}

/// What an import would write.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ItemImportPreview)]
pub struct PreviewDocument {
    pub rows: Vec<PreviewRowDocument>,
    /// Errors of the wrong rows, each with the path `row N`.
    pub errors: Vec<FieldError>,
    /// Numbers of the rows above the header.
    pub passed_over: Vec<usize>,
    /// Headings of columns that the import does not read.
    pub ignored_columns: Vec<String>,
    /// Headings of the columns that have values and are not read, and the letters of those without a heading.
    pub unread: Vec<String>,
    /// Rows that are left out of the answer, which has no room for them. Absent if all are listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub more_rows: usize,
    /// An earlier import of the same table, which is not undone. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub imported_before: Option<ImportedBefore>,
}

/// A row as it would be written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ItemImportRow)]
pub struct PreviewRowDocument {
    /// Number of the row in a spreadsheet: the first row is 1.
    pub row: usize,
    pub lot: String,
    pub name: String,
    pub action: RowAction,
}

impl From<Preview> for PreviewDocument {
    fn from(preview: Preview) -> Self {
        let Preview { plan: ImportPlan { rows, errors }, layout, imported_before } = preview;
        let mut rows = rows.into_iter().map(PreviewRowDocument::from).collect();
        let more_rows = cut_rows(&mut rows);
        Self {
            rows,
            errors: listed(errors),
            passed_over: layout.passed_over(),
            ignored_columns: layout.ignored_columns(),
            unread: layout.unread(),
            more_rows,
            imported_before,
        }
    }
}

impl From<PlannedRow> for PreviewRowDocument {
    fn from(planned: PlannedRow) -> Self {
        let action = match planned.write {
            Write::Create(_) => RowAction::Create,
            Write::Change(_) => RowAction::Change,
            Write::Nothing => RowAction::None,
        };
        Self { row: planned.number, lot: planned.lot.to_string(), name: planned.name, action }
    }
}

//! An import in responses.

use serde::Serialize;
use utoipa::ToSchema;

use super::plan::{Plan, PlannedRow, RowAction, Write};
use super::{Imported, Preview};
use platform::fields::FieldError;
use platform::table::{cut_rows, is_zero};

/// How many items an import has written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ItemImportResult)]
pub struct ImportedDocument {
    pub created: u32,
    pub changed: u32,
    pub unchanged: u32,
}

impl From<Imported> for ImportedDocument {
    fn from(imported: Imported) -> Self {
        let Imported { created, changed, unchanged } = imported;
        Self { created, changed, unchanged }
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
    /// Names of columns that the import does not read.
    pub ignored_columns: Vec<String>,
    /// Rows that are left out of the answer, which has no room for them. Absent if all are listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub more_rows: usize,
}

/// A row as it would be written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ItemImportRow)]
pub struct PreviewRowDocument {
    /// Number of the row in a spreadsheet: the header is row 1.
    pub row: usize,
    pub lot: String,
    pub name: String,
    pub action: RowAction,
}

impl From<Preview> for PreviewDocument {
    fn from(preview: Preview) -> Self {
        let Preview { plan: Plan { rows, errors }, ignored_columns } = preview;
        let mut rows = rows.into_iter().map(PreviewRowDocument::from).collect();
        let more_rows = cut_rows(&mut rows);
        Self { rows, errors, ignored_columns, more_rows }
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

//! Imports in responses.

use accounts::person::PersonDocument;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Counts, Import};
use crate::ids::ImportId;
use platform::paging::Paged;
use platform::time::Moment;

/// An import of a table into an auction, a group or a book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Import)]
pub struct ImportDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: ImportId,
    pub by: PersonDocument,
    /// How many items, people or entries it has created.
    pub created: u32,
    /// How many items or people it has changed.
    pub changed: u32,
    /// How many rows have changed nothing.
    pub unchanged: u32,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    /// Null while the import is in force.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub undone_at: Option<Moment>,
    pub undone_by: Option<PersonDocument>,
}

impl From<Import> for ImportDocument {
    fn from(import: Import) -> Self {
        let Counts { created, changed, unchanged } = import.counts;
        let (undone_at, undone_by) = import.undone.map(|undone| (undone.at, undone.by.into())).unzip();
        Self {
            id: import.id,
            by: import.by.into(),
            created,
            changed,
            unchanged,
            created_at: import.created_at,
            undone_at,
            undone_by,
        }
    }
}

/// A page of imports, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Imports)]
pub struct ImportsDocument {
    pub imports: Vec<ImportDocument>,
    pub next_cursor: Option<String>,
}

impl From<Paged<Import>> for ImportsDocument {
    fn from(page: Paged<Import>) -> Self {
        let page = page.map(ImportDocument::from).within_bytes();
        Self { imports: page.entries, next_cursor: page.next_cursor }
    }
}

//! The plan of a table of people in responses.

use accounts::groups::PersonNumber;
use serde::Serialize;
use utoipa::ToSchema;

use super::add::default_name;
use super::plan::{ImportAction, PeoplePlan, Planned};
use crate::imports::ImportedBefore;
use platform::fields::FieldError;
use platform::table::{cut_rows, is_zero, listed};

/// A row as it would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupImportRow)]
pub struct PlannedDocument {
    /// Number of the row in a spreadsheet: the first row is 1.
    pub row: usize,
    /// Null for a keeper without one.
    pub number: Option<i64>,
    /// Name of the keeper who had the number so far, and has none from then on. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub taken_from: Option<String>,
    pub name: String,
    pub action: ImportAction,
}

/// Preview of an import of people.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupImportPreview)]
pub struct PlanDocument {
    pub rows: Vec<PlannedDocument>,
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

impl From<PeoplePlan> for PlanDocument {
    fn from(plan: PeoplePlan) -> Self {
        let row = |planned: Planned| PlannedDocument {
            row: planned.row,
            number: planned.number.map(PersonNumber::get),
            action: planned.action(),
            taken_from: planned.taken_from,
            name: match (planned.name, planned.had) {
                (Some(name), _) => name.as_str().to_owned(),
                (None, Some((_, had))) => had,
                (None, None) => planned.number.map(default_name).unwrap_or_default(),
            },
        };
        let mut rows = plan.rows.into_iter().map(row).collect();
        let more_rows = cut_rows(&mut rows);
        Self {
            rows,
            errors: listed(plan.errors),
            passed_over: plan.layout.passed_over(),
            ignored_columns: plan.layout.ignored_columns(),
            unread: plan.layout.unread(),
            more_rows,
            imported_before: plan.imported_before,
        }
    }
}

//! Runs in responses (SPEC, section 12).

use rules_engine::money::Normalized;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::judge::Judged;
use super::list::WholeRun;
use super::{BookRun, BookRunKind, BookRunRow, Reversed};
use crate::engine_schema::RunParamsSchema;
use accounts::person::PersonDocument;
use platform::paging::Paged;
use platform::time::Moment;

/// A run of a book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookRun)]
pub struct BookRunDocument {
    /// 1, 2, 3 … within the book.
    pub number: i64,
    pub kind: BookRunKind,
    /// In lists the holders are counted: `toCount` in place of a list `to`, and `presentCount`.
    #[schema(value_type = RunParamsSchema)]
    pub params: Box<RawValue>,
    pub reason: Option<String>,
    /// In the order in which they were computed. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rows: Option<Vec<BookRunRow>>,
    /// What a SHARE left in its pot, a decimal.
    #[schema(value_type = String)]
    pub kept: Normalized,
    /// True for a share that an outcome has caused. Absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub automatic: Option<bool>,
    /// Null for what an outcome has caused.
    pub by: Option<PersonDocument>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    pub reversed: Option<ReversedDocument>,
}

/// The reversal of a run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BookRunReversed)]
pub struct ReversedDocument {
    #[schema(value_type = String, format = DateTime)]
    pub at: Moment,
    /// Null for what a further outcome has reversed.
    pub by: Option<PersonDocument>,
    pub reason: String,
}

/// The preview of a run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BookRunPreview)]
pub struct RunPreviewDocument {
    pub kind: BookRunKind,
    /// With all defaults.
    #[schema(value_type = RunParamsSchema)]
    pub params: Box<RawValue>,
    pub rows: Vec<BookRunRow>,
    #[schema(value_type = String)]
    pub kept: Normalized,
    /// `expect` of the run: it is then refused once it would do something else.
    pub hash: String,
}

/// A page of runs, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookRuns)]
pub struct RunsDocument {
    pub runs: Vec<BookRunDocument>,
    pub next_cursor: Option<String>,
}

impl From<BookRun> for BookRunDocument {
    fn from(run: BookRun) -> Self {
        let reversed = |Reversed { at, by, reason }| ReversedDocument { at, by: by.map(Into::into), reason };
        Self {
            number: run.number,
            kind: run.kind,
            params: run.params.0,
            reason: run.reason,
            rows: None,
            kept: run.kept,
            automatic: run.is_automatic.then_some(true),
            by: run.by.map(Into::into),
            created_at: run.created_at,
            reversed: run.reversed.map(reversed),
        }
    }
}

impl From<WholeRun> for BookRunDocument {
    fn from(WholeRun { run, rows }: WholeRun) -> Self {
        Self { rows: Some(rows), ..run.into() }
    }
}

impl TryFrom<Judged> for RunPreviewDocument {
    type Error = serde_json::Error;

    fn try_from(judged: Judged) -> Result<Self, serde_json::Error> {
        Ok(Self {
            kind: judged.kind,
            params: RawValue::from_string(judged.params)?,
            rows: judged.rows,
            kept: judged.result.kept,
            hash: judged.hash,
        })
    }
}

impl From<Paged<BookRun>> for RunsDocument {
    fn from(page: Paged<BookRun>) -> Self {
        let page = page.map(BookRunDocument::from).within_bytes();
        Self { runs: page.entries, next_cursor: page.next_cursor }
    }
}

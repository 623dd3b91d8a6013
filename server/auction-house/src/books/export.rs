//! Exports all entries of a book as they are at one moment, read part by part.

use crate::books::document::EntryDocument;
use crate::books::entries::list::hide_items;
use crate::books::store;
use crate::ids::{BookId, UserId};
use accounts::person::PersonDocument;
use platform::cell::Cell;
use platform::db::{Snapshot, json};
use platform::http::download::{ExportError, ExportPart, ExportParts};
use platform::http::format::ExportFormat;
use platform::http::rows::RowWriter;

/// Entries of one part.
const PART: i64 = 200;

const COLUMNS: [&str; 14] = [
    "sequence",
    "holderId",
    "holder",
    "amount",
    "kind",
    "reason",
    "itemId",
    "outcome",
    "reverses",
    "byId",
    "by",
    "createdAt",
    "run",
    "asked",
];

/// An export that is being read from a snapshot.
pub struct BookExport {
    db: Snapshot,
    book_id: BookId,
    viewer: UserId,
    /// None for JSON.
    rows: Option<RowWriter>,
    /// The last sequence that was read; none before the first part.
    after: Option<i64>,
    ended: bool,
}

impl BookExport {
    /// # Errors
    /// There is no room for a workbook.
    pub fn begin(
        db: Snapshot,
        book_id: BookId,
        viewer: UserId,
        format: ExportFormat,
    ) -> Result<Self, ExportError> {
        let rows = match format {
            ExportFormat::Table(format) => Some(RowWriter::begin(format, &COLUMNS)?),
            ExportFormat::Json => None,
        };
        Ok(Self { db, book_id, viewer, rows, after: None, ended: false })
    }
}

impl ExportParts for BookExport {
    async fn next(&mut self) -> Result<Option<ExportPart>, ExportError> {
        if self.ended {
            return Ok(None);
        }
        let first = self.after.unwrap_or(0) + 1;
        let mut entries =
            store::entries::between(&mut self.db, self.book_id, first, first - 1 + PART).await?;
        hide_items(&mut self.db, self.viewer, &mut entries).await?;
        self.ended = entries.is_empty();
        let is_first = self.after.is_none();
        self.after = Some(entries.last().map_or(first - 1, |entry| entry.sequence));
        let entries = entries.into_iter().map(EntryDocument::from);
        if let Some(rows) = &mut self.rows {
            for entry in entries {
                rows.write(&cells(&entry))?;
            }
            return Ok(Some(rows.part(self.ended)));
        }
        let entries = entries.map(|entry| json(&entry)).collect::<Result<Vec<_>, _>>()?;
        let begin = match (is_first, entries.is_empty()) {
            (true, _) => "{\"entries\":[",
            (false, true) => "",
            (false, false) => ",",
        };
        let end = if self.ended { "]}" } else { "" };
        Ok(Some(ExportPart::Text([begin, &entries.join(","), end].concat().into_bytes())))
    }
}

fn cells(entry: &EntryDocument) -> [Cell; COLUMNS.len()] {
    let by = entry.by.as_ref();
    [
        Cell::number(Some(entry.sequence)),
        Cell::text(entry.holder.id_cell()),
        Cell::text(&entry.holder.name),
        Cell::number(Some(&entry.amount)),
        Cell::text(entry.kind.as_str()),
        Cell::text_or_empty(entry.reason.as_ref()),
        Cell::text_or_empty(entry.item_id.map(|id| id.to_string())),
        Cell::number(entry.outcome),
        Cell::number(entry.reverses),
        Cell::text_or_empty(by.map(PersonDocument::id_cell)),
        Cell::text_or_empty(by.map(|by| by.name.as_str())),
        Cell::text(entry.created_at.to_string()),
        Cell::number(entry.run),
        Cell::number(entry.asked.as_ref()),
    ]
}

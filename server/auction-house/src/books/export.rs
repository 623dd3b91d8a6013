//! Exports all entries of a book as they are at one moment, read part by part.

use crate::books::document::EntryDocument;
use crate::books::entries::list::hide_items;
use crate::books::store;
use crate::ids::{BookId, UserId};
use accounts::person::PersonDocument;
use platform::csv_text;
use platform::db::{DbError, Snapshot, json};
use platform::http::download::{Format, Parts};

/// Entries of one part.
const PART: i64 = 200;

const COLUMNS: [&str; 12] = [
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
];

/// An export that is being read from a snapshot.
pub struct BookExport {
    db: Snapshot,
    book_id: BookId,
    viewer: UserId,
    format: Format,
    /// The last sequence that was read; none before the first part.
    after: Option<i64>,
    ended: bool,
}

impl BookExport {
    pub fn begin(db: Snapshot, book_id: BookId, viewer: UserId, format: Format) -> Self {
        Self { db, book_id, viewer, format, after: None, ended: false }
    }
}

impl Parts for BookExport {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, DbError> {
        if self.ended {
            return Ok(None);
        }
        let first = self.after.unwrap_or(0) + 1;
        let mut entries =
            store::entries::between(&mut self.db, self.book_id, first, first - 1 + PART).await?;
        hide_items(&mut self.db, self.viewer, &mut entries).await?;
        self.ended = entries.is_empty();
        let mut text = Vec::new();
        match (self.format, self.after) {
            (Format::Csv, None) => csv_text::begin(&mut text, COLUMNS),
            (Format::Json, None) => text.extend_from_slice(b"{\"entries\":["),
            (_, Some(_)) => {}
        }
        for (at, entry) in entries.iter().enumerate() {
            let document = EntryDocument::from(entry.clone());
            match self.format {
                Format::Csv => write_csv(&mut text, &document),
                Format::Json => {
                    if self.after.is_some() || at > 0 {
                        text.push(b',');
                    }
                    text.extend_from_slice(json(&document)?.as_bytes());
                }
            }
        }
        if self.ended && self.format == Format::Json {
            text.extend_from_slice(b"]}");
        }
        self.after = Some(entries.last().map_or(first - 1, |entry| entry.sequence));
        Ok(Some(text))
    }
}

fn write_csv(text: &mut Vec<u8>, entry: &EntryDocument) {
    let id = |id: Option<String>| id.unwrap_or_default();
    let cells = [
        entry.sequence.to_string(),
        entry.holder.id_cell(),
        entry.holder.name.clone(),
        entry.amount.to_string(),
        entry.kind.as_str().to_owned(),
        entry.reason.clone().unwrap_or_default(),
        id(entry.item_id.map(|id| id.to_string())),
        id(entry.outcome.map(|number| number.to_string())),
        id(entry.reverses.map(|sequence| sequence.to_string())),
        id(entry.by.as_ref().map(PersonDocument::id_cell)),
        id(entry.by.as_ref().map(|by| by.name.clone())),
        entry.created_at.to_string(),
    ];
    csv_text::write_row(text, cells.iter().map(String::as_str));
}

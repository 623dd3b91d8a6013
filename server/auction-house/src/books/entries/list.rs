//! Lists the entries of a book.

use crate::books::{BookView, Entry, store};
use crate::ids::UserId;
use platform::db::{Connection, DbError};
use platform::paging::fitting;

use crate::books::document::EntryDocument;

/// Entries of one page, at most.
pub const ENTRIES_MAX: i64 = 100;

/// The entries that a query asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct EntryQuery {
    pub holder: Option<UserId>,
    /// Smaller sequences are listed.
    pub before: Option<i64>,
}

/// A page of entries, newest first, and the sequence before which the next one begins.
#[derive(Debug)]
pub struct EntryPage {
    pub entries: Vec<Entry>,
    pub next_before: Option<i64>,
}

/// A holder who does not keep the book sees their own entries only.
pub async fn list_entries(
    conn: &mut Connection,
    seen: &BookView,
    query: EntryQuery,
) -> Result<EntryPage, DbError> {
    let holder = if seen.role.keeps() { query.holder } else { Some(seen.viewer) };
    let mut entries =
        store::entries::newest(conn, seen.book.id, holder, query.before, ENTRIES_MAX + 1).await?;
    let documents: Vec<EntryDocument> = entries.iter().cloned().map(EntryDocument::from).collect();
    let most = fitting(&documents).min(usize::try_from(ENTRIES_MAX).unwrap_or(usize::MAX));
    let more = entries.len() > most;
    entries.truncate(most);
    let next_before = entries.last().filter(|_| more).map(|entry| entry.sequence);
    Ok(EntryPage { entries, next_before })
}

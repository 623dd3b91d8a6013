//! Lists the entries of a book.

use std::collections::BTreeSet;

use super::EntryPage;
use crate::books::{BookView, Entry, store};
use crate::ids::{ItemId, UserId};
use crate::usage;
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

/// Removes the items from entries of others that would tell a keeper the bidders of a hidden auction.
pub async fn hide_items(conn: &mut Connection, viewer: UserId, entries: &mut [Entry]) -> Result<(), DbError> {
    let items: BTreeSet<ItemId> =
        entries.iter().filter(|entry| entry.holder.id != viewer).filter_map(|entry| entry.item_id).collect();
    let hidden = usage::with_hidden_bidders(conn, viewer, &Vec::from_iter(items)).await?;
    for entry in entries.iter_mut().filter(|entry| entry.holder.id != viewer) {
        if entry.item_id.is_some_and(|item| hidden.contains(&item)) {
            (entry.item_id, entry.outcome, entry.copy) = (None, None, None);
        }
    }
    Ok(())
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
    hide_items(conn, seen.viewer, &mut entries).await?;
    let documents: Vec<EntryDocument> = entries.iter().cloned().map(EntryDocument::from).collect();
    let most = fitting(&documents).min(usize::try_from(ENTRIES_MAX).unwrap_or(usize::MAX));
    let more = entries.len() > most;
    entries.truncate(most);
    let next_before = entries.last().filter(|_| more).map(|entry| entry.sequence);
    Ok(EntryPage { entries, next_before })
}

//! The runs of a book, and one with its rows.

use super::automatic::hide_items;
use super::{BookRun, BookRunRow};
use crate::books::{BookView, store};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};

/// A run with its rows.
#[derive(Debug, Clone)]
pub struct WholeRun {
    pub run: BookRun,
    pub rows: Vec<BookRunRow>,
}

/// The runs, newest first.
pub async fn list_runs(
    conn: &mut Connection,
    seen: &BookView,
    page: Page<i64>,
) -> Result<Paged<BookRun>, DbError> {
    let mut found = store::runs::list(conn, seen.book.id, page.after, page.rows()).await?;
    hide_items(conn, seen.viewer, &mut found).await?;
    Ok(page.paged(found, |run| run.number.to_string()))
}

/// A run without its rows, as the viewer may see it.
pub async fn find_run(
    conn: &mut Connection,
    seen: &BookView,
    number: i64,
) -> Result<Option<BookRun>, DbError> {
    let Some(mut run) = store::runs::find(conn, seen.book.id, number).await? else { return Ok(None) };
    hide_items(conn, seen.viewer, std::slice::from_mut(&mut run)).await?;
    Ok(Some(run))
}

/// A run with its rows, in the order in which they were computed.
pub async fn whole(conn: &mut Connection, seen: &BookView, number: i64) -> Result<Option<WholeRun>, DbError> {
    let entries = store::runs::entries(conn, seen.book.id, number).await?;
    with_entries(conn, seen, number, entries).await
}

/// A run with its rows, of which those with entries are known.
pub async fn with_entries(
    conn: &mut Connection,
    seen: &BookView,
    number: i64,
    entries: Vec<BookRunRow>,
) -> Result<Option<WholeRun>, DbError> {
    let Some(run) = find_run(conn, seen, number).await? else { return Ok(None) };
    let mut entries = entries.into_iter();
    let mut without = store::runs::without_entries(conn, seen.book.id, number).await?.into_iter().peekable();
    let mut rows = Vec::new();
    for position in 0_i64.. {
        let next = match without.next_if(|(at, _)| *at == position) {
            Some((_, row)) => Some(row),
            None => entries.next(),
        };
        // Entries of an import that waited come after rows, which have no gaps.
        let Some(row) = next else { break };
        rows.push(row);
    }
    Ok(Some(WholeRun { run, rows }))
}

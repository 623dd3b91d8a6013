//! Reads entries with SQL.

use rules_engine::money::Normalized;

use crate::books::{Entry, EntryKind, SaleEntry};
use crate::ids::{BookId, ItemId, UserId};
use accounts::Person;
use platform::db::{Connection, DbError, Parsed, concatcp, for_each_row, query, rows};
use platform::time::Moment;

/// Reads an [`EntryRow`] for each entry `e`.
const SELECT_ENTRIES: &str = "SELECT e.sequence, e.holder_id, u.name AS holder_name, e.amount, e.kind, e.reason, e.item_id,
                    e.outcome_copy, e.outcome_number, e.reverses, e.run, e.asked, e.by_id, b.name AS by_name, e.created_at,
                    EXISTS (SELECT 1 FROM book_entries r WHERE r.book_id = e.book_id AND r.reverses = e.sequence)
                        AS is_reversed
             FROM book_entries e JOIN users u ON u.id = e.holder_id LEFT JOIN users b ON b.id = e.by_id
             WHERE e.book_id = $1 AND ";

#[derive(sqlx_macros::FromRow)]
struct EntryRow {
    sequence: i64,
    holder_id: UserId,
    holder_name: String,
    amount: Parsed<Normalized>,
    kind: EntryKind,
    reason: Option<String>,
    item_id: Option<ItemId>,
    outcome_copy: Option<i64>,
    outcome_number: Option<i64>,
    reverses: Option<i64>,
    run: Option<i64>,
    asked: Option<Parsed<Normalized>>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    created_at: Moment,
    is_reversed: bool,
}

impl From<EntryRow> for Entry {
    fn from(row: EntryRow) -> Self {
        Self {
            sequence: row.sequence,
            holder: Person { id: row.holder_id, name: row.holder_name },
            amount: row.amount.0,
            kind: row.kind,
            reason: row.reason,
            item_id: row.item_id,
            outcome: row.outcome_number,
            copy: row.outcome_copy,
            reverses: row.reverses,
            is_reversed: row.is_reversed,
            run: row.run,
            asked: row.asked.map(|asked| asked.0),
            by: row.by_id.zip(row.by_name).map(|(id, name)| Person { id, name }),
            created_at: row.created_at,
        }
    }
}

/// The entries with these sequences, in order.
pub async fn between(
    conn: &mut Connection,
    book_id: BookId,
    first: i64,
    last: i64,
) -> Result<Vec<Entry>, DbError> {
    let found: Vec<EntryRow> =
        query(concatcp!(SELECT_ENTRIES, "e.sequence >= $2 AND e.sequence <= $3 ORDER BY e.sequence"))
            .bind(book_id)
            .bind(first)
            .bind(last)
            .fetch_all(conn)
            .await?;
    Ok(found.into_iter().map(Entry::from).collect())
}

/// The entries of a run without their reversals, in order.
pub async fn of_run(conn: &mut Connection, book_id: BookId, number: i64) -> Result<Vec<Entry>, DbError> {
    let found: Vec<EntryRow> =
        query(concatcp!(SELECT_ENTRIES, "e.run = $2 AND e.kind <> 'REVERSAL' ORDER BY e.sequence"))
            .bind(book_id)
            .bind(number)
            .fetch_all(conn)
            .await?;
    Ok(found.into_iter().map(Entry::from).collect())
}

/// The charges for these items and their reversals, in order.
pub async fn of_sales(
    conn: &mut Connection,
    book_id: BookId,
    items: &[ItemId],
) -> Result<Vec<SaleEntry>, DbError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<(ItemId, i64, i64, i64, UserId, Parsed<Normalized>)> = query(for_each_row!(
        "SELECT e.item_id, e.outcome_copy, e.outcome_number, e.sequence, e.holder_id, e.amount FROM",
        [item_id id],
        // SQLite reads these items first, not all entries of the book.
        "CROSS JOIN book_entries e WHERE e.item_id = given.item_id AND e.book_id = $2 ORDER BY e.sequence"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    let entry = |(item_id, copy, outcome, sequence, holder_id, Parsed(amount))| SaleEntry {
        item_id,
        copy,
        outcome,
        sequence,
        holder_id,
        amount,
    };
    Ok(found.into_iter().map(entry).collect())
}

/// Up to `limit` entries, newest first, before the one with the sequence `before`; of one holder, if one is
/// given.
pub async fn newest(
    conn: &mut Connection,
    book_id: BookId,
    holder: Option<UserId>,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Entry>, DbError> {
    let before = before.unwrap_or(i64::MAX);
    let query = match holder {
        Some(holder) => query(concatcp!(
            SELECT_ENTRIES,
            "e.sequence < $2 AND e.holder_id = $4 ORDER BY e.sequence DESC LIMIT $3"
        ))
        .bind(book_id)
        .bind(before)
        .bind(limit)
        .bind(holder),
        None => query(concatcp!(SELECT_ENTRIES, "e.sequence < $2 ORDER BY e.sequence DESC LIMIT $3"))
            .bind(book_id)
            .bind(before)
            .bind(limit),
    };
    let found: Vec<EntryRow> = query.fetch_all(conn).await?;
    Ok(found.into_iter().map(Entry::from).collect())
}

/// The balances after the newest entries of a holder, newest first, with their moments.
pub async fn balances(
    conn: &mut Connection,
    book_id: BookId,
    holder: UserId,
    limit: i64,
) -> Result<Vec<(Moment, Normalized)>, DbError> {
    let found: Vec<(Moment, Parsed<Normalized>)> = query(
        "SELECT created_at, balance FROM book_entries
         WHERE book_id = $1 AND holder_id = $2 ORDER BY sequence DESC LIMIT $3",
    )
    .bind(book_id)
    .bind(holder)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(at, Parsed(balance))| (at, balance)).collect())
}

//! Runs in SQL.

use std::collections::HashMap;

use rules_engine::money::Normalized;
use serde_json::value::RawValue;

use crate::books::runs::draft::Basis;
use crate::books::runs::params::Params;
use crate::books::runs::{BookRun, BookRunKind, BookRunRow, NewRun, Reversed, WithoutEntry};
use crate::ids::{AuctionId, BookId, ImportId, ItemId, UserId};
use accounts::Person;
use platform::db::{
    Connection, DbError, Json, Parsed, Transaction, columns, insert as insert_row, insert_all, query,
    query_scalar,
};
use platform::time::Moment;

/// Reads a [`StoredRun`] for each run `r` of the book.
macro_rules! select_runs {
    ($params:literal, $condition:literal) => {
        concat!(
            "SELECT r.number, r.kind, ",
            $params,
            " AS params, r.reason, r.kept, r.import_id, r.outcome_id IS NOT NULL AS is_automatic, r.by_id, b.name AS by_name, r.created_at,
                    r.reversed_at, r.reversed_by, v.name AS reversed_by_name, r.reversed_reason
             FROM book_runs r LEFT JOIN users b ON b.id = r.by_id LEFT JOIN users v ON v.id = r.reversed_by
             WHERE r.book_id = $1 AND ",
            $condition
        )
    };
}

#[derive(sqlx_macros::FromRow)]
struct StoredRun {
    number: i64,
    kind: BookRunKind,
    params: Json<Box<RawValue>>,
    reason: Option<String>,
    kept: Parsed<Normalized>,
    import_id: Option<ImportId>,
    is_automatic: bool,
    by_id: Option<UserId>,
    by_name: Option<String>,
    created_at: Moment,
    reversed_at: Option<Moment>,
    reversed_by: Option<UserId>,
    reversed_by_name: Option<String>,
    reversed_reason: Option<String>,
}

impl From<StoredRun> for BookRun {
    fn from(row: StoredRun) -> Self {
        let person = |(id, name)| Person { id, name };
        let by = row.reversed_by.zip(row.reversed_by_name).map(person);
        Self {
            number: row.number,
            kind: row.kind,
            params: row.params,
            reason: row.reason,
            kept: row.kept.0,
            import_id: row.import_id,
            is_automatic: row.is_automatic,
            by: row.by_id.zip(row.by_name).map(person),
            created_at: row.created_at,
            reversed: row.reversed_at.map(|at| Reversed {
                at,
                by,
                reason: row.reversed_reason.unwrap_or_default(),
            }),
        }
    }
}

/// Up to `limit` runs before the one with the number `before`, newest first. Lists of holders in their
/// parameters are counted.
pub async fn list(
    conn: &mut Connection,
    book_id: BookId,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<BookRun>, DbError> {
    let found: Vec<StoredRun> =
        query(select_runs!("COALESCE(r.listed, r.params)", "r.number < $2 ORDER BY r.number DESC LIMIT $3"))
            .bind(book_id)
            .bind(before.unwrap_or(i64::MAX))
            .bind(limit)
            .fetch_all(conn)
            .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

pub async fn find(conn: &mut Connection, book_id: BookId, number: i64) -> Result<Option<BookRun>, DbError> {
    let found: Option<StoredRun> = query(select_runs!("r.params", "r.number = $2"))
        .bind(book_id)
        .bind(number)
        .fetch_optional(conn)
        .await?;
    Ok(found.map(Into::into))
}

/// The number of the run of an import.
pub async fn of_import(
    conn: &mut Connection,
    book_id: BookId,
    import_id: ImportId,
) -> Result<Option<i64>, DbError> {
    query_scalar("SELECT number FROM book_runs WHERE import_id = $2 AND book_id = $1")
        .bind(book_id)
        .bind(import_id)
        .fetch_optional(conn)
        .await
}

/// The number of the newest run; 0 without runs.
pub async fn last_number(conn: &mut Connection, book_id: BookId) -> Result<i64, DbError> {
    let sql = "SELECT number FROM book_runs WHERE book_id = $1 ORDER BY number DESC LIMIT 1";
    let found: Option<i64> = query_scalar(sql).bind(book_id).fetch_optional(conn).await?;
    Ok(found.unwrap_or(0))
}

/// What a run of the book is computed from.
pub async fn basis(conn: &mut Connection, book_id: BookId) -> Result<Basis, DbError> {
    query(
        "SELECT b.version, b.last_sequence,
                COALESCE((SELECT r.number FROM book_runs r WHERE r.book_id = b.id
                          ORDER BY r.number DESC LIMIT 1), 0) AS last_run,
                COUNT(*) AS holders, COUNT(h.left_at) AS left_holders, MAX(h.left_at) AS last_left,
                COUNT(u.erased_at) AS erased_holders
         FROM books b JOIN book_holders h ON h.book_id = b.id JOIN users u ON u.id = h.user_id
         WHERE b.id = $1 GROUP BY b.id, b.version, b.last_sequence",
    )
    .bind(book_id)
    .fetch_optional(conn)
    .await?
    .ok_or_else(|| DbError::Corrupt(format!("no book `{book_id}`")))
}

/// Whether a run of this kind that is not reversed has the period.
pub async fn has_period(
    conn: &mut Connection,
    book_id: BookId,
    kind: BookRunKind,
    period: &str,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM book_runs
         WHERE book_id = $1 AND period = $2 AND kind = $3 AND reversed_at IS NULL)",
    )
    .bind(book_id)
    .bind(period)
    .bind(kind)
    .fetch_one(conn)
    .await
}

/// The periods of the runs of a kind that were not reversed.
pub async fn periods(
    conn: &mut Connection,
    book_id: BookId,
    kind: BookRunKind,
) -> Result<Vec<String>, DbError> {
    query_scalar(
        "SELECT period FROM book_runs
         WHERE book_id = $1 AND period IS NOT NULL AND kind = $2 AND reversed_at IS NULL",
    )
    .bind(book_id)
    .bind(kind)
    .fetch_all(conn)
    .await
}

#[derive(sqlx_macros::FromRow)]
struct StoredRow {
    position: i64,
    holder_id: UserId,
    holder_name: String,
    asked: Option<Parsed<Normalized>>,
    amount: Parsed<Normalized>,
    balance: Parsed<Normalized>,
}

impl From<StoredRow> for BookRunRow {
    fn from(row: StoredRow) -> Self {
        let (amount, after) = (row.amount.0, row.balance.0);
        Self {
            holder: Person { id: row.holder_id, name: row.holder_name },
            asked: row.asked.map_or(amount, |asked| asked.0),
            amount,
            before: after.checked_sub(amount).unwrap_or_default(),
            after,
        }
    }
}

/// Rows with entries, in the order of these.
pub async fn entries(
    conn: &mut Connection,
    book_id: BookId,
    number: i64,
) -> Result<Vec<BookRunRow>, DbError> {
    let found: Vec<StoredRow> = query(
        "SELECT e.sequence AS position, e.holder_id, u.name AS holder_name, e.asked, e.amount, e.balance
         FROM book_entries e JOIN users u ON u.id = e.holder_id
         WHERE e.book_id = $1 AND e.run = $2 AND e.kind <> 'REVERSAL' ORDER BY e.sequence",
    )
    .bind(book_id)
    .bind(number)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// Rows without entries, with their positions among all rows.
pub async fn without_entries(
    conn: &mut Connection,
    book_id: BookId,
    number: i64,
) -> Result<Vec<(i64, BookRunRow)>, DbError> {
    let found: Vec<StoredRow> = query(
        "SELECT r.position, r.holder_id, u.name AS holder_name, r.asked, '0' AS amount, r.balance
         FROM book_run_rows r JOIN users u ON u.id = r.holder_id
         WHERE r.book_id = $1 AND r.run = $2 ORDER BY r.position",
    )
    .bind(book_id)
    .bind(number)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|row| (row.position, row.into())).collect())
}

/// How many entries a run has.
pub async fn entry_count(conn: &mut Connection, book_id: BookId, number: i64) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM book_entries WHERE book_id = $1 AND run = $2 AND kind <> 'REVERSAL'")
        .bind(book_id)
        .bind(number)
        .fetch_one(conn)
        .await
}

/// An entry of a run, and what has become of it.
#[derive(Debug)]
pub struct WrittenRow {
    pub sequence: i64,
    pub row: BookRunRow,
    pub is_reversed: bool,
    /// The balance of the holder now.
    pub balance_now: Normalized,
}

#[derive(sqlx_macros::FromRow)]
struct StoredWrittenRow {
    #[sqlx(flatten)]
    row: StoredRow,
    is_reversed: bool,
    balance_now: Parsed<Normalized>,
}

/// The entries of a run, in order.
pub async fn written_rows(
    conn: &mut Connection,
    book_id: BookId,
    number: i64,
) -> Result<Vec<WrittenRow>, DbError> {
    let found: Vec<StoredWrittenRow> = query(
        "SELECT e.sequence AS position, e.holder_id, u.name AS holder_name, e.asked, e.amount, e.balance,
                EXISTS (SELECT 1 FROM book_entries r WHERE r.book_id = e.book_id AND r.reverses = e.sequence)
                    AS is_reversed,
                (SELECT n.balance FROM book_entries n WHERE n.book_id = e.book_id AND n.holder_id = e.holder_id
                 ORDER BY n.sequence DESC LIMIT 1) AS balance_now
         FROM book_entries e JOIN users u ON u.id = e.holder_id
         WHERE e.book_id = $1 AND e.run = $2 AND e.kind <> 'REVERSAL' ORDER BY e.sequence",
    )
    .bind(book_id)
    .bind(number)
    .fetch_all(conn)
    .await?;
    let written = |StoredWrittenRow { row, is_reversed, balance_now }: StoredWrittenRow| WrittenRow {
        sequence: row.position,
        row: row.into(),
        is_reversed,
        balance_now: balance_now.0,
    };
    Ok(found.into_iter().map(written).collect())
}

/// What lists show of parameters, if they do not show all.
pub fn listed(params: &str) -> Result<Option<String>, DbError> {
    let listed = Params::read(params).and_then(Params::listed).map_err(DbError::Json)?;
    Ok(listed.map(|listed| listed.get().to_owned()))
}

/// Keeps a run, and its rows without entries.
pub async fn insert(
    conn: &mut Transaction,
    book_id: BookId,
    run: &NewRun<'_>,
    without: &[WithoutEntry],
    now: Moment,
) -> Result<(), DbError> {
    let row = columns! {
        book_id: book_id,
        number: run.number,
        kind: run.kind,
        params: run.params,
        listed: listed(run.params)?,
        reason: run.reason,
        kept: run.kept.to_string(),
        auction_id: run.auction_id,
        item_id: run.item_id,
        import_id: run.import_id,
        period: run.period,
        by_id: run.by,
        created_at: now,
    };
    insert_row(conn, "book_runs", row).await?;
    let row = |row: &WithoutEntry| {
        columns! {
            book_id: book_id,
            run: run.number,
            position: row.position,
            holder_id: row.holder_id,
            asked: row.asked.to_string(),
            balance: row.balance.to_string(),
        }
    };
    insert_all(conn, "book_run_rows", without.iter().map(row)).await
}

/// Records that a run was reversed.
pub async fn set_reversed(
    conn: &mut Transaction,
    book_id: BookId,
    number: i64,
    (reason, by): (&str, UserId),
    now: Moment,
) -> Result<(), DbError> {
    query(
        "UPDATE book_runs SET reversed_at = $3, reversed_by = $4, reversed_reason = $5
         WHERE book_id = $1 AND number = $2",
    )
    .bind(book_id)
    .bind(number)
    .bind(now)
    .bind(by)
    .bind(reason)
    .execute(conn)
    .await?;
    Ok(())
}

/// Amounts of the entries of runs that share the pot of an auction or of one of its lots, with the lot.
pub async fn shared_of_auction(
    conn: &mut Connection,
    book_id: BookId,
    auction_id: AuctionId,
) -> Result<Vec<(Option<ItemId>, Normalized)>, DbError> {
    let found: Vec<(Option<ItemId>, Parsed<Normalized>)> = query(
        "SELECT r.item_id, e.amount FROM book_runs r JOIN book_entries e ON e.book_id = r.book_id AND e.run = r.number
         WHERE r.auction_id = $2 AND r.book_id = $1",
    )
    .bind(book_id)
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(item, Parsed(amount))| (item, amount)).collect())
}

/// What grants and shares have given each holder since a moment: neither what was reversed, nor starting
/// balances and imports.
pub async fn given_since(
    conn: &mut Connection,
    book_id: BookId,
    since: Moment,
) -> Result<HashMap<UserId, Normalized>, DbError> {
    let found: Vec<(UserId, Parsed<Normalized>)> = query(
        "SELECT e.holder_id, e.amount
         FROM book_entries e LEFT JOIN book_runs r ON r.book_id = e.book_id AND r.number = e.run
         WHERE e.book_id = $1 AND e.created_at >= $2 AND e.kind <> 'CHARGE'
           AND (e.kind = 'SHARE' OR (e.kind = 'GRANT' AND e.by_id IS NOT NULL))
           AND (r.kind IS NULL OR r.kind <> 'IMPORT')
           AND NOT EXISTS (SELECT 1 FROM book_entries v WHERE v.book_id = e.book_id AND v.reverses = e.sequence)",
    )
    .bind(book_id)
    .bind(since)
    .fetch_all(conn)
    .await?;
    let mut given: HashMap<UserId, Normalized> = HashMap::new();
    for (holder, Parsed(amount)) in found {
        if !amount.is_negative() {
            let sum = given.entry(holder).or_default();
            *sum = sum.checked_add(amount).unwrap_or(*sum);
        }
    }
    Ok(given)
}

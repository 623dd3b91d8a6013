//! SQL on what has changed.

use super::Signal;
use platform::db::{BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, query};
use platform::random;

/// Numbers that are kept. They ascend, and transactions at one time may get the same.
const KEPT: i64 = 1_000;

/// What has changed, as it was written.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Written {
    pub number: i64,
    /// Random.
    pub id: i64,
    pub signal: String,
}

/// Adds what has changed to `writes`.
pub fn insert(writes: &mut WriteBatch, signals: &[Signal]) -> Result<(), DbError> {
    const INSERT: BulkStatement = bulk_statement!(
        "INSERT INTO account_changes (number, id, signal)
         SELECT (SELECT COALESCE(MAX(number), 0) + 1 FROM account_changes), given.id, given.signal FROM",
        [id bigint, signal text],
        ""
    );
    let row = |signal: &Signal| Ok([i64::from_le_bytes(random::bytes()?).into(), signal.to_string().into()]);
    let rows = signals.iter().map(row).collect::<Result<Vec<_>, DbError>>()?;
    writes.add(INSERT, rows);
    Ok(())
}

/// The newest changes with numbers above `number`, at most `limit`, the newest first.
pub async fn newest_above(db: &mut Connection, number: i64, limit: i64) -> Result<Vec<Written>, DbError> {
    query(
        "SELECT number, id, signal FROM account_changes WHERE number > $1 ORDER BY number DESC, id DESC LIMIT $2",
    )
    .bind(number)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Deletes what no server reads any more, given the newest number.
pub async fn delete_old(db: &mut Transaction, newest: i64) -> Result<(), DbError> {
    query("DELETE FROM account_changes WHERE number <= $1").bind(newest - KEPT).execute(db).await?;
    Ok(())
}

//! The pause of an update: from its backup on nobody else writes, on any server of this database, so that the way back
//! loses nothing. It is a row that each transaction looks at before it writes.

use super::{Connection, DbError, Sql, query, query_scalar};

/// Milliseconds since 1970 by the database's clock, for statements of both kinds.
#[macro_export]
macro_rules! with_now {
    ($before:expr, $after:expr) => {
        $crate::db::Sql {
            sqlite: concat!($before, "CAST(unixepoch('subsec') * 1000 AS BIGINT)", $after),
            postgres: concat!(
                $before,
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
                $after
            ),
        }
    };
}
pub use with_now;

/// On PostgreSQL a pause ends with the life of whoever runs the update. The local file is served again only after the
/// next start has finished or reverted the run, and until then nothing may be written that its way back would lose.
pub(super) const IS_CLOSED: Sql = Sql {
    sqlite: "SELECT 1 FROM update_turn WHERE writes_closed",
    postgres: with_now!(
        "SELECT CAST(1 AS BIGINT) FROM update_turn WHERE writes_closed AND alive_until > ",
        ""
    )
    .postgres,
};
/// Waits for all who have looked and go on writing. SQLite's writer is alone anyway.
const WAIT_FOR_WRITERS: Sql =
    Sql { sqlite: "SELECT 1", postgres: "LOCK TABLE update_turn IN ACCESS EXCLUSIVE MODE" };

/// Refuses where writes are closed. INVARIANT: asked in the transaction that is to write, which PostgreSQL then has
/// hold the table until its end.
pub(super) async fn check(db: &mut Connection) -> Result<(), DbError> {
    match query_scalar(IS_CLOSED).fetch_optional::<i64>(db).await? {
        None => Ok(()),
        Some(_) => Err(DbError::Paused),
    }
}

/// Closes writes for the run that has the turn. When this is committed, all that was written before is there.
pub async fn close_writes(db: &mut Connection, run: &str) -> Result<bool, DbError> {
    query(WAIT_FOR_WRITERS).execute(db).await?;
    let closed = query("UPDATE update_turn SET writes_closed = TRUE WHERE run_id = $1").bind(run);
    Ok(closed.execute(db).await? > 0)
}

/// Whether it is this run that has closed writes.
pub(super) async fn is_closed_by(db: &mut Connection, run: &str) -> Result<bool, DbError> {
    let sql = "SELECT run_id FROM update_turn WHERE writes_closed";
    let holder = query_scalar(sql).fetch_optional::<String>(db).await?;
    Ok(holder.is_some_and(|holder| holder == run))
}

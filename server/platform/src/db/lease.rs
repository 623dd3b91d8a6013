//! The lease of an update on the whole database. It has one holder at a time, which may close writes: then no
//! other transaction writes, on any server of this database, so that a rollback of the update loses nothing.
//! The lease is a row, which each transaction reads before it writes.

use super::{Connection, DbError, Sql, Transaction, query, query_scalar};

/// A statement with the database's time in milliseconds since 1970 between `before` and `after`.
macro_rules! with_now {
    ($before:expr, $after:expr) => {
        Sql {
            sqlite: concat!($before, "CAST(unixepoch('subsec') * 1000 AS BIGINT)", $after),
            postgres: concat!(
                $before,
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
                $after
            ),
        }
    };
}

/// On PostgreSQL, writes reopen when the lease expires. A SQLite file is not served until the next start has
/// finished the run or rolled it back; until then no write is allowed that a rollback would lose.
pub(super) const IS_CLOSED: Sql = Sql {
    sqlite: "SELECT 1 FROM database_lease WHERE writes_closed",
    postgres: with_now!(
        "SELECT CAST(1 AS BIGINT) FROM database_lease WHERE writes_closed AND expires_at > ",
        ""
    )
    .postgres,
};
/// Waits for all transactions that have read the lease and are still writing. SQLite has one writer, so it
/// needs no lock.
const WAIT_FOR_WRITERS: Sql =
    Sql { sqlite: "SELECT 1", postgres: "LOCK TABLE database_lease IN ACCESS EXCLUSIVE MODE" };
/// On SQLite the holder has the update's lock file, so a row of another holder is left over from a crash.
const TAKE: Sql = Sql {
    sqlite: with_now!(
        "INSERT INTO database_lease (id, holder, description, expires_at, writes_closed)
         VALUES ('lease', $1, $3, $2 + ",
        ", FALSE)
         ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, description = excluded.description,
                                        expires_at = excluded.expires_at, writes_closed = FALSE"
    )
    .sqlite,
    postgres: with_now!(
        "INSERT INTO database_lease (id, holder, description, expires_at, writes_closed)
         VALUES ('lease', $1, $3, $2 + ",
        ", FALSE)
         ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, description = excluded.description,
                                        expires_at = excluded.expires_at, writes_closed = FALSE
         WHERE database_lease.expires_at < excluded.expires_at - $2"
    )
    .postgres,
};
/// The lease in force: on SQLite also an expired one that has closed writes.
const CURRENT: Sql = Sql {
    sqlite: with_now!(
        "SELECT holder, description, writes_closed FROM database_lease WHERE writes_closed OR expires_at > ",
        ""
    )
    .sqlite,
    postgres: with_now!(
        "SELECT holder, description, writes_closed FROM database_lease WHERE expires_at > ",
        ""
    )
    .postgres,
};
const RENEW: Sql = with_now!("UPDATE database_lease SET expires_at = $2 + ", " WHERE holder = $1");
const CLEAR: Sql = Sql {
    // Removes any lease: SQLite has one server. Names `$1`, because a parameter that is bound must occur.
    sqlite: "DELETE FROM database_lease WHERE holder = $1 OR TRUE",
    postgres: with_now!("DELETE FROM database_lease WHERE holder = $1 OR expires_at < ", "").postgres,
};

/// Fails with `Paused` if writes are closed. INVARIANT: called in the transaction that will write, so that on
/// PostgreSQL the transaction keeps a lock on the table until its end.
pub(super) async fn check_writes(db: &mut Connection) -> Result<(), DbError> {
    match query_scalar(IS_CLOSED).fetch_optional::<i64>(db).await? {
        None => Ok(()),
        Some(_) => Err(DbError::Paused),
    }
}

/// Whether `holder` has closed writes, and nobody has opened them since.
pub async fn is_closed_by(db: &mut Connection, holder: &str) -> Result<bool, DbError> {
    let sql = "SELECT holder FROM database_lease WHERE writes_closed";
    let closed_by = query_scalar(sql).fetch_optional::<String>(db).await?;
    Ok(closed_by.is_some_and(|closed_by| closed_by == holder))
}

/// The lease in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub holder: String,
    /// What the holder says of itself.
    pub description: String,
    pub has_closed_writes: bool,
}

/// The lease in force, if there is one.
pub async fn current(db: &mut Connection) -> Result<Option<Lease>, DbError> {
    let row: Option<(String, String, bool)> = query(CURRENT).fetch_optional(db).await?;
    Ok(row.map(|(holder, description, has_closed_writes)| Lease { holder, description, has_closed_writes }))
}

/// Takes the lease for `millis` milliseconds. Returns whether `holder` has it now: an expired lease of
/// another holder is replaced, a valid one is not.
pub async fn take(
    db: &mut Transaction,
    holder: &str,
    description: &str,
    millis: i64,
) -> Result<bool, DbError> {
    Ok(query(TAKE).bind(holder).bind(millis).bind(description).execute(db).await? > 0)
}

/// Replaces the description, if `holder` has the lease.
pub async fn describe(db: &mut Transaction, holder: &str, description: &str) -> Result<(), DbError> {
    query("UPDATE database_lease SET description = $2 WHERE holder = $1")
        .bind(holder)
        .bind(description)
        .execute(db)
        .await?;
    Ok(())
}

/// Extends the lease to `millis` milliseconds from now. Returns whether `holder` still has it.
pub async fn renew(db: &mut Transaction, holder: &str, millis: i64) -> Result<bool, DbError> {
    Ok(query(RENEW).bind(holder).bind(millis).execute(db).await? > 0)
}

/// Closes writes if `holder` has the lease, and returns whether it has. Once this is committed, all earlier
/// writes are committed too.
pub async fn close_writes(db: &mut Transaction, holder: &str) -> Result<bool, DbError> {
    query(WAIT_FOR_WRITERS).execute(db).await?;
    let closed = query("UPDATE database_lease SET writes_closed = TRUE WHERE holder = $1").bind(holder);
    Ok(closed.execute(db).await? > 0)
}

/// Opens the writes that `holder` has closed. It keeps the lease.
pub async fn open_writes(db: &mut Transaction, holder: &str) -> Result<(), DbError> {
    query("UPDATE database_lease SET writes_closed = FALSE WHERE holder = $1")
        .bind(holder)
        .execute(db)
        .await?;
    Ok(())
}

/// Releases the lease, which opens writes.
pub async fn release(db: &mut Transaction, holder: &str) -> Result<(), DbError> {
    query("DELETE FROM database_lease WHERE holder = $1").bind(holder).execute(db).await?;
    Ok(())
}

/// Removes the lease of `holder`, whose run has ended, and any expired lease.
pub async fn clear(db: &mut Transaction, holder: &str) -> Result<(), DbError> {
    query(CLEAR).bind(holder).execute(db).await?;
    Ok(())
}

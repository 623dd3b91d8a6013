//! SQL on the lease of a run.

use platform::db::{Connection, DbError, Sql, query, with_now};

/// Acquires the lease if it is free or has expired.
const TAKE: Sql = Sql {
    // The caller holds the lock file, so another row is left over from a crash.
    sqlite: with_now!(
        "INSERT INTO update_turn (id, run_id, alive_until, writes_closed) VALUES ('update', $1, $2 + ",
        ", FALSE)
         ON CONFLICT (id) DO UPDATE SET run_id = excluded.run_id, alive_until = excluded.alive_until,
                                        writes_closed = FALSE"
    )
    .sqlite,
    postgres: with_now!(
        "INSERT INTO update_turn (id, run_id, alive_until, writes_closed) VALUES ('update', $1, $2 + ",
        ", FALSE)
         ON CONFLICT (id) DO UPDATE SET run_id = excluded.run_id, alive_until = excluded.alive_until,
                                        writes_closed = FALSE
         WHERE update_turn.alive_until < excluded.alive_until - $2"
    )
    .postgres,
};
const RENEW: Sql = with_now!("UPDATE update_turn SET alive_until = $2 + ", " WHERE run_id = $1");
const CLEAR: Sql = Sql {
    sqlite: "DELETE FROM update_turn WHERE run_id = $1 OR TRUE",
    postgres: with_now!("DELETE FROM update_turn WHERE run_id = $1 OR alive_until < ", "").postgres,
};

/// Acquires the lease for `millis` milliseconds; `false` if another run holds it.
pub async fn take_lease(db: &mut Connection, run: &str, millis: i64) -> Result<bool, DbError> {
    Ok(query(TAKE).bind(run).bind(millis).execute(db).await? > 0)
}

/// Renews the lease for `millis` milliseconds from now; `false` if the run does not hold it.
pub async fn renew_lease(db: &mut Connection, run: &str, millis: i64) -> Result<bool, DbError> {
    Ok(query(RENEW).bind(run).bind(millis).execute(db).await? > 0)
}

/// Releases the lease, which opens writes.
pub async fn release_lease(db: &mut Connection, run: &str) -> Result<(), DbError> {
    query("DELETE FROM update_turn WHERE run_id = $1").bind(run).execute(db).await?;
    Ok(())
}

/// Removes expired leases and that of `run`.
pub async fn clear_leases(db: &mut Connection, run: &str) -> Result<(), DbError> {
    query(CLEAR).bind(run).execute(db).await?;
    Ok(())
}

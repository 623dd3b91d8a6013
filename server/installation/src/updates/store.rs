//! The turn of an update in the database: one at a time, for all servers on it.

use platform::db::{Connection, DbError, Sql, query, with_now};

/// Takes the turn of whoever is no longer alive, or of nobody.
const TAKE: Sql = Sql {
    // Whoever asks has the lock file: another one's row is left over from before a crash.
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
const KEEP: Sql = with_now!("UPDATE update_turn SET alive_until = $2 + ", " WHERE run_id = $1");
const CLEAR: Sql = Sql {
    sqlite: "DELETE FROM update_turn WHERE run_id = $1 OR TRUE",
    postgres: with_now!("DELETE FROM update_turn WHERE run_id = $1 OR alive_until < ", "").postgres,
};

/// Whether the run has the turn now. It is believed to be alive for so many milliseconds.
pub async fn take_turn(db: &mut Connection, run: &str, millis: i64) -> Result<bool, DbError> {
    Ok(query(TAKE).bind(run).bind(millis).execute(db).await? > 0)
}

/// Whether the run has the turn still, and then for so many milliseconds from now.
pub async fn keep_turn(db: &mut Connection, run: &str, millis: i64) -> Result<bool, DbError> {
    Ok(query(KEEP).bind(run).bind(millis).execute(db).await? > 0)
}

/// Gives the turn back, and opens writes.
pub async fn leave_turn(db: &mut Connection, run: &str) -> Result<(), DbError> {
    query("DELETE FROM update_turn WHERE run_id = $1").bind(run).execute(db).await?;
    Ok(())
}

/// Takes away what runs that have ended have left behind: `run` for certain.
pub async fn clear_turns(db: &mut Connection, run: &str) -> Result<(), DbError> {
    query(CLEAR).bind(run).execute(db).await?;
    Ok(())
}

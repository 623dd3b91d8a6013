//! SQL on sign-ins by number that failed.

use crate::groups::{GroupCode, PersonNumber};
use crate::ids::FailureId;
use platform::db::{
    Connection, DbError, Transaction, columns, for_each_row, insert as insert_row, query, query_scalar, rows,
};
use platform::net::ClientAddress;
use platform::time::Moment;

/// Failures with one number within [`LOCK_SECONDS`] that lock it.
pub const NUMBER_FAILURES_MAX: i64 = 10;
/// How long a lock lasts from the last failure on, and how close together the failures are.
pub const LOCK_SECONDS: i64 = 15 * 60;
pub const LOCK_MILLIS: i64 = LOCK_SECONDS * 1_000;

/// The numbers of the group `$1` that have failures: how many after the moment `$2`, and the newest, if it is
/// after that moment and locks the number, because `$4` failures are within `$3` milliseconds before it.
pub(super) const FAILURES_OF_NUMBERS: &str =
    "SELECT f.number, SUM(CASE WHEN f.failed_at > $2 THEN 1 ELSE 0 END) AS failures,
             CASE WHEN n.newest > $2 AND SUM(
                 CASE WHEN f.failed_at > n.newest - $3 AND f.failed_at >= n.open_until THEN 1 ELSE 0 END
             ) >= $4 THEN n.newest END AS locked_by
         FROM (
             SELECT e.code, e.number, g.open_until, MAX(e.failed_at) AS newest
             FROM groups g JOIN number_failures e ON e.code = g.code
             WHERE g.id = $1 AND e.number IS NOT NULL GROUP BY e.code, e.number, g.open_until
         ) n
         JOIN number_failures f ON f.code = n.code AND f.number = n.number
         GROUP BY f.number, n.newest";

/// When the lock of a number ends. None if it is not locked. Failures before `open_until` don't count.
pub async fn locked_until(
    conn: &mut Connection,
    code: &GroupCode,
    number: PersonNumber,
    (open_until, now): (Moment, Moment),
) -> Result<Option<Moment>, DbError> {
    // The newest failure begins the lock: refused tries are no failures.
    let newest: Option<(i64, Option<Moment>)> = query(
        "SELECT COUNT(*), MAX(n.newest) FROM number_failures f
         JOIN (SELECT MAX(failed_at) AS newest FROM number_failures WHERE code = $1 AND number = $2) n
             ON f.failed_at > n.newest - $3
         WHERE f.code = $1 AND f.number = $2 AND f.failed_at >= $4",
    )
    .bind(code.as_str())
    .bind(number)
    .bind(LOCK_MILLIS)
    .bind(open_until)
    .fetch_optional(conn)
    .await?;
    let newest = newest.filter(|(count, _)| *count >= NUMBER_FAILURES_MAX).and_then(|(_, newest)| newest);
    Ok(newest.map(|newest| newest.plus_seconds(LOCK_SECONDS)).filter(|end| *end > now))
}

/// Failures with this code from this address since a moment.
pub async fn of_address(
    conn: &mut Connection,
    code: &GroupCode,
    address: ClientAddress,
    since: Moment,
) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM number_failures WHERE code = $1 AND address = $2 AND failed_at >= $3")
        .bind(code.as_str())
        .bind(address.to_string())
        .bind(since)
        .fetch_one(conn)
        .await
}

/// A failure with a number of a group, or without one if no person has it.
pub async fn insert(
    conn: &mut Transaction,
    id: FailureId,
    (code, number): (&GroupCode, Option<PersonNumber>),
    address: ClientAddress,
    now: Moment,
) -> Result<(), DbError> {
    query("DELETE FROM number_failures WHERE failed_at < $1")
        .bind(now.plus_seconds(-2 * LOCK_SECONDS))
        .execute(conn)
        .await?;
    let row = columns! {
        id: id, code: code.as_str(), number: number.map(PersonNumber::get), address: address.to_string(), failed_at: now,
    };
    insert_row(conn, "number_failures", row).await
}

/// The PIN was right, or was not verified.
pub async fn delete(conn: &mut Transaction, id: FailureId) -> Result<(), DbError> {
    query("DELETE FROM number_failures WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}

/// Ends the locks of numbers.
pub async fn delete_of_numbers(
    conn: &mut Transaction,
    code: &GroupCode,
    numbers: &[PersonNumber],
) -> Result<(), DbError> {
    query(for_each_row!(
        "DELETE FROM number_failures WHERE code = $2 AND number IN (SELECT given.number FROM",
        [number bigint],
        ")"
    ))
    .bind(rows(numbers.iter().map(|number| [number.get()]))?)
    .bind(code.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the locks of all numbers of a code.
pub async fn delete_of_code(conn: &mut Transaction, code: &GroupCode) -> Result<(), DbError> {
    query("DELETE FROM number_failures WHERE code = $1").bind(code.as_str()).execute(conn).await?;
    Ok(())
}

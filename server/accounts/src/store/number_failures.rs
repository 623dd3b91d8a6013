//! SQL on sign-ins by number that failed. The code and the number may be those of nobody, so that the work is
//! the same.

use crate::groups::{GroupCode, PersonNumber};
use crate::ids::FailureId;
use platform::db::{Connection, DbError, Transaction, columns, insert as insert_row, query};
use platform::time::Moment;

/// Failures with one number within [`LOCK_SECONDS`] that lock it.
pub const NUMBER_FAILURES_MAX: i64 = 10;
/// Failures with one code within [`LOCK_SECONDS`] that lock all of its numbers.
pub const CODE_FAILURES_MAX: i64 = 300;
/// How long a lock lasts from the last failure on, and how close together the failures are.
pub const LOCK_SECONDS: i64 = 15 * 60;
pub const LOCK_MILLIS: i64 = LOCK_SECONDS * 1_000;

/// The locked numbers of a code: the newest failure is after the moment `since`, and `most` failures are
/// within `millis` before it.
macro_rules! locked_numbers {
    ($code:literal, $since:literal, $millis:literal, $most:literal) => {
        concat!(
            "SELECT f.number FROM number_failures f
             JOIN (SELECT number, MAX(failed_at) AS newest FROM number_failures WHERE code = ",
            $code,
            " GROUP BY number) n ON n.number = f.number
             WHERE f.code = ",
            $code,
            " AND n.newest > ",
            $since,
            " AND f.failed_at > n.newest - ",
            $millis,
            " GROUP BY f.number HAVING COUNT(*) >= ",
            $most
        )
    };
}
pub(super) use locked_numbers;

/// When the lock of the number, or of the code with all of its numbers, ends. None if there is none.
pub async fn locked_until(
    conn: &mut Connection,
    code: &GroupCode,
    number: PersonNumber,
    now: Moment,
) -> Result<Option<Moment>, DbError> {
    // The newest failure begins the lock: refused tries are no failures.
    let newest: Option<(i64, Option<Moment>)> = query(
        "SELECT COUNT(*), MAX(n.newest) FROM number_failures f
         JOIN (SELECT MAX(failed_at) AS newest FROM number_failures WHERE code = $1 AND number = $2) n
             ON f.failed_at > n.newest - $3
         WHERE f.code = $1 AND f.number = $2",
    )
    .bind(code.as_str())
    .bind(number)
    .bind(LOCK_MILLIS)
    .fetch_optional(conn)
    .await?;
    let newest_of_code: Option<(i64, Option<Moment>)> = query(
        "SELECT COUNT(*), MAX(n.newest) FROM number_failures f
         JOIN (SELECT MAX(failed_at) AS newest FROM number_failures WHERE code = $1) n
             ON f.failed_at > n.newest - $2
         WHERE f.code = $1",
    )
    .bind(code.as_str())
    .bind(LOCK_MILLIS)
    .fetch_optional(conn)
    .await?;
    let end = |found: Option<(i64, Option<Moment>)>, most| {
        let (count, newest) = found?;
        let end = newest.filter(|_| count >= most)?.plus_seconds(LOCK_SECONDS);
        (end > now).then_some(end)
    };
    Ok(end(newest, NUMBER_FAILURES_MAX).max(end(newest_of_code, CODE_FAILURES_MAX)))
}

pub async fn insert(
    conn: &mut Transaction,
    id: FailureId,
    code: &GroupCode,
    number: PersonNumber,
    now: Moment,
) -> Result<(), DbError> {
    query("DELETE FROM number_failures WHERE failed_at < $1")
        .bind(now.plus_seconds(-2 * LOCK_SECONDS))
        .execute(conn)
        .await?;
    let row = columns! { id: id, code: code.as_str(), number: number, failed_at: now };
    insert_row(conn, "number_failures", row).await
}

/// The PIN was right, or was not verified.
pub async fn delete(conn: &mut Transaction, id: FailureId) -> Result<(), DbError> {
    query("DELETE FROM number_failures WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}

/// Ends the lock of a number.
pub async fn delete_of_number(
    conn: &mut Transaction,
    code: &GroupCode,
    number: PersonNumber,
) -> Result<(), DbError> {
    let sql = "DELETE FROM number_failures WHERE code = $1 AND number = $2";
    query(sql).bind(code.as_str()).bind(number).execute(conn).await?;
    Ok(())
}

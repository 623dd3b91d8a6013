//! Waiting grants in SQL. A grant that was written keeps its row with the entry, and without the e-mail: an
//! undo of its import reverses it.

use rules_engine::money::Normalized;

use super::WaitingGrant;
use crate::ids::{BookId, ImportId, UserId, WaitingGrantId};
use platform::db::{
    Connection, DbError, Parsed, Transaction, columns, concatcp, insert_all, query, query_scalar,
};
use platform::email::Email;
use platform::time::Moment;

/// Reads a [`WaitingRow`] for each grant `w` of the book `$1` that waits at `$2`.
const SELECT_WAITING: &str =
    "SELECT w.id, w.import_id, w.email, w.amount, w.reason, w.by_id, w.created_at, w.expires_at,
                 w.mail_failed_at
             FROM waiting_grants w WHERE w.book_id = $1 AND w.entry IS NULL AND w.expires_at > $2 AND ";

#[derive(sqlx_macros::FromRow)]
struct WaitingRow {
    id: WaitingGrantId,
    import_id: ImportId,
    email: Email,
    amount: Parsed<Normalized>,
    reason: String,
    by_id: UserId,
    created_at: Moment,
    expires_at: Moment,
    mail_failed_at: Option<Moment>,
}

impl From<WaitingRow> for WaitingGrant {
    fn from(row: WaitingRow) -> Self {
        Self {
            id: row.id,
            import_id: row.import_id,
            email: row.email,
            amount: row.amount.0,
            reason: row.reason,
            by: row.by_id,
            created_at: row.created_at,
            expires_at: row.expires_at,
            mail_failed_at: row.mail_failed_at,
        }
    }
}

/// Grants that wait after this one, oldest first.
pub async fn list(
    conn: &mut Connection,
    book_id: BookId,
    after: Option<WaitingGrantId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<WaitingGrant>, DbError> {
    let found: Vec<WaitingRow> =
        query(concatcp!(SELECT_WAITING, "($3 IS NULL OR w.id > $3) ORDER BY w.id LIMIT $4"))
            .bind(book_id)
            .bind(now)
            .bind(after)
            .bind(limit)
            .fetch_all(conn)
            .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// The grants of a book that wait for an e-mail.
pub async fn of_email(
    conn: &mut Connection,
    book_id: BookId,
    email: &Email,
    now: Moment,
) -> Result<Vec<WaitingGrant>, DbError> {
    let found: Vec<WaitingRow> = query(concatcp!(SELECT_WAITING, "w.email_folded = $3 ORDER BY w.id"))
        .bind(book_id)
        .bind(now)
        .bind(email.folded())
        .fetch_all(conn)
        .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// The grants that an import has left waiting.
pub async fn of_import(
    conn: &mut Connection,
    book_id: BookId,
    import_id: ImportId,
    now: Moment,
) -> Result<Vec<WaitingGrant>, DbError> {
    let found: Vec<WaitingRow> = query(concatcp!(SELECT_WAITING, "w.import_id = $3 ORDER BY w.id"))
        .bind(book_id)
        .bind(now)
        .bind(import_id)
        .fetch_all(conn)
        .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// Records that a grant was written as this entry. The e-mail is not kept.
pub async fn set_written(conn: &mut Transaction, id: WaitingGrantId, entry: i64) -> Result<(), DbError> {
    query("UPDATE waiting_grants SET entry = $2, email = NULL, email_folded = NULL WHERE id = $1")
        .bind(id)
        .bind(entry)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn insert(conn: &mut Transaction, book_id: BookId, grants: &[WaitingGrant]) -> Result<(), DbError> {
    let row = |grant: &WaitingGrant| {
        columns! {
            id: grant.id,
            book_id: book_id,
            import_id: grant.import_id,
            email: grant.email.as_typed(),
            email_folded: grant.email.folded(),
            amount: grant.amount.to_string(),
            reason: grant.reason.as_str(),
            by_id: grant.by,
            created_at: grant.created_at,
            expires_at: grant.expires_at,
        }
    };
    insert_all(conn, "waiting_grants", grants.iter().map(row)).await
}

/// Number of grants of a book that wait.
pub async fn count(conn: &mut Connection, book_id: BookId, now: Moment) -> Result<i64, DbError> {
    query_scalar(
        "SELECT COUNT(*) FROM waiting_grants WHERE book_id = $1 AND entry IS NULL AND expires_at > $2",
    )
    .bind(book_id)
    .bind(now)
    .fetch_one(conn)
    .await
}

/// Whether a grant of the book has waited for this e-mail since then, and its mail did not fail.
pub async fn is_mailed(
    conn: &mut Connection,
    book_id: BookId,
    email: &Email,
    since: Moment,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM waiting_grants
             WHERE book_id = $1 AND email_folded = $2 AND created_at > $3 AND mail_failed_at IS NULL)",
    )
    .bind(book_id)
    .bind(email.folded())
    .bind(since)
    .fetch_one(conn)
    .await
}

/// Keeps for all grants to the same e-mail that the mail of one of them can't be sent.
pub async fn fail_mail(conn: &mut Transaction, id: WaitingGrantId, now: Moment) -> Result<(), DbError> {
    query(
        "UPDATE waiting_grants SET mail_failed_at = $2
         WHERE (book_id, email_folded) IN (SELECT w.book_id, w.email_folded FROM waiting_grants w WHERE w.id = $1)",
    )
    .bind(id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// False if no such grant waits.
pub async fn delete(conn: &mut Transaction, book_id: BookId, id: WaitingGrantId) -> Result<bool, DbError> {
    let sql = "DELETE FROM waiting_grants WHERE book_id = $1 AND id = $2 AND entry IS NULL";
    Ok(query(sql).bind(book_id).bind(id).execute(conn).await? > 0)
}

/// Deletes the grants that an import has left waiting. Returns the entries of those that were written.
pub async fn take_back(conn: &mut Transaction, import_id: ImportId) -> Result<Vec<i64>, DbError> {
    let sql = "DELETE FROM waiting_grants WHERE import_id = $1 AND entry IS NULL";
    query(sql).bind(import_id).execute(&mut *conn).await?;
    query_scalar("SELECT entry FROM waiting_grants WHERE import_id = $1 ORDER BY entry")
        .bind(import_id)
        .fetch_all(conn)
        .await
}

/// Deletes what waits for an e-mail, whose account is deleted.
pub async fn delete_of_email(conn: &mut Transaction, email: &Email) -> Result<(), DbError> {
    query("DELETE FROM waiting_grants WHERE email_folded = $1").bind(email.folded()).execute(conn).await?;
    Ok(())
}

/// Deletes grants for which nobody came.
pub async fn delete_expired(conn: &mut Transaction, now: Moment) -> Result<(), DbError> {
    let sql = "DELETE FROM waiting_grants WHERE entry IS NULL AND expires_at <= $1";
    query(sql).bind(now).execute(conn).await?;
    Ok(())
}

/// Whether there is a grant for which nobody came.
pub async fn has_expired(conn: &mut Connection, now: Moment) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM waiting_grants WHERE entry IS NULL AND expires_at <= $1)";
    query_scalar(sql).bind(now).fetch_one(conn).await
}

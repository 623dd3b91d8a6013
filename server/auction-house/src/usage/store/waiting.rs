//! Grants that wait for people, with the users and the books.

use crate::ids::{BookId, UserId, WaitingGrantId};
use platform::db::{Connection, DbError, query};
use platform::email::Email;
use platform::time::Moment;
use platform::token::LinkToken;

/// What the mail to an e-mail for which a grant waits names.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct WaitingMail {
    pub email: Email,
    pub book_name: String,
    pub link_token: LinkToken,
}

/// Holders for whom grants wait, each with the open book; with `user`, this one alone. At most `limit`.
pub async fn holders_waited_for(
    conn: &mut Connection,
    user: Option<UserId>,
    sends_mail: bool,
    now: Moment,
    limit: i64,
) -> Result<Vec<(BookId, UserId)>, DbError> {
    query(
        "SELECT DISTINCT w.book_id, u.id
         FROM waiting_grants w JOIN users u ON u.email_folded = w.email_folded
         JOIN book_holders h ON h.book_id = w.book_id AND h.user_id = u.id AND h.left_at IS NULL
         JOIN books b ON b.id = w.book_id AND b.closed_at IS NULL
         WHERE w.entry IS NULL AND w.expires_at > $1 AND (u.email_verified_at IS NOT NULL OR NOT $2)
           AND ($3 IS NULL OR u.id = $3)
         LIMIT $4",
    )
    .bind(now)
    .bind(sends_mail)
    .bind(user)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// What the mail for a grant names. None if the grant waits no longer, or the book is closed.
pub async fn waiting_mail(
    conn: &mut Connection,
    id: WaitingGrantId,
    now: Moment,
) -> Result<Option<WaitingMail>, DbError> {
    query(
        "SELECT w.email, b.name AS book_name, b.link_token FROM waiting_grants w JOIN books b ON b.id = w.book_id
         WHERE w.id = $1 AND w.entry IS NULL AND w.expires_at > $2 AND b.closed_at IS NULL",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(conn)
    .await
}

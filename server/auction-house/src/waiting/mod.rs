//! Grants of imports to e-mails that no holder has. Each waits until the user with the e-mail becomes a
//! holder by an own act, which is the consent, and is written then (`books::waiting`).

pub mod store;

use rules_engine::money::Normalized;

use crate::ids::{BookId, ImportId, UserId, WaitingGrantId};
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::time::Moment;

/// Grants of one book that wait, at most.
pub const WAITING_MAX: i64 = 1_000;
/// How long a grant waits.
pub const LIFETIME_SECONDS: i64 = 30 * 24 * 3600;
/// How long an e-mail that was mailed the link of a book gets no further mail with it.
const MAILED_SECONDS: i64 = 24 * 3600;

/// A grant that waits for the user with an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingGrant {
    pub id: WaitingGrantId,
    pub import_id: ImportId,
    pub email: Email,
    pub amount: Normalized,
    pub reason: String,
    /// The keeper who grants.
    pub by: UserId,
    pub created_at: Moment,
    pub expires_at: Moment,
    /// When the attempts to mail the link of the book ended without success.
    pub mail_failed_at: Option<Moment>,
}

/// Whether the link of the book was mailed to this e-mail within a day.
pub async fn is_mailed(
    conn: &mut Connection,
    book_id: BookId,
    email: &Email,
    now: Moment,
) -> Result<bool, DbError> {
    store::is_mailed(conn, book_id, email, now.plus_seconds(-MAILED_SECONDS)).await
}

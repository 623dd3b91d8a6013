//! Grants of imports to e-mails that no holder has. Each waits until the user with the e-mail becomes a
//! holder by an own act, which is the consent, and is written then (`books::waiting`).

pub mod store;

use rules_engine::money::Normalized;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

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

/// A grant that waits for the user with an e-mail, as responses contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(description = "A grant that waits for the user with an e-mail.")]
pub struct WaitingGrant {
    #[schema(value_type = String, format = "uuid")]
    pub id: WaitingGrantId,
    #[serde(skip)]
    pub import_id: ImportId,
    #[serde(serialize_with = "as_typed")]
    #[schema(value_type = String)]
    pub email: Email,
    /// A decimal in base units.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub reason: String,
    /// The keeper who grants.
    #[serde(skip)]
    pub by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    /// It waits until then.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Moment,
    /// When the attempts to mail the link of the book ended without success. Absent while they have not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = false)]
    pub mail_failed_at: Option<Moment>,
}

fn as_typed<S: Serializer>(email: &Email, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(email.as_typed())
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

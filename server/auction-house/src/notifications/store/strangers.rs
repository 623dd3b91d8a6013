//! Addresses without a confirmed account to which invites were mailed, in SQL.

use platform::db::{Connection, DbError, Transaction, query};
use platform::email::Email;
use platform::time::Moment;
use platform::token::Token;

/// An address to which an invite was mailed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Stranger {
    /// The e-mail, folded.
    pub email_folded: String,
    /// The secret in the link that ends further invitations.
    pub token: String,
    /// Since then no invitation is mailed.
    pub refused_at: Option<Moment>,
}

/// The address, whose secret is `new` if there was none.
pub async fn known(conn: &mut Transaction, email: &Email, new: &Token) -> Result<Stranger, DbError> {
    let known = query(
        "INSERT INTO invited_addresses (email_folded, token) VALUES ($1, $2)
         ON CONFLICT (email_folded) DO UPDATE SET token = invited_addresses.token
         RETURNING email_folded, token, refused_at",
    )
    .bind(email.folded())
    .bind(new.as_str())
    .fetch_optional(conn)
    .await?;
    known.ok_or_else(|| DbError::Corrupt("an invited address that is not stored".to_owned()))
}

/// The address to which a secret belongs.
pub async fn by_token(conn: &mut Connection, token: &str) -> Result<Option<Stranger>, DbError> {
    query("SELECT email_folded, token, refused_at FROM invited_addresses WHERE token = $1")
        .bind(token)
        .fetch_optional(conn)
        .await
}

/// Ends invitations to the address.
pub async fn refuse(conn: &mut Transaction, token: &str, now: Moment) -> Result<(), DbError> {
    let sql = "UPDATE invited_addresses SET refused_at = COALESCE(refused_at, $2) WHERE token = $1";
    query(sql).bind(token).bind(now).execute(conn).await?;
    Ok(())
}

//! SQL on links with which a user confirms an e-mail.

use super::EmailLink;
use crate::ids::UserId;
use platform::db::{Connection, DbError, Transaction, query};
use platform::time::Moment;
use platform::token::TokenHash;

/// Stores a link in place of an earlier one of the user.
pub async fn replace(
    db: &mut Transaction,
    link: &EmailLink,
    token: &TokenHash,
    expires_at: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO email_links (user_id, email_folded, token_hash, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id) DO UPDATE SET email_folded = excluded.email_folded,
             token_hash = excluded.token_hash, expires_at = excluded.expires_at",
    )
    .bind(link.user_id)
    .bind(&link.email_folded)
    .bind(token.to_string())
    .bind(expires_at)
    .execute(db)
    .await?;
    Ok(())
}

/// The link of this token.
pub async fn find(db: &mut Connection, token: &TokenHash, now: Moment) -> Result<Option<EmailLink>, DbError> {
    query("SELECT user_id, email_folded FROM email_links WHERE token_hash = $1 AND expires_at > $2")
        .bind(token.to_string())
        .bind(now)
        .fetch_optional(db)
        .await
}

/// Deletes the user's link, if there is one.
pub async fn delete(db: &mut Transaction, user: UserId) -> Result<(), DbError> {
    query("DELETE FROM email_links WHERE user_id = $1").bind(user).execute(db).await?;
    Ok(())
}

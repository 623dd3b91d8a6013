//! SQL on links with which a user sets a new password.

use crate::ids::UserId;
use crate::user::User;
use crate::user::store::{USER_COLUMNS, UserRow};
use platform::db::{Connection, DbError, Transaction, concatcp, query, query_scalar};
use platform::time::Moment;
use platform::token::TokenHash;

/// Stores a link in place of an earlier one of the user, with the folded e-mail to which it is mailed.
pub async fn replace(
    db: &mut Transaction,
    (user, mailed_to): (UserId, Option<&str>),
    token: &TokenHash,
    expires_at: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO reset_links (user_id, token_hash, expires_at, mailed_to) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id) DO UPDATE
         SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, mailed_to = excluded.mailed_to",
    )
    .bind(user)
    .bind(token.to_string())
    .bind(expires_at)
    .bind(mailed_to)
    .execute(db)
    .await?;
    Ok(())
}

/// The user of a link that was not used and has not expired.
pub async fn user(db: &mut Connection, token: &TokenHash, now: Moment) -> Result<Option<User>, DbError> {
    let row: Option<UserRow> = query(concatcp!(
        "SELECT ",
        USER_COLUMNS,
        " FROM reset_links r JOIN users u ON u.id = r.user_id WHERE r.token_hash = $1 AND r.expires_at > $2"
    ))
    .bind(token.to_string())
    .bind(now)
    .fetch_optional(db)
    .await?;
    row.map(UserRow::into_user).transpose()
}

/// The folded e-mail to which the user's link was mailed.
pub async fn mailed_to(db: &mut Connection, user: UserId) -> Result<Option<String>, DbError> {
    let found: Option<Option<String>> = query_scalar("SELECT mailed_to FROM reset_links WHERE user_id = $1")
        .bind(user)
        .fetch_optional(db)
        .await?;
    Ok(found.flatten())
}

/// Deletes the user's link, if there is one.
pub async fn delete(db: &mut Transaction, user: UserId) -> Result<(), DbError> {
    query("DELETE FROM reset_links WHERE user_id = $1").bind(user).execute(db).await?;
    Ok(())
}

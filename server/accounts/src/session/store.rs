//! SQL on sessions.

use std::collections::HashMap;

use super::{NewSession, Session, SessionTimes, SignedIn};
use crate::ids::{SessionId, UserId};
use crate::user::store::{USER_COLUMNS, UserRow, set_last_sign_in};
use crate::user_agent::UserAgent;
use platform::db::{
    Connection, DbError, Transaction, concatcp, for_each_row, insert as insert_row, query, query_scalar, rows,
};
use platform::time::Moment;
use platform::token::TokenHash;

/// A session with its user.
#[derive(sqlx_macros::FromRow)]
struct SignedInRow {
    #[sqlx(flatten)]
    user: UserRow,
    session_id: SessionId,
    signed_in_at: Moment,
    last_used_at: Moment,
    expires_at: Moment,
}

/// A session that lasts, with its user.
pub async fn find(
    db: &mut Connection,
    token: &TokenHash,
    now: Moment,
) -> Result<Option<(SignedIn, SessionTimes)>, DbError> {
    let row: Option<SignedInRow> = query(concatcp!(
        "SELECT ",
        USER_COLUMNS,
        ", s.id AS session_id, s.created_at AS signed_in_at, s.last_used_at, s.expires_at
         FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > $2"
    ))
    .bind(token.to_string())
    .bind(now)
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let SignedInRow { user, session_id, signed_in_at, last_used_at, expires_at } = row;
        let times = SessionTimes { created_at: signed_in_at, last_used_at, expires_at };
        Ok((SignedIn { session: session_id, user: user.into_user()? }, times))
    })
    .transpose()
}

/// The sessions of a user that last, at most `limit`, the last used first.
pub async fn of_user(
    db: &mut Connection,
    user: UserId,
    now: Moment,
    limit: i64,
) -> Result<Vec<Session>, DbError> {
    query(
        "SELECT id, created_at, last_used_at, address, user_agent FROM sessions
         WHERE user_id = $1 AND expires_at > $2 ORDER BY last_used_at DESC, id DESC LIMIT $3",
    )
    .bind(user)
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// The token of a session of this user that lasts.
pub async fn token(
    db: &mut Connection,
    user: UserId,
    id: SessionId,
    now: Moment,
) -> Result<Option<TokenHash>, DbError> {
    let sql = "SELECT token_hash FROM sessions WHERE id = $1 AND user_id = $2 AND expires_at > $3";
    query_scalar(sql).bind(id).bind(user).bind(now).fetch_optional(db).await
}

/// The sessions of `wanted` that last, as rows hold them, with their ends.
pub async fn living(
    db: &mut Connection,
    wanted: &[&TokenHash],
    now: Moment,
) -> Result<HashMap<String, Moment>, DbError> {
    let found: Vec<(String, Moment)> = query(for_each_row!(
        "SELECT s.token_hash, s.expires_at FROM",
        [token_hash text],
        "JOIN sessions s ON s.token_hash = given.token_hash WHERE s.expires_at > $2"
    ))
    .bind(rows(wanted.iter().map(|hash| [hash.to_string()]))?)
    .bind(now)
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().collect())
}

/// Inserts a session and the time of the sign-in.
pub async fn insert(db: &mut Transaction, new: NewSession<'_>) -> Result<(), DbError> {
    let NewSession { id, user, token, times, address, user_agent } = new;
    set_last_sign_in(db, user, times.created_at).await?;
    let row = platform::db::columns! {
        token_hash: token.to_string(),
        id: id,
        user_id: user,
        created_at: times.created_at,
        last_used_at: times.last_used_at,
        expires_at: times.expires_at,
        address: address.to_string(),
        user_agent: user_agent.map(UserAgent::as_str),
    };
    insert_row(db, "sessions", row).await
}

/// Records a use of a session, which moves its end.
pub async fn touch(
    db: &mut Transaction,
    token: &TokenHash,
    now: Moment,
    expires_at: Moment,
) -> Result<(), DbError> {
    query("UPDATE sessions SET last_used_at = $2, expires_at = $3 WHERE token_hash = $1")
        .bind(token.to_string())
        .bind(now)
        .bind(expires_at)
        .execute(db)
        .await?;
    Ok(())
}

/// The sessions of a user that last, with their recorded uses.
pub async fn uses(
    db: &mut Connection,
    user: UserId,
    now: Moment,
) -> Result<Vec<(TokenHash, Moment)>, DbError> {
    let sql = "SELECT token_hash, last_used_at FROM sessions WHERE user_id = $1 AND expires_at > $2";
    query(sql).bind(user).bind(now).fetch_all(db).await
}

/// Records a use of a session, which does not move its end.
pub async fn set_last_used(db: &mut Transaction, token: &TokenHash, at: Moment) -> Result<(), DbError> {
    let sql = "UPDATE sessions SET last_used_at = $2 WHERE token_hash = $1";
    query(sql).bind(token.to_string()).bind(at).execute(db).await?;
    Ok(())
}

pub async fn delete(db: &mut Transaction, token: &TokenHash) -> Result<(), DbError> {
    query("DELETE FROM sessions WHERE token_hash = $1").bind(token.to_string()).execute(db).await?;
    Ok(())
}

/// Deletes the user's expired sessions, and of the others all but the `kept` most recently used. Whether
/// there were any.
pub async fn delete_old(db: &mut Transaction, user: UserId, now: Moment, kept: i64) -> Result<bool, DbError> {
    let deleted = query(
        "DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= $2 OR id NOT IN
            (SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_used_at DESC, id DESC LIMIT $3))",
    )
    .bind(user)
    .bind(now)
    .bind(kept)
    .execute(db)
    .await?;
    Ok(deleted > 0)
}

/// All sessions of these users.
pub async fn delete_all_of(db: &mut Transaction, users: &[UserId]) -> Result<(), DbError> {
    query(for_each_row!(
        "DELETE FROM sessions WHERE user_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes all sessions of a user but `kept`.
pub async fn delete_others(
    db: &mut Transaction,
    user: UserId,
    kept: Option<&TokenHash>,
) -> Result<(), DbError> {
    query("DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2")
        .bind(user)
        .bind(kept.map_or_else(String::new, ToString::to_string))
        .execute(db)
        .await?;
    Ok(())
}

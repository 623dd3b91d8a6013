//! SQL on second factors and recovery codes.

use super::secret::Secret;
use super::{RecoveryCode, SecondFactor};
use crate::ids::UserId;
use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;
use platform::token::TokenHash;

/// The second factor of a user, or the secret that is to become one.
pub async fn of(db: &mut Connection, user: UserId) -> Result<Option<SecondFactor>, DbError> {
    let sql = "SELECT secret, confirmed_at, last_step FROM second_factors WHERE user_id = $1";
    let row: Option<(String, Option<Moment>, Option<i64>)> = query(sql).bind(user).fetch_optional(db).await?;
    row.map(|(secret, confirmed_at, last_step)| {
        let secret = secret.parse().map_err(|_| DbError::Corrupt("a second factor".to_owned()))?;
        Ok(SecondFactor { secret, is_on: confirmed_at.is_some(), last_step })
    })
    .transpose()
}

pub async fn is_on(db: &mut Connection, user: UserId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM second_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL)";
    query_scalar(sql).bind(user).fetch_one(db).await
}

/// Stores a secret that is to be confirmed; `false` if another is in force.
pub async fn begin(db: &mut Transaction, user: UserId, secret: &Secret) -> Result<bool, DbError> {
    let changed = query(
        "INSERT INTO second_factors (user_id, secret) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret
         WHERE second_factors.confirmed_at IS NULL",
    )
    .bind(user)
    .bind(secret.to_base32())
    .execute(db)
    .await?;
    Ok(changed == 1)
}

/// The secret is in force from now on. `step` is that of the code that was confirmed.
pub async fn turn_on(db: &mut Transaction, user: UserId, step: i64, now: Moment) -> Result<(), DbError> {
    let sql = "UPDATE second_factors SET confirmed_at = $2, last_step = $3 WHERE user_id = $1";
    query(sql).bind(user).bind(now).bind(step).execute(db).await?;
    Ok(())
}

pub async fn set_last_step(db: &mut Transaction, user: UserId, step: i64) -> Result<(), DbError> {
    let sql = "UPDATE second_factors SET last_step = $2 WHERE user_id = $1";
    query(sql).bind(user).bind(step).execute(db).await?;
    Ok(())
}

/// Stores recovery codes in place of the earlier ones.
pub async fn replace_recovery_codes(
    db: &mut Transaction,
    user: UserId,
    codes: &[RecoveryCode],
) -> Result<(), DbError> {
    query("DELETE FROM recovery_codes WHERE user_id = $1").bind(user).execute(db).await?;
    for code in codes {
        let sql = "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)";
        query(sql).bind(user).bind(code.hash().to_string()).execute(db).await?;
    }
    Ok(())
}

/// Deletes a recovery code; `false` if there is none with this hash.
pub async fn use_recovery_code(
    db: &mut Transaction,
    user: UserId,
    hash: &TokenHash,
) -> Result<bool, DbError> {
    let sql = "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2";
    Ok(query(sql).bind(user).bind(hash.to_string()).execute(db).await? == 1)
}

/// The recovery codes that were not used.
pub async fn count_recovery_codes(db: &mut Connection, user: UserId) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1").bind(user).fetch_one(db).await
}

/// Deletes the second factor and its recovery codes.
pub async fn delete(db: &mut Transaction, user: UserId) -> Result<(), DbError> {
    query("DELETE FROM recovery_codes WHERE user_id = $1").bind(user).execute(db).await?;
    query("DELETE FROM second_factors WHERE user_id = $1").bind(user).execute(db).await?;
    Ok(())
}

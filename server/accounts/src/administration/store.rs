//! SQL on the Deployment Admin, whose account is named in the row of the installation's settings.

use super::claim_code::ClaimCode;
use crate::ids::UserId;
use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;

pub async fn admin_id(db: &mut Connection) -> Result<Option<UserId>, DbError> {
    let sql = "SELECT deployment_admin_id FROM system_settings WHERE id = 'system'";
    Ok(query_scalar(sql).fetch_optional::<Option<UserId>>(db).await?.flatten())
}

/// Whether the Deployment Admin needs a second factor.
pub async fn needs_second_factor(db: &mut Connection) -> Result<bool, DbError> {
    let sql = "SELECT admin_second_factor FROM system_settings WHERE id = 'system'";
    Ok(query_scalar(sql).fetch_optional(db).await?.unwrap_or(false))
}

/// The one-time code with which the role can be claimed, while there is no Deployment Admin.
pub async fn claim_code(db: &mut Connection) -> Result<Option<ClaimCode>, DbError> {
    let sql = "SELECT claim_code FROM system_settings WHERE id = 'system' AND deployment_admin_id IS NULL";
    let code = query_scalar(sql).fetch_optional::<Option<String>>(db).await?;
    Ok(code.flatten().map(ClaimCode::stored))
}

/// Stores the code unless there is one, or a Deployment Admin.
pub(super) async fn add_claim_code(
    db: &mut Transaction,
    code: &ClaimCode,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO system_settings (id, auto_check_updates, claim_code, created_at, updated_at)
         VALUES ('system', TRUE, $1, $2, $2)
         ON CONFLICT (id) DO UPDATE SET claim_code = excluded.claim_code
         WHERE system_settings.claim_code IS NULL AND system_settings.deployment_admin_id IS NULL",
    )
    .bind(code.as_str())
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Makes the user the Deployment Admin if there is none; `false` if there is one. The statement decides for
/// all servers.
pub async fn claim(db: &mut Transaction, user: UserId, now: Moment) -> Result<bool, DbError> {
    let changed = query(
        "INSERT INTO system_settings (id, deployment_admin_id, auto_check_updates, created_at, updated_at)
         VALUES ('system', $1, TRUE, $2, $2)
         ON CONFLICT (id) DO UPDATE
         SET deployment_admin_id = excluded.deployment_admin_id, claim_code = NULL,
             updated_at = excluded.updated_at
         WHERE system_settings.deployment_admin_id IS NULL",
    )
    .bind(user)
    .bind(now)
    .execute(db)
    .await?;
    Ok(changed == 1)
}

/// Makes the user the Deployment Admin, also in place of another.
pub async fn appoint(db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError> {
    query(
        "INSERT INTO system_settings (id, deployment_admin_id, auto_check_updates, created_at, updated_at)
         VALUES ('system', $1, TRUE, $2, $2)
         ON CONFLICT (id) DO UPDATE
         SET deployment_admin_id = excluded.deployment_admin_id, claim_code = NULL,
             updated_at = excluded.updated_at",
    )
    .bind(user)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// To be called when a user changes their e-mail: the settings show that of the Deployment Admin.
pub async fn email_changed(db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError> {
    query("UPDATE system_settings SET updated_at = $2 WHERE id = 'system' AND deployment_admin_id = $1")
        .bind(user)
        .bind(now)
        .execute(db)
        .await?;
    Ok(())
}

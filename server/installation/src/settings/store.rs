//! SQL on the settings of the installation.

use super::SystemSettings;
use crate::ids::UserId;
use accounts::user::store::user_by_id;
use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;

/// The settings, or the defaults if none are stored.
pub async fn settings(db: &mut Connection) -> Result<SystemSettings, DbError> {
    let sql = "SELECT deployment_admin_id, auto_check_updates, admin_second_factor FROM system_settings
         WHERE id = 'system'";
    let row: Option<(Option<UserId>, bool, bool)> = query(sql).fetch_optional(db).await?;
    let (admin, auto_check_updates, admin_second_factor) = row.unwrap_or((None, true, false));
    let admin = match admin {
        Some(id) => user_by_id(db, id).await?,
        None => None,
    };
    Ok(SystemSettings { admin, auto_check_updates, admin_second_factor })
}

/// Whether the server checks for new releases in the background.
pub async fn auto_check_updates(db: &mut Connection) -> Result<bool, DbError> {
    let sql = "SELECT auto_check_updates FROM system_settings WHERE id = 'system'";
    Ok(query_scalar(sql).fetch_optional(db).await?.unwrap_or(true))
}

/// Sets all settings; `false` if `admin` is no longer the Deployment Admin.
pub async fn update(
    db: &mut Transaction,
    admin: UserId,
    next: UserId,
    auto_check_updates: bool,
    admin_second_factor: bool,
    now: Moment,
) -> Result<bool, DbError> {
    let changed = query(
        "UPDATE system_settings SET deployment_admin_id = $2, auto_check_updates = $3, admin_second_factor = $4,
             updated_at = $5
         WHERE id = 'system' AND deployment_admin_id = $1",
    )
    .bind(admin)
    .bind(next)
    .bind(auto_check_updates)
    .bind(admin_second_factor)
    .bind(now)
    .execute(db)
    .await?;
    Ok(changed == 1)
}

//! Changes of the settings. Without a Deployment Admin, any user may claim the role. All other changes are reserved to
//! the Deployment Admin.

use super::{SystemSettings, store};
use crate::Installation;
use crate::audit::{self, AuditAction};
use crate::ids::UserId;
use platform::db::DbError;
use platform::email::Email;
use platform::fields::{FieldError, Fields, Object};

const ADMIN: &str = "deploymentAdminEmail";
const AUTO_CHECK: &str = "autoCheckUpdates";

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("another user is the Deployment Admin")]
    Taken,
    #[error("only the Deployment Admin may change this")]
    NotAdmin,
    #[error("{} members are invalid", .0.len())]
    Invalid(Vec<FieldError>),
    #[error("the administration is claimed for another user")]
    ClaimForSelfOnly,
    #[error("there is no account with this e-mail, or it is disabled")]
    NotRegistered,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Requested changes; absent fields are unchanged.
struct Changes {
    admin: Option<Email>,
    auto_check: Option<bool>,
}

/// Applies `patch`. Permission is checked before the content. `None` stands for a body that can't be read: then only
/// permission is checked.
pub async fn change_settings(
    installation: &Installation,
    user: UserId,
    patch: Option<Object>,
) -> Result<SystemSettings, SettingsError> {
    let mut db = installation.db.write().await?;
    let current = store::settings(&mut db, &*installation.accounts).await?;
    may_change(&current, user, patch.as_ref())?;
    let changes = read(patch.unwrap_or_default()).map_err(SettingsError::Invalid)?;
    let now = installation.clock.now();
    if current.admin.is_none() {
        let Some(email) = changes.admin else { return Ok(current) };
        if installation.accounts.lock_by_email(&mut db, &email).await?.map(|found| found.id) != Some(user) {
            return Err(SettingsError::ClaimForSelfOnly);
        }
        if !store::claim(&mut db, user, now).await? {
            return Err(SettingsError::Taken);
        }
        audit::record(&mut db, now, Some(user), &AuditAction::Claimed).await?;
    } else {
        let next = match changes.admin {
            Some(email) => {
                installation
                    .accounts
                    .lock_by_email(&mut db, &email)
                    .await?
                    .ok_or(SettingsError::NotRegistered)?
                    .id
            }
            None => user,
        };
        let auto_check = changes.auto_check.unwrap_or(current.auto_check_updates);
        if (next, auto_check) == (user, current.auto_check_updates) {
            return Ok(current);
        }
        if !store::update(&mut db, user, next, auto_check, now).await? {
            return Err(SettingsError::Taken);
        }
        if auto_check != current.auto_check_updates {
            let act = if auto_check { AuditAction::AutoCheckOn } else { AuditAction::AutoCheckOff };
            audit::record(&mut db, now, Some(user), &act).await?;
        }
        if next != user {
            audit::record(&mut db, now, Some(user), &AuditAction::Transferred(next)).await?;
        }
    }
    let changed = store::settings(&mut db, &*installation.accounts).await?;
    db.commit().await?;
    (installation.admin_changed)();
    installation.check_due.notify_one();
    Ok(changed)
}

/// With both fields, the stricter check applies.
fn may_change(current: &SystemSettings, user: UserId, patch: Option<&Object>) -> Result<(), SettingsError> {
    let names = |member: &str| patch.is_some_and(|patch| patch.names(member));
    match &current.admin {
        Some(admin) if admin.id == user => Ok(()),
        Some(_) if names(ADMIN) => Err(SettingsError::Taken),
        Some(_) => Err(SettingsError::NotAdmin),
        None if names(AUTO_CHECK) => Err(SettingsError::NotAdmin),
        None => Ok(()),
    }
}

/// Reads a patch. Null is refused for both fields.
fn read(patch: Object) -> Result<Changes, Vec<FieldError>> {
    let (names_admin, names_auto_check) = (patch.names(ADMIN), patch.names(AUTO_CHECK));
    let mut fields = Fields::of(patch);
    let admin: Option<String> = if names_admin { fields.required(ADMIN) } else { None };
    let admin = admin.and_then(|admin| fields.parse(ADMIN, &admin));
    let auto_check = if names_auto_check { fields.required(AUTO_CHECK) } else { None };
    fields.finish()?;
    Ok(Changes { admin, auto_check })
}

//! Changed settings: the administration is claimed while nobody has it, and handed on by who has it; everything else
//! is the Deployment Admin's.

use super::{SystemSettings, store};
use crate::Installation;
use crate::audit::{self, Act};
use crate::ids::UserId;
use platform::db::DbError;
use platform::email::Email;
use platform::fields::{FieldError, Fields, Object};

const ADMIN: &str = "deploymentAdminEmail";
const AUTO_CHECK: &str = "autoCheckUpdates";

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// And so nobody else takes the administration.
    #[error("another user is the Deployment Admin")]
    Taken,
    #[error("only the Deployment Admin may")]
    NotAdmin,
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<FieldError>),
    #[error("the administration is claimed for somebody else")]
    ClaimForSelfOnly,
    #[error("nobody has an account with this e-mail")]
    NotRegistered,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// What is asked for; what is absent stays.
struct Wish {
    admin: Option<Email>,
    auto_check: Option<bool>,
}

/// Lays `patch` on the settings, for a user who is told first whether they may. Without a patch, which is one that
/// can't be read, that is all.
pub async fn change_settings(
    installation: &Installation,
    user: UserId,
    patch: Option<Object>,
) -> Result<SystemSettings, SettingsError> {
    let mut db = installation.db.write().await?;
    let set = store::settings(&mut db, &*installation.accounts).await?;
    may_change(&set, user, patch.as_ref())?;
    let wish = read(patch.unwrap_or_default()).map_err(SettingsError::Invalid)?;
    let now = installation.clock.now();
    if set.admin.is_none() {
        let Some(email) = wish.admin else { return Ok(set) };
        if installation.accounts.lock_by_email(&mut db, &email).await?.map(|found| found.id) != Some(user) {
            return Err(SettingsError::ClaimForSelfOnly);
        }
        if !store::claim(&mut db, user, now).await? {
            return Err(SettingsError::Taken);
        }
        audit::record(&mut db, now, Some(user), &Act::Claimed).await?;
    } else {
        let next = match wish.admin {
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
        let auto_check = wish.auto_check.unwrap_or(set.auto_check_updates);
        if (next, auto_check) == (user, set.auto_check_updates) {
            return Ok(set);
        }
        if !store::update(&mut db, user, next, auto_check, now).await? {
            return Err(SettingsError::Taken);
        }
        if auto_check != set.auto_check_updates {
            let act = if auto_check { Act::AutoCheckOn } else { Act::AutoCheckOff };
            audit::record(&mut db, now, Some(user), &act).await?;
        }
        if next != user {
            audit::record(&mut db, now, Some(user), &Act::Transferred(next)).await?;
        }
    }
    let set = store::settings(&mut db, &*installation.accounts).await?;
    db.commit().await?;
    (installation.admin_changed)();
    installation.check_due.notify_one();
    Ok(set)
}

/// The stricter check of the fields that are named goes for both.
fn may_change(set: &SystemSettings, user: UserId, patch: Option<&Object>) -> Result<(), SettingsError> {
    let names = |member: &str| patch.is_some_and(|patch| patch.names(member));
    match &set.admin {
        Some(admin) if admin.id == user => Ok(()),
        Some(_) if names(ADMIN) => Err(SettingsError::Taken),
        Some(_) => Err(SettingsError::NotAdmin),
        None if names(AUTO_CHECK) => Err(SettingsError::NotAdmin),
        None => Ok(()),
    }
}

/// What a patch asks for: null takes nothing away here.
fn read(patch: Object) -> Result<Wish, Vec<FieldError>> {
    let (names_admin, names_auto_check) = (patch.names(ADMIN), patch.names(AUTO_CHECK));
    let mut fields = Fields::of(patch);
    let admin: Option<String> = if names_admin { fields.required(ADMIN) } else { None };
    let admin = admin.and_then(|admin| fields.parse(ADMIN, &admin));
    let auto_check = if names_auto_check { fields.required(AUTO_CHECK) } else { None };
    fields.finish()?;
    Ok(Wish { admin, auto_check })
}

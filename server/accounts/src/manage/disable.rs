//! Disables an account, or enables it again.

use super::SystemUser;
use super::store;
use crate::administration::is_admin;
use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::reset_links::store as reset_links;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use crate::user::store as users;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an account is not disabled.
    pub enum DisableRefusal {
        DeploymentAdmin => codes::DEPLOYMENT_ADMIN, "The Deployment Admin's account can't be disabled: the role must be transferred first.";
    }
}

/// Disabling an account ends its sessions and its link to set a new password. Without an actor, the owner of
/// the machine acts from a shell.
pub async fn set_disabled(
    accounts: &Accounts,
    actor: Option<UserId>,
    id: UserId,
    is_disabled: bool,
) -> Result<SystemUser, VerbError<DisableRefusal>> {
    let mut db = write_as(&accounts.db, id).await?;
    let Some(found) = store::by_id(&mut db, id).await? else { return Err(VerbError::NotFound) };
    if found.is_disabled == is_disabled {
        return Ok(found);
    }
    if is_disabled && is_admin(&mut db, id).await? {
        return Err(DisableRefusal::DeploymentAdmin.into());
    }
    let now = accounts.clock.now();
    users::set_disabled(&mut db, id, is_disabled.then_some(now)).await?;
    if is_disabled {
        sessions::delete_others(&mut db, id, None).await?;
        reset_links::delete(&mut db, id).await?;
    }
    let action = if is_disabled { AuditAction::AccountDisabled(id) } else { AuditAction::AccountEnabled(id) };
    audit::record(&mut db, now, actor, &action).await?;
    signal::send(&mut db, &Signal::User(id)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(id));
    Ok(SystemUser { is_disabled, ..found })
}

//! Changes of the settings. Without a Deployment Admin, any user may claim the role. All other changes are
//! reserved to the Deployment Admin.

use super::body::{ADMIN, ADMIN_SECOND_FACTOR, AUTO_CHECK, CLAIM_CODE, SettingsPatch};
use super::claim::{self, ClaimTerms};
use super::{SystemSettings, store};
use crate::Installation;
use crate::codes;
use crate::ids::UserId;
use accounts::User;
use accounts::administration;
use accounts::audit::{self, AuditAction};
use accounts::locks::{lock_account, lock_by_email};
use accounts::second_factor::store as second_factors;
use platform::body::Body;
use platform::db::Connection;
use platform::fields::Object;
use platform::refusals;
use platform::shape;
use platform::verb::VerbError;

refusals! {
    /// Why the settings are not changed.
    pub enum SettingsRefusal {
        /// Another user is the Deployment Admin. SPEC, section 8, fixes the text.
        Taken => codes::DEPLOYMENT_ADMIN_TAKEN, "Another user is the Deployment Admin";
        NotAdmin => codes::FORBIDDEN, "Only the Deployment Admin may do this.";
        /// The operator has named another account.
        Reserved => codes::FORBIDDEN,
            "The operator of this installation has named the account that becomes the Deployment Admin.";
        Unconfirmed => codes::FORBIDDEN,
            "Confirm your e-mail first, by the link in the mail: your account page sends it again.";
        /// The claim code is missing or wrong.
        ClaimCodeRequired => codes::CLAIM_CODE_REQUIRED,
            "Enter the claim code that the server's log and `farthing admin claim-code` show.";
        ClaimForSelfOnly => codes::CLAIM_FOR_SELF_ONLY, "Become the Deployment Admin with your own e-mail.";
        /// The account that has or receives the role.
        SecondFactorNeeded => codes::SECOND_FACTOR_NEEDED,
            "The Deployment Admin needs a second factor here: the account has to turn it on first.";
        NotRegistered => codes::USER_NOT_REGISTERED,
            "Nobody has an account with this e-mail, or it is disabled or not confirmed. The new Deployment Admin has to register first, and to confirm the e-mail if this site sends mail.";
    }
}

/// Applies a patch. Permission is checked first, so that a user without permission gets 403 even if the body
/// can't be read.
pub async fn change_settings(
    installation: &Installation,
    user: UserId,
    patch: impl Body,
) -> Result<SystemSettings, VerbError<SettingsRefusal>> {
    let patch = patch.read();
    let mut db = installation.db.write().await?;
    let current = store::settings(&mut db).await?;
    may_change(&current, user, patch.as_ref().ok())?;
    if let Ok(patch) = &patch
        && current.admin.is_none()
        && patch.names(ADMIN)
    {
        may_claim(installation, &mut db, user, patch.get(CLAIM_CODE)).await?;
    }
    let changes: SettingsPatch = shape::parse(patch?)?;
    let now = installation.clock.now();
    if current.admin.is_none() {
        let Some(email) = changes.admin else { return Ok(current) };
        if lock_by_email(&mut db, &email).await?.map(|found| found.id) != Some(user) {
            return Err(SettingsRefusal::ClaimForSelfOnly.into());
        }
        if current.admin_second_factor {
            require_second_factor(&mut db, user).await?;
        }
        if !administration::store::claim(&mut db, user, now).await? {
            return Err(SettingsRefusal::Taken.into());
        }
        audit::record(&mut db, now, Some(user), &AuditAction::Claimed).await?;
    } else {
        let next = match changes.admin {
            Some(email) => {
                let found = lock_by_email(&mut db, &email).await?;
                let is_proven = |next: &User| {
                    next.id == user
                        || next.email_verified_at.is_some()
                        || installation.settings.mailer().is_none()
                };
                found.filter(is_proven).ok_or(SettingsRefusal::NotRegistered)?.id
            }
            None => user,
        };
        let auto_check = changes.auto_check.unwrap_or(current.auto_check_updates);
        let needs_factor = changes.admin_second_factor.unwrap_or(current.admin_second_factor);
        let (is_moved, is_tightened) = (next != user, needs_factor && !current.admin_second_factor);
        if !is_moved
            && (auto_check, needs_factor) == (current.auto_check_updates, current.admin_second_factor)
        {
            return Ok(current);
        }
        if needs_factor && (is_moved || is_tightened) {
            // The lock keeps the second factor from being turned off concurrently.
            lock_account(&mut db, next).await?;
            require_second_factor(&mut db, next).await?;
        }
        if !store::update(&mut db, user, next, auto_check, needs_factor, now).await? {
            return Err(SettingsRefusal::Taken.into());
        }
        if needs_factor != current.admin_second_factor {
            let action = if needs_factor {
                AuditAction::AdminSecondFactorOn
            } else {
                AuditAction::AdminSecondFactorOff
            };
            audit::record(&mut db, now, Some(user), &action).await?;
        }
        if auto_check != current.auto_check_updates {
            let action = if auto_check { AuditAction::AutoCheckOn } else { AuditAction::AutoCheckOff };
            audit::record(&mut db, now, Some(user), &action).await?;
        }
        if is_moved {
            audit::record(&mut db, now, Some(user), &AuditAction::Transferred(next)).await?;
        }
    }
    let changed = store::settings(&mut db).await?;
    db.commit().await?;
    (installation.admin_changed)();
    installation.check_due.notify_one();
    Ok(changed)
}

/// Whether the user may change the members of a patch, which is absent if it can't be read. With several
/// members, the strictest check applies.
fn may_change(current: &SystemSettings, user: UserId, patch: Option<&Object>) -> Result<(), SettingsRefusal> {
    let names = |member: &str| patch.is_some_and(|patch| patch.names(member));
    match &current.admin {
        Some(admin) if admin.id == user => Ok(()),
        Some(_) if names(ADMIN) => Err(SettingsRefusal::Taken),
        Some(_) => Err(SettingsRefusal::NotAdmin),
        None if names(AUTO_CHECK) || names(ADMIN_SECOND_FACTOR) => Err(SettingsRefusal::NotAdmin),
        None => Ok(()),
    }
}

/// Fails unless the account has a second factor.
async fn require_second_factor(db: &mut Connection, user: UserId) -> Result<(), VerbError<SettingsRefusal>> {
    if second_factors::is_on(db, user).await? {
        Ok(())
    } else {
        Err(SettingsRefusal::SecondFactorNeeded.into())
    }
}

/// Whether the operator permits that this user, with this code, becomes the Deployment Admin.
async fn may_claim(
    installation: &Installation,
    db: &mut Connection,
    user: UserId,
    code: Option<String>,
) -> Result<(), VerbError<SettingsRefusal>> {
    match claim::terms(&installation.settings, db, user).await? {
        ClaimTerms::Open => Ok(()),
        ClaimTerms::Unconfirmed => Err(SettingsRefusal::Unconfirmed.into()),
        ClaimTerms::Reserved => Err(SettingsRefusal::Reserved.into()),
        ClaimTerms::WithCode => {
            let wanted = administration::store::claim_code(db).await?;
            let is_right = wanted.zip(code).is_some_and(|(wanted, code)| wanted.is(&code));
            if is_right { Ok(()) } else { Err(SettingsRefusal::ClaimCodeRequired.into()) }
        }
    }
}

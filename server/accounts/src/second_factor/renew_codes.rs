//! Replaces the recovery codes of an account.

use super::begin::ProofBody;
use super::recovery_code::RecoveryCode;
use crate::Accounts;
use crate::audit::{self, AuditAction};
use crate::change_password::{PasswordRefusal, check_password, limited};
use crate::codes;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::session::Visitor;
use crate::store::{self, second_factors};
use platform::body::Body;
use platform::db::DbError;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why there are no new recovery codes.
    pub enum RenewRefusal {
        Off => codes::SECOND_FACTOR_OFF;
    }
    wraps { Password(PasswordRefusal) }
}

/// The old codes no longer work, used or not.
pub async fn renew_codes(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<Vec<RecoveryCode>, VerbError<RenewRefusal>> {
    let check = async {
        let password = ProofBody::read(body)?;
        check_password(accounts, user, password).await
    };
    let verified = limited(accounts, visitor, user, check, PasswordRefusal::is_wrong).await;
    let verified = verified.map_err(|error| error.map_refusal(RenewRefusal::Password))?;
    let mut db = write_as(&accounts.db, user).await?;
    if store::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    if !second_factors::is_on(&mut db, user).await? {
        return Err(RenewRefusal::Off.into());
    }
    let codes = RecoveryCode::set().map_err(DbError::from)?;
    second_factors::replace_recovery_codes(&mut db, user, &codes).await?;
    let action = AuditAction::RecoveryCodesRenewed(user);
    audit::record_from(&mut db, accounts.clock.now(), visitor.address, Some(user), &action).await?;
    db.commit().await?;
    Ok(codes)
}

//! Replaces the recovery codes of an account.

use super::guess::CodeGuess;
use super::prove::{Proven, prove};
use super::recovery_code::RecoveryCode;
use super::store;
use super::turn_off::TurnOffBody;
use super::typed::TypedCode;
use crate::audit::{self, AuditAction};
use crate::change_password::{PasswordRefusal, check_password, limited};
use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::limits::GuessSource;
use crate::locks::write_as;
use crate::outbox::AccountMail;
use crate::session::Visitor;
use crate::user::store as users;
use platform::body::Body;
use platform::db::DbError;
use platform::refusals;
use platform::shape;
use platform::verb::VerbError;

refusals! {
    /// Why there are no new recovery codes.
    pub enum RenewRefusal {
        WrongCode => codes::WRONG_CODE;
        Off => codes::SECOND_FACTOR_OFF;
    }
    wraps { Password(PasswordRefusal) }
}

/// The old codes no longer work, used or not. Password and a code are the proofs. The user is
/// told by mail.
pub async fn renew_codes(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<Vec<RecoveryCode>, VerbError<RenewRefusal>> {
    let TurnOffBody { password, code } = shape::parse(body.read()?)?;
    // INVARIANT: a required member that is absent is an error.
    let check = check_password(accounts, user, password.unwrap_or_default());
    let verified = limited(accounts, visitor, user, check, PasswordRefusal::is_wrong).await;
    let verified = verified.map_err(|error| error.map_refusal(RenewRefusal::Password))?;
    let code = TypedCode::of(&code.unwrap_or_default());
    let (source, account) = (GuessSource::Address(visitor.address), user.to_string());
    let guess = CodeGuess::take(&accounts.limits, Some(&account), user, source, &code)?;
    let done = prove_and_replace(accounts, visitor, user, verified, code).await;
    if !matches!(done, Err(VerbError::Refused(RenewRefusal::WrongCode))) {
        guess.forgive();
    }
    done
}

async fn prove_and_replace(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    verified: String,
    code: TypedCode,
) -> Result<Vec<RecoveryCode>, VerbError<RenewRefusal>> {
    let now = accounts.clock.now();
    let mut db = write_as(&accounts.db, user).await?;
    if users::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    if !store::is_on(&mut db, user).await? {
        return Err(RenewRefusal::Off.into());
    }
    if prove(&mut db, user, Some(&code), now).await? != Proven::Yes {
        return Err(RenewRefusal::WrongCode.into());
    }
    let codes = RecoveryCode::set().map_err(DbError::from)?;
    store::replace_recovery_codes(&mut db, user, &codes).await?;
    let action = AuditAction::RecoveryCodesRenewed(user);
    audit::record_from(&mut db, now, visitor.address, Some(user), &action).await?;
    accounts.outbox.add(&mut db, AccountMail::RecoveryCodesRenewed, user, None, now).await?;
    db.commit().await?;
    Ok(codes)
}

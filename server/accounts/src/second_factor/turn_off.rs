//! Turns the second factor off.

use std::convert::Infallible;

use super::guess::CodeGuess;
use super::prove::{Proven, prove};
use super::store;
use super::typed::TypedCode;
use crate::administration::is_admin;
use crate::administration::store::needs_second_factor;
use crate::audit::{self, AuditAction};
use crate::change_password::{PasswordRefusal, check_password, limited};
use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::limits::GuessSource;
use crate::locks::write_as;
use crate::outbox::AccountMail;
use crate::session::Visitor;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use crate::user::store as users;
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::token::TokenHash;
use platform::verb::VerbError;

/// The password and a code as proofs.
#[derive(Clone, Default)]
pub struct TurnOffBody {
    pub(super) password: Option<String>,
    pub(super) code: Option<String>,
}

impl Shape for TurnOffBody {
    const NAME: &'static str = "SecondFactorProof";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_secret("password", &mut self.password);
        members.required_secret("code", &mut self.code).about("Of the app, or a recovery code.");
    }
}

refusals! {
    /// Why the second factor is not turned off.
    pub enum TurnOffRefusal {
        WrongCode => codes::WRONG_CODE;
        Off => codes::SECOND_FACTOR_OFF;
        Needed => codes::SECOND_FACTOR_NEEDED,
            "You are the Deployment Admin, who needs a second factor here: end that on the administration page, or transfer the role first.";
    }
    wraps { Password(PasswordRefusal) }
}

/// Every session ends but the one that asks, and the user is told by mail.
pub async fn turn_off(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<TurnOffRefusal>> {
    // INVARIANT: a required member that is absent is an error.
    let TurnOffBody { password, code } = shape::parse(body.read()?)?;
    let check = check_password(accounts, user, password.unwrap_or_default());
    let verified = limited(accounts, visitor, user, check, PasswordRefusal::is_wrong).await;
    let verified = verified.map_err(|error| error.map_refusal(TurnOffRefusal::Password))?;
    let code = TypedCode::of(&code.unwrap_or_default());
    let source = GuessSource::Address(visitor.address);
    let account = user.to_string();
    let guess = CodeGuess::take(&accounts.limits, Some(&account), user, source, &code)?;
    let done = prove_and_remove(accounts, visitor, user, verified, code).await;
    if !matches!(done, Err(VerbError::Refused(TurnOffRefusal::WrongCode))) {
        guess.forgive();
    }
    done
}

async fn prove_and_remove(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    verified: String,
    code: TypedCode,
) -> Result<(), VerbError<TurnOffRefusal>> {
    let mut db = write_as(&accounts.db, user).await?;
    if users::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    if !store::is_on(&mut db, user).await? {
        return Err(TurnOffRefusal::Off.into());
    }
    if is_admin(&mut db, user).await? && needs_second_factor(&mut db).await? {
        return Err(TurnOffRefusal::Needed.into());
    }
    if prove(&mut db, user, Some(&code), accounts.clock.now()).await? != Proven::Yes {
        return Err(TurnOffRefusal::WrongCode.into());
    }
    let action = AuditAction::SecondFactorOff(user);
    audit::record_from(&mut db, accounts.clock.now(), visitor.address, Some(user), &action).await?;
    Ok(remove(accounts, db, user, visitor.session.as_ref()).await?)
}

/// Turns it off from a shell, for a user who has lost the app and the recovery codes. Every session of the
/// user ends. Returns whether it was on.
pub async fn turn_off_by_shell(accounts: &Accounts, user: UserId) -> Result<bool, VerbError<Infallible>> {
    let mut db = write_as(&accounts.db, user).await?;
    if !store::is_on(&mut db, user).await? {
        return Ok(false);
    }
    let action = AuditAction::SecondFactorOff(user);
    audit::record(&mut db, accounts.clock.now(), None, &action).await?;
    remove(accounts, db, user, None).await?;
    Ok(true)
}

async fn remove(
    accounts: &Accounts,
    mut db: Transaction,
    user: UserId,
    kept: Option<&TokenHash>,
) -> Result<(), DbError> {
    store::delete(&mut db, user).await?;
    accounts.outbox.add(&mut db, AccountMail::SecondFactorOff, user, None, accounts.clock.now()).await?;
    sessions::delete_others(&mut db, user, kept).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(())
}

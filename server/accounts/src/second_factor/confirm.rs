//! Turns the second factor on with the first code of the app.

use super::guess::CodeGuess;
use super::recovery_code::RecoveryCode;
use super::store;
use super::typed::TypedCode;
use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::limits::GuessSource;
use crate::locks::write_as;
use crate::outbox::AccountMail;
use crate::session::Visitor;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use platform::body::Body;
use platform::db::DbError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// A code of the app.
#[derive(Clone, Default)]
pub struct CodeBody {
    code: Option<String>,
}

impl Shape for CodeBody {
    const NAME: &'static str = "SecondFactorCode";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_secret("code", &mut self.code).about("Six digits that the app shows.");
    }
}

refusals! {
    /// Why the second factor is not turned on.
    pub enum ConfirmRefusal {
        WrongCode => codes::WRONG_CODE;
        On => codes::SECOND_FACTOR_ON;
        NotBegun => codes::SECOND_FACTOR_OFF, "There is no secret to confirm: set up the second factor first.";
    }
}

/// Returns the recovery codes. Every session ends but the one that asks, and the user is told by mail.
pub async fn confirm(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<Vec<RecoveryCode>, VerbError<ConfirmRefusal>> {
    // INVARIANT: a required member that is absent is an error.
    let CodeBody { code } = shape::parse(body.read()?)?;
    let code = TypedCode::of(&code.unwrap_or_default());
    let source = GuessSource::Address(visitor.address);
    let account = user.to_string();
    let guess = CodeGuess::take(&accounts.limits, Some(&account), user, source, &code)?;
    let done = turn_on(accounts, visitor, user, code).await;
    if !matches!(done, Err(VerbError::Refused(ConfirmRefusal::WrongCode))) {
        guess.forgive();
    }
    done
}

async fn turn_on(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    code: TypedCode,
) -> Result<Vec<RecoveryCode>, VerbError<ConfirmRefusal>> {
    let now = accounts.clock.now();
    let mut db = write_as(&accounts.db, user).await?;
    let factor = store::of(&mut db, user).await?.ok_or(ConfirmRefusal::NotBegun)?;
    if factor.is_on {
        return Err(ConfirmRefusal::On.into());
    }
    let step = match &code {
        TypedCode::App(code) => factor.secret.accepts(code, now, factor.last_step),
        TypedCode::Recovery(_) => None,
    };
    let step = step.ok_or(ConfirmRefusal::WrongCode)?;
    let codes = RecoveryCode::set().map_err(DbError::from)?;
    store::turn_on(&mut db, user, step, now).await?;
    store::replace_recovery_codes(&mut db, user, &codes).await?;
    sessions::delete_others(&mut db, user, visitor.session.as_ref()).await?;
    let action = AuditAction::SecondFactorOn(user);
    audit::record_from(&mut db, now, visitor.address, Some(user), &action).await?;
    accounts.outbox.add(&mut db, AccountMail::SecondFactorOn, user, None, now).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(codes)
}

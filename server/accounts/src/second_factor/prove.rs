//! Verifies and uses up a code.

use platform::db::{DbError, Transaction};
use platform::time::Moment;

use super::store;
use super::typed::TypedCode;
use crate::ids::UserId;

/// Whether a sign-in may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proven {
    /// The code was right, or the account has no second factor.
    Yes,
    /// The account has a second factor, and there was no code.
    Missing,
    Wrong,
}

/// A right code is used up: the step of a code of the app is the last one, a recovery code is deleted. The
/// transaction has locked the account.
pub async fn prove(
    db: &mut Transaction,
    user: UserId,
    code: Option<&TypedCode>,
    now: Moment,
) -> Result<Proven, DbError> {
    let Some(factor) = store::of(db, user).await?.filter(|factor| factor.is_on) else {
        return Ok(Proven::Yes);
    };
    let is_right = match code {
        None => return Ok(Proven::Missing),
        Some(TypedCode::Recovery(hash)) => store::use_recovery_code(db, user, hash).await?,
        Some(TypedCode::App(code)) => match factor.secret.accepts(code, now, factor.last_step) {
            Some(step) => {
                store::set_last_step(db, user, step).await?;
                true
            }
            None => false,
        },
    };
    Ok(if is_right { Proven::Yes } else { Proven::Wrong })
}

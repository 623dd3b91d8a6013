//! Changes the password of a user who knows the old one.

use super::extract::Visitor;
use super::password::{HashError, Password};
use super::store::{self, reset_links};
use super::{AccountAction, Accounts};
use crate::events::signal::{self, Signal};
use crate::ids::UserId;
use crate::locks::LockingWrites;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a password is not changed, or not accepted as a proof.
    pub enum PasswordRefusal {
        WrongPassword => WrongPassword;
    }
    wraps { Hash(HashError) }
}

/// Sets the new password and ends every session but the one that asks, and a link to set another password.
pub async fn change_password(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    current: String,
    new: Password,
) -> Result<(), VerbError<PasswordRefusal>> {
    let verified = check_password(accounts, visitor, user, current).await?;
    let hash = accounts.passwords.hash(new).await?;
    let mut db = accounts.db.write_as(user).await?;
    if store::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    store::set_password_hash(&mut db, user, &hash).await?;
    reset_links::delete(&mut db, user).await?;
    store::delete_sessions(&mut db, user, visitor.session.as_ref()).await?;
    let (now, action) = (accounts.clock.now(), AccountAction::PasswordChanged);
    accounts.administration.record(&mut db, now, Some(user), action, user).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.events.publish(&Signal::User(user));
    Ok(())
}

/// Verifies `typed` and returns the hash that it matches. The caller compares it again within its transaction.
pub(super) async fn check_password(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    typed: String,
) -> Result<String, VerbError<PasswordRefusal>> {
    let guess = accounts.limits.guess(Some(user.to_string()), visitor.address)?;
    let kept = store::password_hash(&mut accounts.db.read().await?, user).await?;
    let verified = accounts.passwords.verify(typed, kept.clone()).await;
    if !matches!(verified, Ok(false)) {
        guess.forgive();
    }
    match (verified?, kept) {
        (true, Some(kept)) => Ok(kept),
        _ => Err(PasswordRefusal::WrongPassword.into()),
    }
}

//! The end of an account. The person is erased, never an auction's record: their bids and items stay, as a
//! deleted user's.

use super::change_password::{PasswordError, check_password};
use super::session::Visitor;
use super::store;
use crate::clock::Moment;
use crate::db::{DbError, Transaction};
use crate::ids::UserId;
use crate::instances::{self, Told};
use crate::state::AppState;
use crate::{items, members, system};

#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("the account is the Deployment Admin's")]
    DeploymentAdmin,
    #[error("the account owns auctions")]
    OwnsAuctions,
    #[error("the account leads open items")]
    LeadsOpenItems,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Erases the person and ends their sessions and memberships. Refused while others depend on them.
pub async fn delete_account(
    state: &AppState,
    visitor: &Visitor,
    user: UserId,
    password: String,
) -> Result<(), DeleteError> {
    let verified = check_password(state, visitor, user, password).await?;
    // Nobody bids or joins in this name meanwhile.
    let auctions = members::store::auctions_of(&mut state.db.read().await?, user).await?;
    let mut db = state.db.write_in(&auctions).await?;
    db.hold_user(user).await?;
    if members::store::auctions_of(&mut db, user).await? != auctions {
        return Err(DbError::Overtaken.into());
    }
    if store::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordError::WrongPassword.into());
    }
    erase(&mut db, user, state.clock.now()).await?;
    db.commit().await?;
    state.forget_user(user);
    Ok(())
}

/// INVARIANT: every way to end an account ends here, so that none forgets who may not go. The account and its auctions
/// are held.
async fn erase(db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DeleteError> {
    if system::admin::is_admin(db, user).await? {
        return Err(DeleteError::DeploymentAdmin);
    }
    if members::store::owns_any(db, user).await? {
        return Err(DeleteError::OwnsAuctions);
    }
    if items::store::leads_open(db, user, now).await? {
        return Err(DeleteError::LeadsOpenItems);
    }
    store::delete_sessions(db, user, None).await?;
    members::store::leave_all(db, user).await?;
    store::erase_user(db, user, now).await?;
    Ok(instances::tell_now(db, &Told::User(user)).await?)
}

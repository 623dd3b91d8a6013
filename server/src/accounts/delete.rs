//! The end of an account. The person is erased, never an auction's record: their bids and items stay, as a
//! deleted user's.

use super::change_password::{PasswordError, check_password};
use super::session::Visitor;
use super::store;
use crate::db::DbError;
use crate::ids::UserId;
use crate::state::AppState;

#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error(transparent)]
    Db(#[from] DbError),
}

pub async fn delete_account(
    state: &AppState,
    visitor: &Visitor,
    user: UserId,
    password: String,
) -> Result<(), DeleteError> {
    let verified = check_password(state, visitor, user, password).await?;
    let mut db = state.db.write().await?;
    if store::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordError::WrongPassword.into());
    }
    store::delete_sessions(&mut db, user, None).await?;
    store::erase_user(&mut db, user, state.clock.now()).await?;
    db.commit().await.map_err(DbError::from)?;
    Ok(())
}

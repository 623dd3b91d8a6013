//! Who may administer the installation.

use super::store;
use crate::Installation;
use crate::ids::UserId;
use platform::db::{Connection, DbError};

#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    #[error("the viewer is not the Deployment Admin")]
    NotAdmin,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Whether this is the Deployment Admin. What goes on for long asks again: the role can go over at any moment.
pub async fn is_admin(db: &mut Connection, user: UserId) -> Result<bool, DbError> {
    Ok(store::admin_id(db).await? == Some(user))
}

/// Lets the Deployment Admin pass, and nobody else.
pub async fn require(installation: &Installation, user: UserId) -> Result<(), AdminError> {
    if is_admin(&mut installation.db.read().await?, user).await? { Ok(()) } else { Err(AdminError::NotAdmin) }
}

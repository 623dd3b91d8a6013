//! Authorization of the Deployment Admin.

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

/// Whether the user is the Deployment Admin. Streams ask repeatedly: the role can be transferred at any time.
pub async fn is_admin(db: &mut Connection, user: UserId) -> Result<bool, DbError> {
    Ok(store::admin_id(db).await? == Some(user))
}

/// Fails unless the user is the Deployment Admin.
pub async fn require(installation: &Installation, user: UserId) -> Result<(), AdminError> {
    if is_admin(&mut installation.db.read().await?, user).await? { Ok(()) } else { Err(AdminError::NotAdmin) }
}

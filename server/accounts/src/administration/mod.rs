//! The Deployment Admin: the one user who administers this installation.

pub mod appoint;
pub mod claim_code;
mod issue_claim_code;
pub mod store;

pub use issue_claim_code::issue_claim_code;

use crate::codes;
use crate::ids::UserId;
use platform::db::{Connection, Database, DbError};
use platform::http::problem::Problem;

/// Why a user may not administer the installation.
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
pub async fn require(db: &Database, user: UserId) -> Result<(), AdminError> {
    if is_admin(&mut db.read().await?, user).await? { Ok(()) } else { Err(AdminError::NotAdmin) }
}

impl From<AdminError> for Problem {
    fn from(error: AdminError) -> Self {
        match error {
            AdminError::NotAdmin => Self::new(codes::FORBIDDEN, "Only the Deployment Admin may do this."),
            AdminError::Db(error) => error.into(),
        }
    }
}

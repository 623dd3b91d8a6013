//! Links with which a user confirms an e-mail.

pub mod store;

use crate::ids::UserId;

/// A link that was not used and has not expired.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EmailLink {
    pub user_id: UserId,
    /// The e-mail to which it was sent, folded.
    pub email_folded: String,
}

//! Accounts as the Deployment Admin and the owner of the machine manage them. A lost password is replaced
//! with a link, never shown or set for the user.

pub mod disable;
pub mod end_sessions;
pub mod list;
pub mod reset_link;
pub mod routes;
pub mod store;
#[cfg(test)]
mod tests;

use crate::user::User;
use platform::time::Moment;

/// A user with what the Deployment Admin sees of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemUser {
    pub user: User,
    pub last_sign_in_at: Option<Moment>,
    /// The user has no sessions and can't sign in.
    pub is_disabled: bool,
}

//! Accounts and sessions (contract, section 2).

pub mod change_password;
pub mod delete;
pub mod email;
pub mod locale;
pub mod name;
pub mod password;
pub mod profile;
pub mod register;
pub mod routes;
pub mod session;
pub mod session_cache;
pub mod sign_in;
pub mod sign_out;
pub mod store;

use crate::clock::Moment;
use crate::ids::UserId;

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// As typed.
    pub email: String,
    pub name: String,
    /// BCP 47.
    pub locale: Option<String>,
    pub created_at: Moment,
}

//! The installation itself: who administers it, its settings, and its version (contract, section 8).

pub mod admin;
pub mod appoint;
pub mod change_settings;
pub mod routes;
pub mod store;

use crate::accounts::Account;

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemSettings {
    /// The Deployment Admin, if there is one.
    pub admin: Option<Account>,
    /// Whether it is asked by itself for new releases.
    pub auto_check_updates: bool,
}

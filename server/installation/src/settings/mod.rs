//! The settings of the installation and its Deployment Admin (SPEC, section 8).

pub mod body;
pub mod change_settings;
pub mod claim;
pub mod routes;
pub mod store;

use accounts::User;

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemSettings {
    /// The Deployment Admin, if there is one.
    pub admin: Option<User>,
    /// Whether the server checks for new releases in the background.
    pub auto_check_updates: bool,
    /// Whether the Deployment Admin needs a second factor.
    pub admin_second_factor: bool,
}

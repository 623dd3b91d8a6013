//! Links with which a user sets a new password.

pub mod store;

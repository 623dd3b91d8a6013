//! Accounts where the sale has a say: registration by invitation, upgrades and deletion.

pub mod confirm_email;
pub mod delete;
pub mod register;
pub mod routes;
pub mod upgrade;

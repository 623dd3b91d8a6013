//! Accounts where the sale has a say: registration by invitation, sign-ins, upgrades and deletion.

pub mod confirm_email;
pub mod delete;
pub mod register;
pub mod routes;
pub mod sign_in;
pub mod upgrade;

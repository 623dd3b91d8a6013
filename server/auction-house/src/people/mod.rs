//! Accounts where the sale has a say: registration by invitation, deletion, and the mail for a lost password.

pub mod delete;
pub mod forgot_password;
pub mod register;
pub mod routes;

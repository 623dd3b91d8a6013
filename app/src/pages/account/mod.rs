//! Registration, sign-in, a new password instead of a lost one, and the page of one's own account.

mod form;
pub mod register;
pub mod reset_password;
mod sessions;
pub mod show;
pub mod sign_in;

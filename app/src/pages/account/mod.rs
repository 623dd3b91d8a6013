//! Registration, sign-in, and a new password instead of a lost one.

mod form;
pub mod register;
pub mod reset_password;
pub mod sign_in;

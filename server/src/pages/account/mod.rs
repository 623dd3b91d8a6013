//! Registration, sign-in, a new password instead of a lost one, and the page of one's own account.

pub(super) mod choices;
pub mod confirm_email;
pub(super) mod facts;
pub mod forgot_password;
pub(super) mod form;
pub(super) mod preferences;
pub mod register;
pub mod reset_password;
pub mod second_factor;
mod sessions;
pub mod show;
pub mod sign_in;
pub mod sign_in_code;

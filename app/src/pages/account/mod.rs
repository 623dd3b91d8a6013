//! Registration and sign-in.

mod form;
pub mod register;
pub mod sign_in;

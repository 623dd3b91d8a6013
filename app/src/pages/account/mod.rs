//! Entering.

pub mod register;
pub mod sign_in;

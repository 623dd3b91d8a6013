//! The notifications of the signed-in user (contract, section 13).

pub mod document;

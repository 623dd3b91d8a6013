//! The notifications of the signed-in user (SPEC, section 13).

pub mod document;
pub mod list;
pub mod read;
pub mod routes;
pub mod sweep;

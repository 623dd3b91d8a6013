//! The Deployment Administration.

pub(super) mod facts;
pub mod show;
pub mod users;
mod version;

//! The Deployment Administration.

pub(super) mod facts;
mod settings;
pub mod show;
pub mod users;
mod version;

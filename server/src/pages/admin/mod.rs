//! The Deployment Administration.

pub(super) mod facts;
pub mod show;
mod version;

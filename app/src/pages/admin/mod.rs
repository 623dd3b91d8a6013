//! The Deployment Administration.

mod log;
pub mod show;
mod version;

//! The Deployment Administration.

mod audit_log;
mod backups;
mod password;
mod previous;
pub mod show;
pub mod update;
mod version;

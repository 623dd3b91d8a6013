//! The Deployment Administration.

mod audit_log;
mod backups;
pub(super) mod facts;
mod health;
mod password;
mod previous;
mod second_factor;
mod settings;
pub mod show;
mod start_update;
mod subjects;
mod update;
pub mod users;
mod version;

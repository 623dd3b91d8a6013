//! Backups of the SQLite database, and their restoration.

pub mod create;
pub mod folder;
mod problem;
pub mod restore;

//! Backups of the SQLite database: making them, and going back to one.

pub mod create;
pub mod restore;

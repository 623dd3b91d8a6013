//! Backups of the database with the pictures of items, and the restoration of those of SQLite.

pub mod create;
pub mod download;
pub mod dump;
pub mod folder;
mod images;
mod problem;
pub mod restore;
pub mod scheduled;

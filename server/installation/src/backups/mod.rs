//! Backups of the SQLite database with the pictures of items, and their restoration.

pub mod create;
pub mod folder;
mod images;
mod problem;
pub mod restore;
pub mod scheduled;

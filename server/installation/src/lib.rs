//! The installation: its settings, releases, updates, backups and the supervisor.
//!
//! Each module uses only modules before it: ids, config, exposure, command, control, journal, needed_images →
//! context → servers, transfer, settings → releases → backups → supervisor → shell, updates → check, probes.

pub mod backups;
pub mod check;
pub mod codes;
pub mod command;
pub mod config;
mod context;
pub mod control;
pub mod exposure;
pub mod ids;
pub mod journal;
pub mod needed_images;
pub mod probes;
pub mod releases;
pub mod servers;
pub mod settings;
pub mod shell;
pub mod supervisor;
pub mod transfer;
pub mod updates;

pub use context::Installation;

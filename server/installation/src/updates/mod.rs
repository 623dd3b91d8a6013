//! The update of this installation: one run at a time. Its steps are recorded in the journal, so that after a crash the
//! next start finishes the run or rolls it back (contract, section 8).
//!
//! Each module uses only modules before it: command, config, disk, document, git, health, layout, recorder,
//! restart, lease_keeper → run → prune, steps → rollback → perform → continue_run, start, watch → routes.

mod command;
mod config;
mod continue_run;
mod disk;
mod document;
mod git;
mod health;
mod layout;
mod lease_keeper;
mod perform;
mod prune;
mod recorder;
mod restart;
mod rollback;
pub mod routes;
mod run;
mod start;
mod steps;
mod watch;

pub use config::{Config, ConfigError};
pub use continue_run::continue_after_restart;
pub use perform::Ended;
pub use rollback::{RollbackError, open_writes, roll_back_unfinished};
pub use run::Update;
pub use start::{StartError, start};
pub use watch::{roll_back_abandoned, watch};

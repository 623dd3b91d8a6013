//! The update of this installation: one run at a time, whose steps stand in a journal, so that after a crash it is
//! known what was done and the next start finishes or reverts it (contract, section 8).

pub mod command;
pub mod config;
mod disk;
mod finish;
mod git;
pub mod health;
pub mod journal;
mod prune;
mod recorder;
pub mod restart;
mod revert;
pub mod routes;
pub mod run;
mod steps;

pub use finish::{finish, look, watch};
pub use revert::{RevertError, open_writes, revert};

//! The update of this installation: one run at a time. Its steps are recorded in the journal, so that after a
//! crash the next start finishes the run or rolls it back (SPEC, section 8).
//!
//! Each module uses only modules before it: config, disk, document, health, layout, leased_run, recorder,
//! restart, lease_keeper → archive, git → run → prune, steps → end → duration, rollback → settle, perform →
//! continue_run, start, watch → routes, by_shell. Beside them after_backup.

mod after_backup;
mod archive;
mod by_shell;
mod config;
mod continue_run;
pub mod disk;
mod document;
mod duration;
mod end;
mod git;
mod health;
mod layout;
mod lease_keeper;
mod leased_run;
mod perform;
mod previous;
mod prune;
mod recorder;
mod restart;
mod rollback;
pub mod routes;
mod run;
mod settle;
mod start;
mod steps;
mod watch;

pub use after_backup::after_scheduled_backup;
pub use by_shell::{AskError, ask, serve_shells};
pub use config::{Config, ConfigError, NO_API, ReleaseSource};
pub use continue_run::continue_after_restart;
pub use document::{RunDocument, fingerprint};
pub use duration::last_update_seconds;
pub use health::{HealthError, answers};
pub use leased_run::{Pause, pause, run_elsewhere};
pub use perform::Ended;
pub use previous::{Installed, find as find_previous};
pub use rollback::{RollbackError, needs_restoration, open_writes, roll_back_unfinished};
pub use run::{Caller, RunTarget, Update};
pub use start::{StartError, start};
pub use watch::{settle_abandoned, watch};

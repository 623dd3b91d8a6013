//! How `farthing serve` runs: a small parent holds the listening socket and starts the server as its child. The
//! child can be replaced, by another version too, while the socket lives on: whoever connects meanwhile waits in the
//! system's queue, and is refused by nobody. See [ADR 6](../../../docs/adr/0006-supervisor.md).
//!
//! INVARIANT: the two may be of different versions. What they say to each other (`handover.rs`) and the flag
//! `--supervised-by` only gain, and neither stumbles over a word that it does not know.

mod binary;
mod child;
mod control;
mod delay;
mod handover;
mod listener;
mod parent;
mod pid_file;
mod revert;
mod signals;
mod unfinished;

pub use control::{Control, ControlError, MeetError, Supervisor};
pub use parent::{SuperviseError, supervise};
pub use pid_file::restart_running;

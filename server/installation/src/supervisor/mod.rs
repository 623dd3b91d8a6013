//! How `farthing serve` runs: a small supervisor holds the listening socket and starts the server as its
//! child process. The child can be replaced, also by another version, while the socket stays open: new
//! connections wait in the kernel's queue, and none is refused. See [ADR
//! 6](../../../docs/adr/0006-supervisor.md). The protocol between the two is in `control`.

mod backoff;
pub mod binary;
mod child;
mod error_output;
mod listener;
mod notify;
mod parent;
mod pid_file;
mod plan;
mod rollback;
mod running;
mod signals;
mod socket;

pub use child::exit_code;
pub use parent::{SuperviseError, supervise};
pub use pid_file::restart_running;
pub use plan::established_release;
pub use running::{FindError, RunningServer, find_running, is_same_path, pointed_data_dir};

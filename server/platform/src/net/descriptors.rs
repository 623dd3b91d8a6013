//! The limit of file descriptors, which bounds the number of connections.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Maximum of concurrent connections, however high the limit of descriptors is.
const CONNECTIONS_MAX: usize = 16_384;
/// Descriptors reserved for the database and for files.
const OTHERS_MIN: usize = 64;

/// Raises the limit of descriptors and returns how many concurrent connections it allows.
pub fn connections_max() -> usize {
    let descriptors = raise();
    // A quarter is reserved for everything else, but at least `OTHERS_MIN`.
    descriptors.saturating_sub((descriptors / 4).max(OTHERS_MIN)).clamp(1, CONNECTIONS_MAX)
}

/// Raises the soft limit of this process to its hard limit and returns it: the usual soft limit of 1024 is
/// too low for many live pages.
pub fn raise() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let raised = rustix::process::Rlimit { current: limit.maximum, maximum: limit.maximum };
    if setrlimit(Resource::Nofile, raised).is_ok() {
        limit = raised;
    }
    limit.current.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
}

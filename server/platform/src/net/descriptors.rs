//! File descriptors: a connection needs one, and so do the database and the files beside it.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Connections at one time, however many descriptors there are.
const CONNECTIONS_MAX: usize = 16_384;
/// Descriptors for the database with its readers, and for files.
const OTHERS_MIN: usize = 64;

/// How many connections there may be, once the limit is raised.
pub fn connections_max() -> usize {
    let descriptors = raise();
    // A quarter stays for everything else, and no fewer than that needs.
    descriptors.saturating_sub((descriptors / 4).max(OTHERS_MIN)).clamp(1, CONNECTIONS_MAX)
}

/// Raises the limit of this process to what the system lets it have, since what is usual at first (1024) is little
/// for a hall with live pages. Hands out how many descriptors that is.
pub fn raise() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let raised = rustix::process::Rlimit { current: limit.maximum, maximum: limit.maximum };
    if setrlimit(Resource::Nofile, raised).is_ok() {
        limit = raised;
    }
    limit.current.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
}

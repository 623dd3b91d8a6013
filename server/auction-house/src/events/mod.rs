//! The write side of live events: rows written in the transaction that causes them, and signals that say so
//! to this server's subscribers and to other servers on the same database.

pub mod signal;
pub mod store;

use platform::signals::Signals;
pub use signal::Signal;

/// Publishes what has changed to the subscribers of this server.
pub type Events = Signals<Signal>;

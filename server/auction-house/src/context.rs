//! What the verbs of the sale work with.

use std::sync::Arc;

use platform::db::Database;
use platform::time::Clock;

use crate::events::Events;
use crate::notifications::Notifier;
use crate::work::LongWork;

/// The database, the clock, the publisher of committed changes, the writer of notifications, and the limits
/// and threads of long work.
#[derive(Clone)]
pub struct Context {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub events: Events,
    pub notifier: Notifier,
    pub work: Arc<LongWork>,
}

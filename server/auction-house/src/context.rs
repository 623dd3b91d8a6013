//! What the verbs of the sale work with.

use std::sync::Arc;

use platform::db::Database;
use platform::time::Clock;

use crate::events::Events;
use crate::notifications::Notifier;

/// The database, the clock, the publisher of committed changes, and the writer of notifications.
#[derive(Clone)]
pub struct Context {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub events: Events,
    pub notifier: Notifier,
}

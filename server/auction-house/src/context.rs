//! What the verbs of the sale work with.

use std::sync::Arc;

use platform::db::Database;
use platform::time::Clock;

use crate::events::Events;

/// The database, the clock, and the publisher of what is committed.
#[derive(Clone)]
pub struct Context {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub events: Events,
}

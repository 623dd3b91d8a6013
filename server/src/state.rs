//! What every handler can reach.

use std::sync::Arc;

use crate::clock::Clock;
use crate::db::Database;

#[derive(Clone)]
pub struct AppState {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
}

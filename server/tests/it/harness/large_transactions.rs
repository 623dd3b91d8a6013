//! Transactions of requests that have changed many rows, as the log tells of them.

use std::sync::{LazyLock, Mutex};

use platform::http::request_id::CurrentRequest;
use tracing::Event;
use tracing::field::{Field, Visit};

/// What the log calls the module that tells of them.
pub const TARGET: &str = "platform::db::connection";

/// A transaction that has changed many rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LargeTransaction {
    /// The path of its request.
    pub path: String,
    /// Changed rows of the table of which most were changed.
    pub rows: u64,
    /// The request had the turn to change many rows.
    pub in_turn: bool,
}

static SEEN: LazyLock<Mutex<Vec<LargeTransaction>>> = LazyLock::new(Mutex::default);

impl Visit for LargeTransaction {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows" {
            self.rows = value;
        }
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        if field.name() == "in_turn" {
            self.in_turn = value;
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

/// Keeps what the log tells of a transaction of a request.
pub fn add(event: &Event<'_>) {
    let Some(request) = CurrentRequest::get() else { return };
    let mut found = LargeTransaction { path: request.path().into_owned(), ..LargeTransaction::default() };
    event.record(&mut found);
    SEEN.lock().unwrap().push(found);
}

/// The large transactions of requests to this path since the last call.
pub fn take(path: &str) -> Vec<LargeTransaction> {
    let mut seen = SEEN.lock().unwrap();
    let (found, others) = seen.drain(..).partition(|one| one.path == path);
    *seen = others;
    found
}

//! Idempotency keys of the calls of a hall: hammers, and further outcomes of items. Such a key counts for the
//! item, whichever clerk of the auction sends it: a call whose answer was lost may be sent again in another
//! session.

use std::collections::{HashMap, HashSet};

use platform::db::{Connection, DbError, WriteBatch};
use platform::time::Moment;

use super::{CallKey, KeyedCall, RETENTION_SECONDS, store};

/// The calls of a batch of bids, by their keys.
#[derive(Debug, Default)]
pub struct BatchCalls {
    /// The hashes of the requests of executed calls.
    executed: HashMap<CallKey, String>,
    new: Vec<KeyedCall>,
}

impl BatchCalls {
    pub async fn load(conn: &mut Connection, keys: &HashSet<&CallKey>) -> Result<Self, DbError> {
        Ok(Self { executed: store::find_calls(conn, keys).await?, new: Vec::new() })
    }

    /// The hash of the request with this key, of an earlier transaction or of this batch.
    pub fn executed(&self, key: &CallKey) -> Option<&str> {
        self.executed.get(key).map(String::as_str)
    }

    pub fn record(&mut self, call: KeyedCall) {
        self.executed.insert(call.key(), call.request.hash().to_owned());
        self.new.push(call);
    }

    /// Keeps the calls of the batch.
    pub fn write(&self, writes: &mut WriteBatch) {
        store::insert_calls(writes, &self.new);
    }
}

/// Deletes expired keys with a batch.
pub fn purge_calls(writes: &mut WriteBatch, now: Moment) {
    store::purge_calls(writes, now.plus_seconds(-RETENTION_SECONDS));
}

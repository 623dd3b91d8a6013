//! Idempotency keys of the calls of a hall: hammers, and further outcomes of items. Such a key counts for its
//! auction, whichever clerk sends it: a call whose answer was lost may be sent again in another session.

use std::collections::{HashMap, HashSet};

use platform::db::{Connection, DbError, WriteBatch};
use platform::idempotency::{IdempotencyKey, KeyedRequest};
use platform::time::Moment;

use super::{RETENTION_SECONDS, store};
use crate::ids::{AuctionId, ItemId};
use crate::path::ItemPath;

/// The key of a call in its auction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallKey {
    pub auction_id: AuctionId,
    pub key: IdempotencyKey,
}

/// A call on an item.
#[derive(Debug, Clone)]
pub struct Call {
    pub item: ItemPath,
    pub request: KeyedRequest,
    pub at: Moment,
}

impl Call {
    pub fn key(&self) -> CallKey {
        CallKey { auction_id: self.item.auction_id, key: self.request.key.clone() }
    }
}

/// A call that was executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutedCall {
    pub(super) item_id: ItemId,
    pub(super) request_hash: String,
}

impl ExecutedCall {
    pub fn is_same(&self, item_id: ItemId, request: &KeyedRequest) -> bool {
        self.item_id == item_id && self.request_hash == request.hash()
    }
}

impl From<&Call> for ExecutedCall {
    fn from(call: &Call) -> Self {
        Self { item_id: call.item.item_id, request_hash: call.request.hash().to_owned() }
    }
}

/// The calls of a batch of bids, by their keys.
#[derive(Debug, Default)]
pub struct BatchCalls {
    executed: HashMap<CallKey, ExecutedCall>,
    new: Vec<Call>,
}

impl BatchCalls {
    pub async fn read(conn: &mut Connection, keys: &HashSet<&CallKey>) -> Result<Self, DbError> {
        Ok(Self { executed: store::find_calls(conn, keys).await?, new: Vec::new() })
    }

    /// The call with this key, from an earlier transaction or from this batch.
    pub fn executed(&self, key: &CallKey) -> Option<&ExecutedCall> {
        self.executed.get(key)
    }

    pub fn record(&mut self, call: Call) {
        self.executed.insert(call.key(), ExecutedCall::from(&call));
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

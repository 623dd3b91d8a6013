//! The group commit: one transaction reads what waiting bids need, judges them one after the other, and
//! writes the result. It is durable before any of them is answered.
//!
//! A bid writes one row; the newest standing bid of an item is its highest. The item's row repeats neither
//! and is written only when anti-sniping moves the end. The ledger has no index by bidder, which every bid
//! would write: see `bidders.rs`.
//!
//! The writes of a batch run at its end: on SQLite in one call, on a connection of its own, while it holds
//! the writer permit; on PostgreSQL as one statement that compares versions, writes, and notifies the other
//! servers.

mod bidders;
mod books;
pub mod cache;
pub mod item;
pub mod judge;
mod notifications;
mod recency;
pub mod state;
mod withdrawals;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::bids::entry::{Entry, QueueError};
use crate::bids::idempotency::KeyPurge;
use crate::bids::store;
use crate::events::{Events, Signal};
use crate::locks::LockingWrites;
use crate::notifications::{Notifier, signal_to};
use cache::BatchCache;
use platform::db::{Database, DbError};
use platform::time::Clock;
use state::BatchState;

/// Attempts for a batch that conflicts with other servers, or whose connection breaks.
const TRIES_MAX: u32 = 5;
/// How long, and how often, an unconfirmed commit is looked up.
const LOOK_UP_MAX: Duration = Duration::from_secs(10);
const LOOK_UP_EVERY: Duration = Duration::from_millis(250);

/// Commits one batch after the other.
pub struct Committer {
    database: Database,
    clock: Arc<dyn Clock>,
    events: Events,
    notifier: Notifier,
    purge: KeyPurge,
    cache: BatchCache,
}

impl Committer {
    pub fn new(database: Database, clock: Arc<dyn Clock>, events: Events, notifier: Notifier) -> Self {
        let purge = KeyPurge::starting(clock.now());
        Self { database, clock, events, notifier, purge, cache: BatchCache::default() }
    }

    /// Gives each entry its answer. If the database fails, the whole batch is rolled back and every answer is that error. A
    /// conflict or a broken connection retries the batch on fresh data.
    pub async fn commit(&mut self, entries: &mut [Entry]) {
        let mut tries = 1;
        loop {
            match self.try_commit(entries).await {
                Ok(()) => return,
                Err(error) if (error.is_conflict() || error.is_cut()) && tries < TRIES_MAX => tries += 1,
                Err(error) => {
                    let failure = failure(&error);
                    return entries.iter_mut().for_each(|entry| entry.fail(failure));
                }
            }
        }
    }

    /// To be called after the last batch, on the thread of all of them.
    pub async fn end(self) {
        self.database.end_batches().await;
    }

    /// INVARIANT: an error leaves the database unchanged, except `Unknown`, after which its state is not known; answers are
    /// sent after the commit alone. The cache keeps only what a commit has confirmed.
    async fn try_commit(&mut self, entries: &mut [Entry]) -> Result<(), DbError> {
        let mut cache = std::mem::take(&mut self.cache);
        let auctions = entries.iter().map(Entry::auction_id).collect();
        let (mut transaction, locked) =
            self.database.write_bids(&auctions, cache.expected_versions(&auctions)).await?;
        cache.invalidate_changed(&auctions, &locked);
        let now = self.clock.now();
        let mut state = BatchState::read(&mut transaction, cache, entries, now).await?;
        for entry in entries {
            entry.judge(&mut state, self.clock.now());
        }
        let mut writes = state.writes(self.notifier, now)?;
        if let Some(before) = self.purge.due(now) {
            store::purge_keys(&mut writes, before, now);
        }
        if let Err(error) = transaction.commit(writes).await
            && !(error.is_cut() && self.is_committed(&state).await?)
        {
            return Err(error);
        }
        self.events.publish(&Signal::Items(state.touched().collect()));
        if !state.notifications().is_empty() {
            self.events.publish(&signal_to(state.notifications()));
        }
        // Other servers learn of it at the next check of their streams.
        let concerned = state.take_concerned();
        if !concerned.is_empty() {
            self.events.publish(&Signal::UserEvents(concerned));
        }
        self.cache = state.into_cache();
        Ok(())
    }

    /// Whether a batch is in the database whose commit was not confirmed before the connection broke. A batch is committed
    /// whole or not at all, so one bid tells. Locking its auction waits for the commit in doubt. A batch of withdrawals
    /// alone is repeated, which returns the withdrawals that are in the database.
    async fn is_committed(&self, state: &BatchState) -> Result<bool, DbError> {
        let Some(bid) = state.first_accepted() else { return Ok(false) };
        let auctions = BTreeSet::from([bid.auction_id]);
        let look_up = async || -> Result<bool, DbError> {
            let (mut transaction, _) = self.database.write_bids(&auctions, None).await?;
            store::exists(&mut transaction, bid).await
        };
        let found = async {
            loop {
                match look_up().await {
                    Ok(found) => return found,
                    Err(_) => tokio::time::sleep(LOOK_UP_EVERY).await,
                }
            }
        };
        tokio::time::timeout(LOOK_UP_MAX, found).await.map_err(|_| DbError::Unknown)
    }
}

fn failure(error: &DbError) -> QueueError {
    if error.is_paused() {
        return QueueError::Paused;
    }
    // The writer was busy for too long: nothing was judged.
    if error.is_busy() || error.is_conflict() {
        return QueueError::Overloaded;
    }
    tracing::error!(error = error as &dyn std::error::Error, "a batch of bids was not kept");
    if error.is_full() { QueueError::StorageFull } else { QueueError::NotKept }
}

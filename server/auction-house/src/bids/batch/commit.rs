//! Commits one batch of the bid queue after the other.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::cache::BatchCache;
use super::needs::Needs;
use super::state::BatchState;
use crate::bids::idempotency::KeyPurge;
use crate::bids::leads::recent::RecentBids;
use crate::bids::queue_error::QueueError;
use crate::bids::request::Waiting;
use crate::bids::store;
use crate::creations::calls::purge_calls;
use crate::events::{Events, Signal};
use crate::locks::LockingWrites;
use crate::notifications::{Notifier, signal_to};
use platform::db::{Database, DbError};
use platform::time::Clock;

/// A batch that was overtaken by another server has lost its cache and its work. This many batches after it
/// take their locks before they are judged, and as many again after the last one that finds bids of others.
const LOCKED_BATCHES: u32 = 16;
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
    recent: RecentBids,
    purge: KeyPurge,
    cache: BatchCache,
    /// Batches that still take their locks before they are judged.
    to_lock: u32,
}

impl Committer {
    pub fn new(
        database: Database,
        clock: Arc<dyn Clock>,
        events: Events,
        notifier: Notifier,
        recent: RecentBids,
    ) -> Self {
        let purge = KeyPurge::starting(clock.now());
        Self { database, clock, events, notifier, recent, purge, cache: BatchCache::default(), to_lock: 0 }
    }

    /// Gives each request its answer. If the database fails, the whole batch is rolled back and every answer
    /// is that error. A conflict or a broken connection retries the batch on fresh data.
    pub async fn commit(&mut self, requests: &mut [Box<dyn Waiting>]) {
        let mut needs: Vec<Needs> = requests.iter().map(|request| request.needs()).collect();
        let mut tries = 1;
        loop {
            match self.try_commit(requests, &mut needs).await {
                Ok(()) => return,
                Err(error) if (error.is_conflict() || error.is_cut()) && tries < TRIES_MAX => {
                    tries += 1;
                    self.to_lock = LOCKED_BATCHES;
                }
                Err(error) => {
                    let failure = failure(&error);
                    return requests.iter_mut().for_each(|request| request.fail(failure));
                }
            }
        }
    }

    /// To be called after the last batch, on the thread of all of them.
    pub async fn end(self) {
        self.database.end_batches().await;
    }

    /// INVARIANT: an error leaves the database unchanged, except `Unknown`, after which its state is not
    /// known; answers are sent after the commit alone. The cache keeps only what a commit has confirmed.
    async fn try_commit(
        &mut self,
        requests: &mut [Box<dyn Waiting>],
        needs: &mut [Needs],
    ) -> Result<(), DbError> {
        let mut cache = std::mem::take(&mut self.cache);
        let auctions = needs.iter().map(|needs| needs.auction_id).collect();
        let known = cache.expected_versions(&auctions);
        let expected = if self.to_lock == 0 { known.clone() } else { None };
        let (mut transaction, locked) = self.database.write_bids(&auctions, expected).await?;
        let is_alone = known.is_none_or(|known| !known.is_overtaken_by(&locked));
        self.to_lock = if is_alone { self.to_lock.saturating_sub(1) } else { LOCKED_BATCHES };
        cache.invalidate_changed(&auctions, &locked);
        let now = self.clock.now();
        let mut state = BatchState::read(&mut transaction, cache, needs, now).await?;
        for request in requests {
            request.judge(&mut state, self.clock.now());
        }
        let mut batch = state.writes(self.notifier, now)?;
        if let Some(before) = self.purge.due(now) {
            store::purge_keys(&mut batch.writes, before, now);
            purge_calls(&mut batch.writes, now);
        }
        if let Err(error) = transaction.commit(batch.writes).await
            && !(error.is_cut() && self.is_committed(&state).await?)
        {
            return Err(error);
        }
        self.recent.add(batch.recent);
        self.events.publish(&Signal::Items(batch.touched));
        if !batch.notifications.is_empty() {
            self.events.publish(&signal_to(&batch.notifications));
        }
        // Other servers learn of it at the next check of their streams.
        if !batch.concerned.is_empty() {
            self.events.publish(&Signal::UserEvents(batch.concerned));
        }
        self.cache = state.into_cache();
        Ok(())
    }

    /// Whether a batch is in the database whose commit was not confirmed before the connection broke. A batch
    /// is committed whole or not at all, so one bid tells. Locking its auction waits for the commit in doubt.
    /// A batch of withdrawals alone is repeated, which returns the withdrawals that are in the database.
    async fn is_committed(&self, batch: &BatchState) -> Result<bool, DbError> {
        let (bid, sealed) = (batch.first_accepted(), batch.first_sealed());
        let auction = bid.map(|bid| bid.auction_id).or(sealed.map(|sealed| sealed.auction_id));
        let Some(auction_id) = auction else { return Ok(false) };
        let auctions = BTreeSet::from([auction_id]);
        let look_up = async || -> Result<bool, DbError> {
            let (mut transaction, _) = self.database.write_bids(&auctions, None).await?;
            match (bid, sealed) {
                (Some(bid), _) => store::exists(&mut transaction, bid).await,
                (None, Some(sealed)) => store::sealed::exists(&mut transaction, sealed).await,
                (None, None) => Ok(false),
            }
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
    if error.is_away() {
        return QueueError::Away;
    }
    if error.is_full() { QueueError::StorageFull } else { QueueError::NotKept }
}

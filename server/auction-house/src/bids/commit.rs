//! The group commit: what bids that wait together need is read, they are judged one after the other, and what
//! came of it is written, all inside one transaction that is on the disk before any of them is answered.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::bids::close::CloseError;
use crate::bids::idempotency::Purge;
use crate::bids::known::Known;
use crate::bids::place::PlaceError;
use crate::bids::queue::{Entry, Verdict};
use crate::bids::round::Round;
use crate::bids::store;
use crate::events::{Events, Signal};
use crate::locks::LockingWrites;
use platform::db::{Database, DbError};
use platform::time::Clock;

/// How often a batch is judged where other servers are in the way, or the connection breaks.
const TRIES_MAX: u32 = 5;
/// How long it is looked whether a batch was kept, and how long is waited in between.
const LOOK_MAX: Duration = Duration::from_secs(10);
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Commits one batch after the other.
pub struct Committer {
    database: Database,
    clock: Arc<dyn Clock>,
    events: Events,
    purge: Purge,
    /// What the last batch has left.
    known: Known,
}

/// Why a batch was not judged.
#[derive(Debug, Clone, Copy)]
enum Failure {
    Busy,
    Paused,
    Full,
    Broken,
}

impl Committer {
    pub fn new(database: Database, clock: Arc<dyn Clock>, events: Events) -> Self {
        let purge = Purge::starting(clock.now());
        Self { database, clock, events, purge, known: Known::default() }
    }

    /// The verdicts on `batch`, in its order. Where the database fails, all of it is taken back and everybody
    /// is told so. Where others were in the way, or the connection broke, it is judged again on what is there now.
    pub async fn commit(&mut self, batch: &[Entry]) -> Vec<Verdict> {
        let mut tries = 1;
        loop {
            match self.try_commit(batch).await {
                Ok(verdicts) => return verdicts,
                Err(error) if (error.is_conflict() || error.is_cut()) && tries < TRIES_MAX => tries += 1,
                Err(error) => {
                    let failure = Failure::of(&error);
                    return batch.iter().map(|entry| failure.verdict(entry)).collect();
                }
            }
        }
    }

    /// To be called after the last batch, on the thread of all of them.
    pub async fn end(self) {
        self.database.end_batches().await;
    }

    /// INVARIANT: an error leaves the database as it was, save `Unknown`, after which nobody knows; verdicts are
    /// handed out after the commit alone. What is known of the database is kept only where the commit has shown that
    /// it is true.
    async fn try_commit(&mut self, entries: &[Entry]) -> Result<Vec<Verdict>, DbError> {
        let mut known = std::mem::take(&mut self.known);
        let auctions = entries.iter().map(Entry::auction_id).collect();
        let (mut batch, locked) = self.database.write_bids(&auctions, known.expected(&auctions)).await?;
        known.forget_changed(&auctions, &locked);
        let now = self.clock.now();
        let mut round = Round::read(&mut batch, known, entries, now).await?;
        let verdicts = entries.iter().map(|entry| self.judge(&mut round, entry)).collect();
        let mut script = round.script(now)?;
        if let Some(before) = self.purge.due(now) {
            store::purge_keys(&mut script, before, now);
        }
        if let Err(error) = batch.commit(script).await
            && !(error.is_cut() && self.is_kept(&round).await?)
        {
            return Err(error);
        }
        self.events.publish(&Signal::Items(round.touched().collect()));
        self.known = round.into_known();
        Ok(verdicts)
    }

    /// Whether a round is in the database whose commit was not confirmed before the connection broke. All of it is
    /// there or nothing, so that one bid tells; held, its auction is no longer in that commit's hands.
    async fn is_kept(&self, round: &Round) -> Result<bool, DbError> {
        let Some(bid) = round.first_accepted() else { return Ok(false) };
        let auctions = BTreeSet::from([bid.auction_id]);
        let look = async || -> Result<bool, DbError> {
            let (mut batch, _) = self.database.write_bids(&auctions, None).await?;
            store::exists(&mut batch, bid).await
        };
        let answered = async {
            loop {
                match look().await {
                    Ok(is_kept) => return is_kept,
                    Err(_) => tokio::time::sleep(LOOK_AGAIN).await,
                }
            }
        };
        tokio::time::timeout(LOOK_MAX, answered).await.map_err(|_| DbError::Unknown)
    }

    fn judge(&self, round: &mut Round, entry: &Entry) -> Verdict {
        let now = self.clock.now();
        match entry {
            Entry::Bid(waiting) if waiting.too_long(now) => Failure::Busy.verdict(entry),
            Entry::Close(waiting) if waiting.too_long(now) => Failure::Busy.verdict(entry),
            Entry::Bid(waiting) => Verdict::Bid(round.place(&waiting.asked, now)),
            Entry::Close(waiting) => Verdict::Close(round.close(&waiting.asked, now)),
        }
    }
}

impl Failure {
    fn of(error: &DbError) -> Self {
        if error.is_paused() {
            return Self::Paused;
        }
        // The writer was busy for too long: nothing was judged.
        if error.is_busy() || error.is_conflict() {
            return Self::Busy;
        }
        tracing::error!(error = error as &dyn std::error::Error, "a batch of bids was not kept");
        if error.is_full() { Self::Full } else { Self::Broken }
    }

    fn verdict(self, entry: &Entry) -> Verdict {
        match (entry, self) {
            (Entry::Bid(_), Self::Busy) => Verdict::Bid(Err(PlaceError::Overloaded)),
            (Entry::Bid(_), Self::Paused) => Verdict::Bid(Err(PlaceError::Paused)),
            (Entry::Bid(_), Self::Full) => Verdict::Bid(Err(PlaceError::StorageFull)),
            (Entry::Bid(_), Self::Broken) => Verdict::Bid(Err(PlaceError::NotKept)),
            (Entry::Close(_), Self::Busy) => Verdict::Close(Err(CloseError::Overloaded)),
            (Entry::Close(_), Self::Paused) => Verdict::Close(Err(CloseError::Paused)),
            (Entry::Close(_), Self::Full) => Verdict::Close(Err(CloseError::StorageFull)),
            (Entry::Close(_), Self::Broken) => Verdict::Close(Err(CloseError::NotKept)),
        }
    }
}

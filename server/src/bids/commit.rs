//! The group commit: what bids that wait together need is read, they are judged one after the other, and what
//! came of it is written, all inside one transaction that is on the disk before any of them is answered.

use std::sync::Arc;

use crate::auctions::close::CloseError;
use crate::bids::idempotency::Purge;
use crate::bids::place::PlaceError;
use crate::bids::queue::{Entry, Verdict};
use crate::bids::round::{Known, Round};
use crate::bids::store;
use crate::clock::Clock;
use crate::db::{Database, DbError, Stand};
use crate::live::Live;

/// Commits one batch after the other.
pub struct Committer {
    database: Database,
    clock: Arc<dyn Clock>,
    live: Live,
    purge: Purge,
    /// What the last batch has left, and how the database stood then.
    last: Option<(Stand, Known)>,
}

/// Why a batch was not judged.
#[derive(Debug, Clone, Copy)]
enum Failure {
    Busy,
    Full,
    Broken,
}

impl Committer {
    pub fn new(database: Database, clock: Arc<dyn Clock>, live: Live) -> Self {
        let purge = Purge::starting(clock.now());
        Self { database, clock, live, purge, last: None }
    }

    /// The verdicts on `batch`, in its order. Where the database fails, all of it is taken back and everybody
    /// is told so.
    pub async fn commit(&mut self, batch: &[Entry]) -> Vec<Verdict> {
        match self.try_commit(batch).await {
            Ok(verdicts) => verdicts,
            Err(error) => {
                let failure = match error {
                    // The writer was busy for too long: nothing was judged.
                    DbError::Driver(sqlx::Error::PoolTimedOut) => Failure::Busy,
                    error => {
                        tracing::error!(
                            error = &error as &dyn std::error::Error,
                            "a batch of bids was not kept"
                        );
                        if error.is_full() { Failure::Full } else { Failure::Broken }
                    }
                };
                batch.iter().map(|entry| failure.verdict(entry)).collect()
            }
        }
    }

    /// INVARIANT: an error leaves the database as it was; verdicts are handed out after the commit alone. What is
    /// known of the database is kept only beside the stand at which it is true.
    async fn try_commit(&mut self, batch: &[Entry]) -> Result<Vec<Verdict>, DbError> {
        let last = self.last.take();
        let mut transaction = self.database.write().await?;
        let stand = Database::stand(&mut transaction).await?;
        let known = last.filter(|(then, _)| *then == stand).map(|(_, known)| known).unwrap_or_default();
        let now = self.clock.now();
        let mut round = Round::read(&mut transaction, known, batch, now).await?;
        let verdicts = batch.iter().map(|entry| self.judge(&mut round, entry)).collect();
        round.write(&mut transaction, now).await?;
        if let Some(before) = self.purge.due(now) {
            store::purge_keys(&mut transaction, before, now).await?;
        }
        let stand = Database::stand(&mut transaction).await?;
        transaction.commit().await?;
        self.live.wake(round.touched());
        self.last = Some((stand, round.into_known()));
        Ok(verdicts)
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
    fn verdict(self, entry: &Entry) -> Verdict {
        match (entry, self) {
            (Entry::Bid(_), Self::Busy) => Verdict::Bid(Err(PlaceError::Overloaded)),
            (Entry::Bid(_), Self::Full) => Verdict::Bid(Err(PlaceError::StorageFull)),
            (Entry::Bid(_), Self::Broken) => Verdict::Bid(Err(PlaceError::NotKept)),
            (Entry::Close(_), Self::Busy) => Verdict::Close(Err(CloseError::Overloaded)),
            (Entry::Close(_), Self::Full) => Verdict::Close(Err(CloseError::StorageFull)),
            (Entry::Close(_), Self::Broken) => Verdict::Close(Err(CloseError::NotKept)),
        }
    }
}

//! The group commit: what bids that wait together need is read, they are judged one after the other, and what
//! came of it is written, all inside one transaction that is on the disk before any of them is answered.

use std::sync::Arc;

use crate::bids::idempotency::Purge;
use crate::bids::place::PlaceError;
use crate::bids::queue::{Answer, Waiting};
use crate::bids::round::Round;
use crate::bids::store;
use crate::clock::Clock;
use crate::db::{Database, DbError};
use crate::live::Live;

/// Commits one batch after the other.
pub struct Committer {
    database: Database,
    clock: Arc<dyn Clock>,
    live: Live,
    purge: Purge,
}

impl Committer {
    pub fn new(database: Database, clock: Arc<dyn Clock>, live: Live) -> Self {
        let purge = Purge::starting(clock.now());
        Self { database, clock, live, purge }
    }

    /// The answers to `batch`, in its order. Where the database fails, all of it is taken back and every bid
    /// is told so.
    pub async fn commit(&mut self, batch: &[Waiting]) -> Vec<Answer> {
        match self.try_commit(batch).await {
            Ok(answers) => answers,
            Err(error) => {
                let answer = match error {
                    // The writer was busy for too long: nothing was judged.
                    DbError::Driver(sqlx::Error::PoolTimedOut) => PlaceError::Overloaded,
                    error => {
                        tracing::error!(
                            error = &error as &dyn std::error::Error,
                            "a batch of bids was not kept"
                        );
                        PlaceError::NotKept
                    }
                };
                batch.iter().map(|_| Err(answer.clone())).collect()
            }
        }
    }

    /// INVARIANT: an error leaves the database as it was; answers are handed out after the commit alone.
    async fn try_commit(&mut self, batch: &[Waiting]) -> Result<Vec<Answer>, DbError> {
        let mut transaction = self.database.write().await?;
        let mut round = Round::read(&mut transaction, batch.iter().map(|waiting| &waiting.bid)).await?;
        let mut answers = Vec::with_capacity(batch.len());
        for waiting in batch {
            answers.push(match waiting.too_long() {
                true => Err(PlaceError::Overloaded),
                false => round.place(&waiting.bid, self.clock.now()),
            });
        }
        round.write(&mut transaction).await?;
        if let Some(before) = self.purge.due(self.clock.now()) {
            store::purge_keys(&mut transaction, before, self.clock.now()).await?;
        }
        transaction.commit().await?;
        self.live.wake(round.touched());
        Ok(answers)
    }
}

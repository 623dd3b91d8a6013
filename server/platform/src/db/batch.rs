//! The turns of batches of bids: what they hold, and how that stands.

use std::collections::{BTreeSet, HashMap};

use super::{Connection, Database, DbError, Inner, Pools, Script, Stand, Transaction, pause, postgres};
use crate::ids::AuctionId;

/// A batch of bids at its turn. What it reads was there before; what it writes is done at its [end](Batch::commit).
#[derive(Debug)]
pub struct Batch(Connection);

/// What is held, and how it stands. As long as it stands so, what was read of it is still true.
#[derive(Debug)]
pub enum Held {
    /// Everything: nobody else writes at all.
    All(Stand),
    /// Auctions. What is not there is not among them.
    Auctions(HashMap<AuctionId, AuctionStand>),
}

/// How an auction stands: whoever changes something in it raises one of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuctionStand {
    /// How often something was changed apart from bids.
    pub revision: i64,
    /// The last position of its events, which each bid raises.
    pub last_position: i64,
}

impl Held {
    fn all(self) -> Option<Stand> {
        match self {
            Self::All(stand) => Some(stand),
            Self::Auctions(_) => None,
        }
    }
}

impl Database {
    /// The turn of a batch of bids: nobody else changes anything in these auctions until its commit. Where it is
    /// `believed` how they stand, they are held no sooner than by the commit, which does nothing where it is not so. On
    /// PostgreSQL the batch has a connection of its own, for which nobody else waits.
    pub async fn write_bids(
        &self,
        auctions: &BTreeSet<AuctionId>,
        believed: Option<Held>,
    ) -> Result<(Batch, Held), DbError> {
        match (&*self.0, believed) {
            (Pools::Sqlite(pools), believed) => {
                let last = believed.and_then(Held::all);
                let batch = Box::pin(pools.begin_batch(last)).await?;
                let (stand, has_changed) = (batch.stand, batch.has_changed);
                let mut batch = Batch(Connection(Inner::SqliteBatch(batch)));
                // Where it has not, it was looked at before, and the commit looks whether it has after all.
                if has_changed {
                    pause::check(&mut batch).await?;
                }
                Ok((batch, Held::All(stand)))
            }
            (Pools::Postgres(pools), Some(Held::Auctions(stands))) => {
                let batch = Box::pin(pools.begin_believing(stands.clone())).await?;
                Ok((Batch(Connection(Inner::PostgresBatch(batch))), Held::Auctions(stands)))
            }
            (Pools::Postgres(pools), _) => {
                let mut writer = Box::pin(pools.begin_batch()).await?;
                let held = postgres::hold(writer.connection(), auctions).await?;
                let mut batch = Batch(Connection(Inner::PostgresWriter(writer)));
                pause::check(&mut batch).await?;
                Ok((batch, Held::Auctions(held)))
            }
        }
    }

    /// Closes the connection of the batches, which is of no use when the thread has ended that made them.
    pub async fn end_bids(&self) {
        if let Pools::Postgres(pools) = &*self.0 {
            pools.end_bids().await;
        }
    }
}

impl Batch {
    /// Does what the script says, durably, or nothing of it. On SQLite the thread does nothing else until it is done.
    ///
    /// # Errors
    /// `Overtaken` where others have written all the same: then what was read is no longer true.
    pub async fn commit(mut self, script: Script) -> Result<(), DbError> {
        match self.0.0 {
            Inner::SqliteBatch(batch) => batch.commit(&script),
            Inner::PostgresBatch(batch) => Box::pin(batch.commit(&script)).await,
            _ => {
                self.0.run(script).await?;
                Transaction(self.0).commit().await
            }
        }
    }
}

impl std::ops::Deref for Batch {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl std::ops::DerefMut for Batch {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

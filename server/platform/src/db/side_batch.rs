//! Writes beside the batches of bids, of what these never read. On SQLite they take the connection of the
//! batches: a commit of another connection would have the batches read again what they keep.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use uuid::Uuid;

use super::lock::RowLock;
use super::sqlite::{BatchWriter, DatabaseVersion};
use super::{Connection, Database, DbError, Pools, Transaction, WriteBatch, lease};

/// A transaction that first reads, and writes with its [commit](SideBatch::commit) only. Nothing else writes
/// the rows that it has locked meanwhile.
#[derive(Debug)]
pub struct SideBatch(Kind);

#[derive(Debug)]
enum Kind {
    /// Holds the writer permit, and commits through the connection of the batches.
    Sqlite {
        connection: Connection,
        version: DatabaseVersion,
        writer: Arc<BatchWriter>,
    },
    Postgres(Transaction),
}

impl Database {
    /// Begins a transaction beside the batches of bids. INVARIANT: it writes nothing that a batch of bids
    /// caches.
    pub async fn begin_side_batch(&self) -> Result<SideBatch, DbError> {
        match &*self.0 {
            Pools::Sqlite(pools) => {
                let writer = Box::pin(pools.side_writer()).await?;
                let mut connection = Connection::from(writer);
                lease::check_writes(&mut connection).await?;
                let writer = pools.batch_writer();
                let version = writer.version()?;
                Ok(SideBatch(Kind::Sqlite { connection, version, writer }))
            }
            Pools::Postgres(_) => Ok(SideBatch(Kind::Postgres(self.write().await?))),
        }
    }
}

impl SideBatch {
    /// Locks rows, waiting for other transactions.
    pub async fn lock(&mut self, lock: RowLock, ids: &[Uuid]) -> Result<(), DbError> {
        match &mut self.0 {
            Kind::Sqlite { .. } => Ok(()),
            Kind::Postgres(transaction) => transaction.lock(lock, ids).await,
        }
    }

    /// Executes all of `writes` durably, or nothing.
    pub async fn commit(self, writes: WriteBatch) -> Result<(), DbError> {
        match self.0 {
            Kind::Sqlite { connection, version, writer } => {
                // It waits for the disk.
                let committed = tokio::task::spawn_blocking(move || {
                    let committed = writer.commit(&writes, version);
                    drop(connection);
                    committed
                });
                committed.await.map_err(|_| DbError::Gone)?
            }
            Kind::Postgres(mut transaction) => {
                transaction.run(writes).await?;
                transaction.commit().await
            }
        }
    }
}

impl Deref for SideBatch {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.0 {
            Kind::Sqlite { connection, .. } => connection,
            Kind::Postgres(transaction) => transaction,
        }
    }
}

impl DerefMut for SideBatch {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.0 {
            Kind::Sqlite { connection, .. } => connection,
            Kind::Postgres(transaction) => transaction,
        }
    }
}

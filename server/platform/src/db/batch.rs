//! Batch transactions: a batch reads first and writes everything with one commit at its end. A batch with
//! expected versions is optimistic: it takes no lock before the commit, which compares the versions.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use uuid::Uuid;

use super::lock::{RowLock, RowVersions, VersionedLock, lock_versions};
use super::postgres::Statement;
use super::sqlite::{BatchWriter, VersionCheck};
use super::{Connection, Database, DbError, Driver, Pools, Transaction, WriteBatch, lease};

/// A batch transaction. It reads committed data and writes in its [commit](Batch::commit) only.
#[derive(Debug)]
pub struct Batch(Kind);

#[derive(Debug)]
enum Kind {
    /// On SQLite: holds the writer permit, and commits through the batch writer's own connection.
    Sqlite { connection: Connection, check: VersionCheck, writer: Arc<BatchWriter> },
    /// On PostgreSQL: its one statement locks the rows, compares their versions, and writes.
    Optimistic { connection: Connection, lock: VersionedLock, expected: RowVersions },
    /// On PostgreSQL: holds the locks on its rows.
    Locked(Transaction),
}

/// What a batch locks, with its version. Data read at a version is valid until the version changes.
#[derive(Debug, Clone)]
pub enum LockedVersions {
    /// The whole file: the process has one writer.
    Database(VersionCheck),
    /// Rows, by id. A row that does not exist is not among them.
    Rows(RowVersions),
}

impl LockedVersions {
    /// Whether a row has another version in `locked`, on PostgreSQL.
    pub fn is_overtaken_by(&self, locked: &Self) -> bool {
        let (Self::Rows(known), Self::Rows(locked)) = (self, locked) else { return false };
        locked.iter().any(|(id, version)| known.get(id).is_some_and(|known| known != version))
    }

    fn database(self) -> Option<VersionCheck> {
        match self {
            Self::Database(check) => Some(check),
            Self::Rows(_) => None,
        }
    }
}

impl Database {
    /// Begins a batch with these rows locked until its commit. With the `expected` versions of all rows it is
    /// optimistic: the commit locks them, and writes nothing if a version differs. On PostgreSQL, batches
    /// have a connection of their own, so that they never wait for the shared pool.
    pub async fn begin_batch(
        &self,
        lock: VersionedLock,
        ids: &[Uuid],
        expected: Option<LockedVersions>,
    ) -> Result<(Batch, LockedVersions), DbError> {
        match (&*self.0, expected) {
            (Pools::Sqlite(pools), expected) => {
                let last = expected.and_then(LockedVersions::database);
                let (writer, check, has_changed) = Box::pin(pools.begin_batch(last)).await?;
                let mut connection = Connection::from(writer);
                // Otherwise the lease was read at `last`, and the commit checks that it is unchanged.
                if has_changed {
                    lease::check_writes(&mut connection).await?;
                }
                let batch = Kind::Sqlite { connection, check, writer: pools.batch_writer() };
                Ok((Batch(batch), LockedVersions::Database(check)))
            }
            (Pools::Postgres(pools), Some(LockedVersions::Rows(expected))) => {
                let connection = Box::pin(pools.batch_connection()).await?.into();
                let batch = Kind::Optimistic { connection, lock, expected: expected.clone() };
                Ok((Batch(batch), LockedVersions::Rows(expected)))
            }
            (Pools::Postgres(pools), _) => {
                let mut transaction = Transaction::begin(Box::pin(pools.batch_connection()).await?).await?;
                let versions = match transaction.driver() {
                    Driver::Postgres(connection) => lock_versions(connection, lock, ids).await?,
                    Driver::Sqlite(_) => RowVersions::new(),
                };
                transaction.answered();
                Ok((Batch(Kind::Locked(transaction)), LockedVersions::Rows(versions)))
            }
        }
    }

    /// Closes the connection of the batches. To be called before the thread that runs the batches ends.
    pub async fn end_batches(&self) {
        if let Pools::Postgres(pools) = &*self.0 {
            pools.end_batches().await;
        }
    }
}

impl Batch {
    /// Locks further rows, waiting for other transactions. An optimistic batch locks nothing before its
    /// commit.
    pub async fn lock(&mut self, lock: RowLock, ids: &[Uuid]) -> Result<(), DbError> {
        match &mut self.0 {
            Kind::Locked(transaction) if !ids.is_empty() => transaction.lock(lock, ids).await,
            Kind::Locked(_) | Kind::Sqlite { .. } | Kind::Optimistic { .. } => Ok(()),
        }
    }

    /// Executes all of `writes` durably, or nothing. On SQLite this blocks the thread.
    ///
    /// # Errors
    /// `Overtaken` if a version differs: the data that was read is outdated. After any error except a broken
    /// connection, nothing was written.
    pub async fn commit(self, writes: WriteBatch) -> Result<(), DbError> {
        match self.0 {
            Kind::Sqlite { connection, check, writer } => {
                let committed = writer.commit(&writes, check.version);
                drop(connection);
                committed
            }
            Kind::Optimistic { mut connection, lock, expected } => {
                Box::pin(commit_if(&mut connection, lock, &expected, &writes)).await
            }
            Kind::Locked(mut transaction) => {
                transaction.run(writes).await?;
                transaction.commit().await
            }
        }
    }
}

async fn commit_if(
    connection: &mut Connection,
    lock: VersionedLock,
    expected: &RowVersions,
    writes: &WriteBatch,
) -> Result<(), DbError> {
    // A second stage sees the writes of the first, so it needs a second statement: only a transaction can
    // hold both.
    let [stage] = &*writes.stages else { return Err(DbError::Overtaken) };
    let statement = Statement::expecting(lock, expected, stage)?;
    let is_done = match connection.driver() {
        Driver::Postgres(driver) => statement.run(driver, &writes.notifications).await?,
        Driver::Sqlite(_) => false,
    };
    connection.answered();
    if is_done { Ok(()) } else { Err(DbError::Overtaken) }
}

impl Deref for Batch {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.0 {
            Kind::Sqlite { connection, .. } | Kind::Optimistic { connection, .. } => connection,
            Kind::Locked(transaction) => transaction,
        }
    }
}

impl DerefMut for Batch {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.0 {
            Kind::Sqlite { connection, .. } | Kind::Optimistic { connection, .. } => connection,
            Kind::Locked(transaction) => transaction,
        }
    }
}

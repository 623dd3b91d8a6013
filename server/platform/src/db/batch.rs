//! Transactions of batches: they read first, and write everything with one commit at their end. A batch that knows the
//! versions of what it reads is optimistic: it locks nothing before that commit, which checks the versions.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use uuid::Uuid;

use super::lock::{RowVersions, VersionedLock, lock_versions};
use super::postgres::Statement;
use super::sqlite::{Ledger, VersionCheck};
use super::{Connection, Database, DbError, Driver, Pools, Transaction, WriteBatch, lease};

/// A batch. It reads what was committed before it; what it writes is done by its [commit](Batch::commit).
#[derive(Debug)]
pub struct Batch(Kind);

#[derive(Debug)]
enum Kind {
    /// On SQLite: has the writer's permit, and commits through the ledger's own connection.
    Ledger { connection: Connection, check: VersionCheck, ledger: Arc<Ledger> },
    /// On PostgreSQL: its one statement locks the rows, compares their versions, and writes.
    Optimistic { connection: Connection, lock: VersionedLock, expected: RowVersions },
    /// On PostgreSQL: has locked its rows.
    Locked(Transaction),
}

/// What a batch locks, and in which version. As long as the version is the same, what was read of it is still true.
#[derive(Debug)]
pub enum LockedVersions {
    /// The whole file: the process has one writer.
    Database(VersionCheck),
    /// Rows, by id. A row that does not exist is not among them.
    Rows(RowVersions),
}

impl LockedVersions {
    fn database(self) -> Option<VersionCheck> {
        match self {
            Self::Database(check) => Some(check),
            Self::Rows(_) => None,
        }
    }
}

impl Database {
    /// A batch with these rows locked until its commit. With the `expected` versions of all of them it is optimistic: it
    /// locks them no sooner than in its commit, which does nothing if a version differs. On PostgreSQL batches have a
    /// connection of their own, for which no other transaction waits.
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
                // Otherwise the lease was read at `last`, and the commit finds out whether it has changed after all.
                if has_changed {
                    lease::check_writes(&mut connection).await?;
                }
                let batch = Kind::Ledger { connection, check, ledger: pools.ledger() };
                Ok((Batch(batch), LockedVersions::Database(check)))
            }
            (Pools::Postgres(pools), Some(LockedVersions::Rows(expected))) => {
                let connection = Box::pin(pools.ledger()).await?.into();
                let batch = Kind::Optimistic { connection, lock, expected: expected.clone() };
                Ok((Batch(batch), LockedVersions::Rows(expected)))
            }
            (Pools::Postgres(pools), _) => {
                let mut transaction = Transaction::begin(Box::pin(pools.ledger()).await?).await?;
                let versions = match transaction.driver() {
                    Driver::Postgres(connection) => lock_versions(connection, lock, ids).await?,
                    Driver::Sqlite(_) => RowVersions::new(),
                };
                lease::check_writes(&mut transaction).await?;
                Ok((Batch(Kind::Locked(transaction)), LockedVersions::Rows(versions)))
            }
        }
    }

    /// Closes the connection of the batches, which is of no use once the thread has ended that made them.
    pub async fn end_batches(&self) {
        if let Pools::Postgres(pools) = &*self.0 {
            pools.end_batches().await;
        }
    }
}

impl Batch {
    /// Executes `writes` durably, or nothing of it. On SQLite the thread does nothing else until it is done.
    ///
    /// # Errors
    /// `Overtaken` where another transaction has changed what was locked: then what was read is no longer true. After
    /// any error but that of a broken connection nothing was done.
    pub async fn commit(self, writes: WriteBatch) -> Result<(), DbError> {
        match self.0 {
            Kind::Ledger { connection, check, ledger } => {
                let committed = ledger.commit(&writes, check.version);
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
    // A second stage sees what the first has done, which takes a second statement: only a transaction can hold both.
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
            Kind::Ledger { connection, .. } | Kind::Optimistic { connection, .. } => connection,
            Kind::Locked(transaction) => transaction,
        }
    }
}

impl DerefMut for Batch {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.0 {
            Kind::Ledger { connection, .. } | Kind::Optimistic { connection, .. } => connection,
            Kind::Locked(transaction) => transaction,
        }
    }
}

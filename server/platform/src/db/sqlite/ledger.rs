//! The connection that writes the batches of bids. It does a whole [`WriteBatch`] in one call, on the thread that calls:
//! each turn between threads costs as much as several bids. Meanwhile that thread does nothing else, so that it
//! should be one that has nothing else to do.

use std::path::Path;

use parking_lot::{Mutex, MutexGuard};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, TransactionBehavior};

use super::{LOG_BYTES, LOG_PAGES};
use crate::db::query::Value;
use crate::db::{DbError, WAIT_MAX, WriteBatch};

/// Statements that stay prepared: more than a batch has.
const STATEMENTS: usize = 32;

/// The version of the file as the ledger sees it: every commit of another connection changes it, no commit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseVersion(i64);

/// The connection; `None` once it is closed.
#[derive(Debug)]
pub(in crate::db) struct Ledger(Mutex<Option<Connection>>);

impl Ledger {
    /// Opens the file, which is there with its schema.
    pub(super) fn open(path: &Path) -> Result<Self, rusqlite::Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(WAIT_MAX)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        // Answers with what it has set.
        connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self(Mutex::new(Some(connection))))
    }

    pub(super) fn version(&self) -> Result<DatabaseVersion, DbError> {
        self.with(|connection| Ok(version(connection)?))
    }

    /// Executes `writes` in one durable transaction.
    ///
    /// # Errors
    /// `Overtaken` where another connection has written since `expected`. After any error nothing of it was done.
    pub(in crate::db) fn commit(
        &self,
        writes: &WriteBatch,
        expected: DatabaseVersion,
    ) -> Result<(), DbError> {
        self.with(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if version(&transaction)? != expected {
                return Err(DbError::Overtaken);
            }
            for (change, rows) in writes.changes() {
                let mut statement = transaction.prepare_cached(change.sqlite)?;
                for row in rows {
                    statement.execute(rusqlite::params_from_iter(row))?;
                }
            }
            Ok(transaction.commit()?)
        })
    }

    /// Moves the log into the file, also beside a reader that is not back yet.
    pub(super) fn close(&self) {
        if let Some(connection) = self.lock().take() {
            // What stays in the log is read from there the next time.
            let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> Result<T, DbError>) -> Result<T, DbError> {
        work(self.lock().as_mut().ok_or(DbError::Gone)?)
    }

    /// A transaction that a panic leaves behind takes itself back.
    fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.0.lock()
    }
}

fn version(connection: &Connection) -> Result<DatabaseVersion, rusqlite::Error> {
    connection.prepare_cached("PRAGMA data_version")?.query_one([], |row| row.get(0).map(DatabaseVersion))
}

impl ToSql for Value {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Id(Some(id)) => ValueRef::Blob(id.as_bytes()),
            Self::Number(Some(number)) => ValueRef::Integer(*number),
            Self::Flag(flag) => ValueRef::Integer(i64::from(*flag)),
            Self::Text(None) | Self::Id(None) | Self::Number(None) => ValueRef::Null,
        }))
    }
}

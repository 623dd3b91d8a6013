//! The connection that writes batches of bids. It executes a whole [`WriteBatch`] in one call on the calling
//! thread, because each switch between threads costs as much as several bids. The call blocks, so the thread
//! should run nothing else.

use std::path::Path;

use parking_lot::{Mutex, MutexGuard};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql};
use scopeguard::ScopeGuard;

use super::{LOG_BYTES, LOG_PAGES};
use crate::db::query::Value;
use crate::db::{DbError, WAIT_MAX, WriteBatch};

/// Size of the cache of prepared statements: more than a batch and the writes beside it have.
const STATEMENTS: usize = 32;

/// The version of the file as the batch writer sees it: every commit of another connection changes it, a
/// commit of its own does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseVersion(i64);

/// The connection; `None` once it is closed.
#[derive(Debug)]
pub(in crate::db) struct BatchWriter(Mutex<Option<Connection>>);

impl BatchWriter {
    /// Opens the file, which must exist with its schema.
    pub(super) fn open(path: &Path) -> Result<Self, rusqlite::Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(WAIT_MAX)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        // This pragma returns a row.
        connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self(Mutex::new(Some(connection))))
    }

    pub(in crate::db) fn version(&self) -> Result<DatabaseVersion, DbError> {
        self.with(|connection| Ok(version(connection)?))
    }

    /// Executes `writes` in one durable transaction.
    ///
    /// # Errors
    /// `Overtaken` if another connection has written since `expected`. After any error, nothing was written.
    pub(in crate::db) fn commit(
        &self,
        writes: &WriteBatch,
        expected: DatabaseVersion,
    ) -> Result<(), DbError> {
        self.with(|connection| {
            let connection = &*connection;
            // Prepared once, unlike those of rusqlite's own transactions.
            connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            let open = scopeguard::guard(connection, roll_back);
            if version(connection)? != expected {
                return Err(DbError::Overtaken);
            }
            for (change, rows) in writes.changes() {
                let mut statement = connection.prepare_cached(change.sqlite)?;
                for row in rows.iter() {
                    statement.execute(rusqlite::params_from_iter(row))?;
                }
            }
            connection.prepare_cached("COMMIT")?.execute([])?;
            ScopeGuard::into_inner(open);
            Ok(())
        })
    }

    /// Moves the log into the file, as far as open readers allow, and closes the connection.
    pub(super) fn close(&self) {
        if let Some(connection) = self.lock().take() {
            // The rest of the log is read at the next start.
            let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> Result<T, DbError>) -> Result<T, DbError> {
        work(self.lock().as_mut().ok_or(DbError::Gone)?)
    }

    /// Not poisoned by a panic: the transaction was rolled back when it was dropped.
    fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.0.lock()
    }
}

/// Ends the transaction, unless the error that it is ended for has done so.
fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
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

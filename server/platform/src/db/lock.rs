//! Row locks, which rooms declare: the SQL that locks rows of one table by their ids.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;
use uuid::Uuid;

use super::lease::IS_CLOSED;
use super::{Connection, Database, DbError, Driver, Transaction};

/// Locks rows against all other writers until the end of the transaction.
#[derive(Debug, Clone, Copy)]
pub struct RowLock {
    /// For one id, `$1`. SQLite has one writer and needs no row locks: this is only for a lock that also
    /// changes the row.
    pub sqlite: Option<&'static str>,
    /// For an array of ids, `$1`. INVARIANT: locks in the order of the ids, which prevents deadlocks.
    pub postgres: &'static str,
}

/// Locks rows and returns the id and the version of each: a number that every change of the row increments.
/// On SQLite the version of the file is used instead.
#[derive(Debug, Clone, Copy)]
pub struct VersionedLock {
    /// For an array of ids, `$1`: columns `id` and `version`, rows locked in the order of the ids.
    pub postgres: &'static str,
}

/// Versions of locked rows by id. A row that does not exist has no entry.
pub(super) type RowVersions = HashMap<Uuid, i64>;

impl Database {
    /// Begins a transaction and locks these rows.
    pub async fn write_locking(&self, lock: RowLock, ids: &[Uuid]) -> Result<Transaction, DbError> {
        let mut transaction = self.write().await?;
        transaction.lock(lock, ids).await?;
        Ok(transaction)
    }
}

impl Transaction {
    /// Locks these rows, waiting for other transactions.
    pub async fn lock(&mut self, lock: RowLock, ids: &[Uuid]) -> Result<(), DbError> {
        let connection: &mut Connection = self;
        match (connection.driver(), lock.sqlite) {
            (Driver::Sqlite(connection), Some(sql)) => {
                for id in ids {
                    sqlx::query(sql).bind(id).execute(&mut *connection).await?;
                }
            }
            (Driver::Sqlite(_), None) => {}
            (Driver::Postgres(connection), _) => {
                sqlx::query(lock.postgres).bind(ids).execute(connection).await?;
            }
        }
        connection.answered();
        Ok(())
    }
}

/// Locks these rows, waiting for other transactions, and returns their versions. In the same statement it
/// checks that writes are not closed, as [`check_writes`](super::lease::check_writes) does.
pub(super) async fn lock_versions(
    connection: &mut PgConnection,
    lock: VersionedLock,
    ids: &[Uuid],
) -> Result<RowVersions, DbError> {
    let sql = format!(
        "SELECT EXISTS ({}), locked.id, locked.version
         FROM (SELECT 1) AS always LEFT JOIN ({}) AS locked ON TRUE",
        IS_CLOSED.postgres, lock.postgres
    );
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(ids);
    let rows: Vec<(bool, Option<Uuid>, Option<i64>)> = query.fetch_all(connection).await?;
    if rows.iter().any(|(is_closed, ..)| *is_closed) {
        return Err(DbError::Paused);
    }
    Ok(rows.into_iter().filter_map(|(_, id, version)| id.zip(version)).collect())
}

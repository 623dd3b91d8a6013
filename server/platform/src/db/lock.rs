//! Row locks, which rooms declare: the SQL that locks rows of one table by their ids.

use std::collections::HashMap;

use sqlx::postgres::PgConnection;
use uuid::Uuid;

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

/// Locks these rows, waiting for other transactions, and returns their versions.
pub(super) async fn lock_versions(
    connection: &mut PgConnection,
    lock: VersionedLock,
    ids: &[Uuid],
) -> Result<RowVersions, DbError> {
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(lock.postgres).bind(ids).fetch_all(connection).await?;
    Ok(rows.into_iter().collect())
}

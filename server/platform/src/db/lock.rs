//! Row locks, as rooms declare them: the SQL that locks the rows of one kind, given their ids.

use std::collections::HashMap;

use sqlx::postgres::PgConnection;
use uuid::Uuid;

use super::{Connection, Database, DbError, Driver, Transaction};

/// Locks rows against all other writers until the end of the transaction.
#[derive(Debug, Clone, Copy)]
pub struct RowLock {
    /// For one id, `$1`. SQLite has one writer, so that this changes what the lock changes beside, if anything.
    pub sqlite: Option<&'static str>,
    /// For an array of ids, `$1`. INVARIANT: locks in the order of the ids, so that no two transactions wait for each
    /// other.
    pub postgres: &'static str,
}

/// Locks rows and answers with the id of each and its version: a number that every change of the row raises. On SQLite
/// the version of the file stands for that of each row.
#[derive(Debug, Clone, Copy)]
pub struct VersionedLock {
    /// For an array of ids, `$1`: columns `id` and `version`, rows locked in the order of the ids.
    pub postgres: &'static str,
}

/// Versions of locked rows by their ids. A row that does not exist has none.
pub(super) type RowVersions = HashMap<Uuid, i64>;

impl Database {
    /// A transaction with these rows locked.
    pub async fn write_locking(&self, lock: RowLock, ids: &[Uuid]) -> Result<Transaction, DbError> {
        let mut transaction = self.write().await?;
        transaction.lock(lock, ids).await?;
        Ok(transaction)
    }
}

impl Transaction {
    /// Waits until it has locked these rows.
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

/// Waits until it has locked these rows.
pub(super) async fn lock_versions(
    connection: &mut PgConnection,
    lock: VersionedLock,
    ids: &[Uuid],
) -> Result<RowVersions, DbError> {
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(lock.postgres).bind(ids).fetch_all(connection).await?;
    Ok(rows.into_iter().collect())
}

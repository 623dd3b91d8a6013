//! Connections, which store functions take. A [`Transaction`] and a [`Batch`](super::Batch) dereference to a
//! [`Connection`]; only they have a commit. So does a [`Snapshot`], which has none.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use deadpool::managed::Object;
use scopeguard::{ScopeGuard, guard};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use tokio::runtime::Handle;

use super::{DbError, WAIT_MAX, postgres, sqlite};
use crate::touched_rows::{self, ROWS_OF_A_PART};

/// A transaction that took longer is logged.
const HELD_LONG: Duration = Duration::from_millis(50);

/// A connection to either database, to read with. Only a [`Transaction`] executes statements that write.
#[derive(Debug)]
pub struct Connection(Kind);

#[derive(Debug)]
enum Kind {
    SqliteReader(sqlite::PooledConnection),
    SqliteWriter(sqlite::Writer),
    Postgres(postgres::PooledConnection),
}

/// The driver's connection.
pub(super) enum Driver<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// A transaction. It is rolled back if it is dropped without `commit`.
#[derive(Debug)]
pub struct Transaction {
    connection: ScopeGuard<Connection, fn(Connection)>,
    /// The rows that it has changed, by their tables.
    touched: HashMap<String, u64>,
    held: Held,
}

/// How long a transaction keeps others waiting. It counts for the request whether it is committed or not.
#[derive(Debug)]
struct Held {
    since: Instant,
}

impl Drop for Held {
    fn drop(&mut self) {
        touched_rows::hold(self.since.elapsed());
    }
}

impl From<sqlite::PooledConnection> for Connection {
    fn from(reader: sqlite::PooledConnection) -> Self {
        Self(Kind::SqliteReader(reader))
    }
}

impl From<sqlite::Writer> for Connection {
    fn from(writer: sqlite::Writer) -> Self {
        Self(Kind::SqliteWriter(writer))
    }
}

impl From<postgres::PooledConnection> for Connection {
    fn from(connection: postgres::PooledConnection) -> Self {
        Self(Kind::Postgres(connection))
    }
}

impl Connection {
    pub(super) fn driver(&mut self) -> Driver<'_> {
        match &mut self.0 {
            Kind::SqliteReader(reader) => Driver::Sqlite(reader),
            Kind::SqliteWriter(writer) => Driver::Sqlite(&mut writer.connection),
            Kind::Postgres(pooled) => Driver::Postgres(pooled.connection()),
        }
    }

    /// Marks the connection as healthy after a successful statement.
    pub(super) fn answered(&mut self) {
        match &mut self.0 {
            Kind::Postgres(pooled) => pooled.answered(),
            // A connection to a local file does not break.
            Kind::SqliteReader(_) | Kind::SqliteWriter(_) => {}
        }
    }

    /// Begins, commits or rolls back a transaction, or changes its settings.
    pub(super) async fn control(
        &mut self,
        sqlite: &'static str,
        postgres: &'static str,
    ) -> Result<(), sqlx::Error> {
        match self.driver() {
            Driver::Sqlite(connection) => sqlx::raw_sql(sqlite).execute(connection).await.map(drop)?,
            Driver::Postgres(connection) => sqlx::raw_sql(postgres).execute(connection).await.map(drop)?,
        }
        self.answered();
        Ok(())
    }

    /// Closes the connection instead of returning it to its pool, which ends its transaction.
    fn discard(self) {
        match self.0 {
            Kind::SqliteReader(reader) => drop(Object::take(reader)),
            Kind::SqliteWriter(writer) => writer.discard(),
            Kind::Postgres(pooled) => drop(Object::take(pooled)),
        }
    }
}

impl Transaction {
    pub(super) async fn begin(connection: impl Into<Connection>) -> Result<Self, DbError> {
        // From here on it is rolled back, even if the caller is cancelled during `BEGIN`.
        let connection = guard(connection.into(), roll_back as fn(Connection));
        let held = Held { since: Instant::now() };
        let mut transaction = Self { connection, touched: HashMap::new(), held };
        Box::pin(transaction.control("BEGIN IMMEDIATE", "BEGIN")).await?;
        Ok(transaction)
    }

    /// Commits. When it returns, everything is durable.
    pub async fn commit(mut self) -> Result<(), DbError> {
        Box::pin(self.control("COMMIT", "COMMIT")).await?;
        drop(ScopeGuard::into_inner(self.connection));
        touched_rows::add(&self.touched);
        report(&self.touched, self.held.since.elapsed());
        Ok(())
    }

    /// Counts rows of a table that were changed, for the user of the request. Statements count their own;
    /// rows that are deleted with another are to be counted here.
    pub fn touch(&mut self, table: &str, rows: u64) {
        match self.touched.get_mut(table) {
            Some(touched) => *touched += rows,
            None => drop(self.touched.insert(table.to_owned(), rows)),
        }
    }
}

/// Says in the log that a transaction has changed many rows, or kept others waiting for long.
fn report(touched: &HashMap<String, u64>, held: Duration) {
    let most = touched.iter().max_by_key(|(_, rows)| **rows);
    let (table, rows) = most.map_or(("", 0), |(table, rows)| (table.as_str(), *rows));
    if rows > ROWS_OF_A_PART || held > HELD_LONG {
        let milliseconds = u64::try_from(held.as_millis()).unwrap_or(u64::MAX);
        let in_turn = touched_rows::has_turn();
        tracing::debug!(table, rows, milliseconds, in_turn, "a transaction was large or long");
    }
}

/// A transaction that only reads: every statement sees the database as it was at the first one.
#[derive(Debug)]
pub struct Snapshot(ScopeGuard<Connection, fn(Connection)>);

impl Snapshot {
    pub(super) async fn begin(connection: impl Into<Connection>) -> Result<Self, DbError> {
        let mut snapshot = Self(guard(connection.into(), roll_back));
        Box::pin(snapshot.control("BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")).await?;
        Ok(snapshot)
    }
}

impl Deref for Snapshot {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Snapshot {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// Rolls back in the background, at once: other transactions may wait for the locks.
fn roll_back(mut connection: Connection) {
    // Without a runtime the statement cannot be executed.
    let Ok(runtime) = Handle::try_current() else { return connection.discard() };
    runtime.spawn(async move {
        let rolled_back = tokio::time::timeout(WAIT_MAX, connection.control("ROLLBACK", "ROLLBACK")).await;
        // SQLite rolls back by itself if the disk is full, and then refuses a second rollback.
        if !matches!(rolled_back, Ok(Ok(()))) {
            connection.discard();
        }
    });
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;
    use crate::db::Database;
    use crate::touched_rows::TouchedRows;

    #[tokio::test]
    async fn a_transaction_keeps_others_waiting_whether_it_is_committed_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite://{}", folder.path().join("farthing.db").display());
        let database = Database::open(&address).await.unwrap();
        TouchedRows::scope(async {
            let request = TouchedRows::of_request().unwrap();
            for is_committed in [true, false] {
                request.begin_turn();
                let transaction = database.write_always().await.unwrap();
                assert!(database.write_always().now_or_never().is_none(), "another waits");
                match is_committed {
                    true => transaction.commit().await.unwrap(),
                    false => drop(transaction),
                }
                assert!(request.end_turn() > Duration::ZERO, "committed: {is_committed}");
            }
        })
        .await;
    }
}

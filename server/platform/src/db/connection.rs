//! What store functions work on: a [`Connection`] to read with. A [`Transaction`] and a [`Batch`](super::Batch)
//! dereference to it, and only they have a commit.

use std::ops::{Deref, DerefMut};

use deadpool::managed::Object;
use scopeguard::{ScopeGuard, guard};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use tokio::runtime::Handle;

use super::{DbError, WAIT_MAX, postgres, sqlite};

/// A connection to either database. By itself it is to read with; inside of a transaction it writes as well.
#[derive(Debug)]
pub struct Connection(Link);

#[derive(Debug)]
enum Link {
    SqliteReader(sqlite::Reader),
    SqliteWriter(sqlite::Writer),
    Postgres(postgres::Link),
}

/// A connection as its driver has it.
pub(super) enum Driver<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// A transaction. Dropped without `commit` it is rolled back.
#[derive(Debug)]
pub struct Transaction(ScopeGuard<Connection, fn(Connection)>);

impl From<sqlite::Reader> for Connection {
    fn from(reader: sqlite::Reader) -> Self {
        Self(Link::SqliteReader(reader))
    }
}

impl From<sqlite::Writer> for Connection {
    fn from(writer: sqlite::Writer) -> Self {
        Self(Link::SqliteWriter(writer))
    }
}

impl From<postgres::Link> for Connection {
    fn from(link: postgres::Link) -> Self {
        Self(Link::Postgres(link))
    }
}

impl Connection {
    pub(super) fn driver(&mut self) -> Driver<'_> {
        match &mut self.0 {
            Link::SqliteReader(reader) => Driver::Sqlite(reader),
            Link::SqliteWriter(writer) => Driver::Sqlite(&mut writer.connection),
            Link::Postgres(link) => Driver::Postgres(link.connection()),
        }
    }

    /// Marks the connection as healthy after the answer to a statement.
    pub(super) fn answered(&mut self) {
        match &mut self.0 {
            Link::Postgres(link) => link.answered(),
            // A file is there as long as the machine is.
            Link::SqliteReader(_) | Link::SqliteWriter(_) => {}
        }
    }

    /// Begins, commits or rolls back a transaction.
    async fn control(&mut self, sqlite: &'static str, postgres: &'static str) -> Result<(), sqlx::Error> {
        match self.driver() {
            Driver::Sqlite(connection) => sqlx::raw_sql(sqlite).execute(connection).await.map(drop)?,
            Driver::Postgres(connection) => sqlx::raw_sql(postgres).execute(connection).await.map(drop)?,
        }
        self.answered();
        Ok(())
    }

    /// Closes the connection instead of giving it back to its pool. Its transaction ends with it.
    fn discard(self) {
        match self.0 {
            Link::SqliteReader(reader) => drop(Object::take(reader)),
            Link::SqliteWriter(writer) => writer.discard(),
            Link::Postgres(link) => drop(Object::take(link)),
        }
    }
}

impl Transaction {
    pub(super) async fn begin(connection: impl Into<Connection>) -> Result<Self, DbError> {
        // From here on it is rolled back, also if its caller is cancelled while it begins.
        let mut transaction = Self(guard(connection.into(), roll_back));
        Box::pin(transaction.control("BEGIN IMMEDIATE", "BEGIN")).await?;
        Ok(transaction)
    }

    /// Commits. When it returns, everything is durable.
    pub async fn commit(mut self) -> Result<(), DbError> {
        Box::pin(self.control("COMMIT", "COMMIT")).await?;
        drop(ScopeGuard::into_inner(self.0));
        Ok(())
    }
}

/// At once, since other transactions may wait for its locks.
fn roll_back(mut connection: Connection) {
    // Without a runtime nobody can wait for the answer.
    let Ok(runtime) = Handle::try_current() else { return connection.discard() };
    runtime.spawn(async move {
        let rolled_back = tokio::time::timeout(WAIT_MAX, connection.control("ROLLBACK", "ROLLBACK")).await;
        // SQLite rolls back by itself where the disk is full, and then refuses to do it again.
        if !matches!(rolled_back, Ok(Ok(()))) {
            connection.discard();
        }
    });
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

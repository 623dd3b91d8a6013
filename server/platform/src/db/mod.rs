//! The boundary to the database: an embedded SQLite file, or PostgreSQL for those who outgrow it. Only this folder
//! names a driver; the stores take a [`Connection`] and write statements as [`query`] has them.
//!
//! Writers never meet. SQLite has one writer at a time: its transaction begins immediately. On PostgreSQL whoever
//! changes something in an auction [holds](Database::write_in) its row, and so does a batch with
//! [bids in it](Database::write_bids), with the head of the auction's events; whoever changes an account holds its row.
//! Locks are taken in one order, auctions by id, each with its head, then accounts, then the system's settings, so that
//! nobody waits in a circle.
//!
//! The drivers' futures are large, several kilobytes each. They are boxed here, so that a request that asks nothing of
//! the database does not carry room for them.

mod batch;
pub mod copy;
mod error;
mod pause;
mod pool;
mod postgres;
mod query;
mod schema;
mod script;
mod sqlite;

use std::sync::Arc;
use std::time::Duration;

pub use batch::{AuctionStand, Batch, Held};
pub use error::{DbError, OpenError};
pub use pause::close_writes;
pub use pause::with_now;
pub use query::for_each_row;
pub use query::{Row, Sql, Value, query, query_scalar};
pub use schema::{MIGRATIONS, SchemaError, compare_with};
pub use script::{Change, PostgresChange, Script};
pub use script::{another, cells, change};
pub use sqlite::Stand;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;

use crate::ids::{AuctionId, UserId};
use crate::time::{Clock, Moment, SystemClock};

/// How long anybody waits for a connection, or for who else has the database to themselves.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// An id as it was stored.
pub fn stored_id<T: std::str::FromStr>(text: &str) -> Result<T, DbError> {
    text.parse().map_err(|_| DbError::Corrupt(format!("`{text}` is no id")))
}

/// A moment as it was stored.
pub fn stored_moment(millis: i64) -> Result<Moment, DbError> {
    Moment::from_millis(millis).ok_or_else(|| DbError::Corrupt(format!("{millis} is no moment")))
}

/// Many rows as [`for_each_row`] takes them.
pub fn rows<T: serde::Serialize>(rows: impl IntoIterator<Item = T>) -> Result<String, DbError> {
    let rows: Vec<T> = rows.into_iter().collect();
    serde_json::to_string(&rows).map_err(|error| DbError::Corrupt(error.to_string()))
}

/// See the module. Copies are the same.
#[derive(Debug, Clone)]
pub struct Database(Arc<Pools>);

#[derive(Debug)]
enum Pools {
    Sqlite(sqlite::Pools),
    Postgres(postgres::Pools),
}

/// What a store function works on: a connection, or the inside of a transaction.
#[derive(Debug)]
pub struct Connection(Inner);

#[derive(Debug)]
enum Inner {
    SqliteReader(sqlite::Reader),
    SqliteWriter(sqlite::Writer),
    SqliteBatch(sqlite::Batch),
    Postgres(postgres::Link),
    PostgresWriter(postgres::Writer),
    PostgresBatch(postgres::Batch),
}

/// A connection as its driver has it.
enum Driver<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// A connection in a transaction. Dropped without `commit` it is rolled back.
#[derive(Debug)]
pub struct Transaction(Connection);

fn is_postgres(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

impl Database {
    /// Opens the database at `address`, `sqlite://PATH` or `postgres://…`, and brings its schema up to date. A
    /// SQLite file that is missing is created, and kept from a second process.
    pub async fn open(address: &str) -> Result<Self, OpenError> {
        let pools = if is_postgres(address) {
            Pools::Postgres(postgres::open(address).await?)
        } else {
            Pools::Sqlite(sqlite::open(address).await?)
        };
        Ok(Self(Arc::new(pools)))
    }

    /// Opens the database also beside a server that has it in use. That one has brought the schema up to date.
    pub async fn open_in_use(address: &str) -> Result<Self, OpenError> {
        match Self::open(address).await {
            Err(OpenError::Taken(_)) => {
                Ok(Self(Arc::new(Pools::Sqlite(sqlite::open_in_use(address).await?))))
            }
            opened => opened,
        }
    }

    /// Brings the schema up to date as part of an update whose run has closed writes: then also beside the server.
    pub async fn migrate_in_update(address: &str, run: &str) -> Result<(), OpenError> {
        if !is_postgres(address) {
            let db = Self(Arc::new(Pools::Sqlite(sqlite::open_in_use(address).await?)));
            let is_ours = async { pause::is_closed_by(&mut db.read().await?, run).await };
            let migrated = match &*db.0 {
                Pools::Sqlite(pools) if is_ours.await.unwrap_or(false) => Some(pools.migrate().await),
                _ => None,
            };
            db.close().await;
            if let Some(migrated) = migrated {
                return migrated;
            }
        }
        Self::open(address).await?.close().await;
        Ok(())
    }

    /// Tries whether the schema can be brought up to date, in a transaction that is taken back.
    pub async fn try_migrate(address: &str) -> Result<(), OpenError> {
        if is_postgres(address) {
            postgres::try_migrate(address).await
        } else {
            sqlite::try_migrate(address).await
        }
    }

    /// Whether an update has closed writes.
    pub async fn is_paused(&self) -> Result<bool, DbError> {
        match pause::check(&mut self.read().await?).await {
            Err(DbError::Paused) => Ok(true),
            looked => looked.map(|()| false),
        }
    }

    /// Whether the database is another process, and maybe another machine.
    pub fn is_remote(&self) -> bool {
        matches!(&*self.0, Pools::Postgres(_))
    }

    /// A connection to read with.
    pub async fn read(&self) -> Result<Connection, DbError> {
        Ok(Connection(match &*self.0 {
            Pools::Sqlite(pools) => Inner::SqliteReader(Box::pin(pools.read()).await?),
            Pools::Postgres(pools) => Inner::Postgres(Box::pin(pools.read()).await?),
        }))
    }

    /// A transaction that changes neither an auction nor an account that is there already.
    pub async fn write(&self) -> Result<Transaction, DbError> {
        let mut transaction = self.write_always().await?;
        pause::check(&mut transaction).await?;
        Ok(transaction)
    }

    /// The same also while an update has closed writes: for the update itself.
    pub async fn write_always(&self) -> Result<Transaction, DbError> {
        Ok(Transaction(Connection(match &*self.0 {
            Pools::Sqlite(pools) => Inner::SqliteWriter(Box::pin(pools.begin()).await?),
            Pools::Postgres(pools) => Inner::PostgresWriter(Box::pin(pools.begin()).await?),
        })))
    }

    /// A transaction during which nobody else writes in these auctions, bids included.
    pub async fn write_in(&self, auctions: &[AuctionId]) -> Result<Transaction, DbError> {
        let mut transaction = self.write().await?;
        match transaction.driver() {
            Driver::Sqlite(connection) => sqlite::change_auctions(connection, auctions).await?,
            Driver::Postgres(connection) => postgres::change_auctions(connection, auctions).await?,
        }
        Ok(transaction)
    }

    /// A transaction during which nobody else writes this user's account.
    pub async fn write_as(&self, user: UserId) -> Result<Transaction, DbError> {
        let mut transaction = self.write().await?;
        transaction.hold_user(user).await?;
        Ok(transaction)
    }

    /// What time it is: several servers on one PostgreSQL go by its clock (contract, section 9).
    pub async fn clock(&self) -> Result<Arc<dyn Clock>, DbError> {
        match &*self.0 {
            Pools::Sqlite(_) => Ok(Arc::new(SystemClock)),
            Pools::Postgres(pools) => Ok(pools.clock().await?),
        }
    }

    /// What others [tell](Connection::tell) from now on; nothing where there can be no others.
    pub fn listener(&self) -> Option<Listener> {
        match &*self.0 {
            Pools::Sqlite(_) => None,
            Pools::Postgres(pools) => Some(Listener(pools.listener())),
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), DbError> {
        query("SELECT 1").execute(&mut self.read().await?).await?;
        Ok(())
    }

    /// Closes the connections; SQLite's log is moved into the file.
    pub async fn close(&self) {
        match &*self.0 {
            Pools::Sqlite(pools) => pools.close().await,
            Pools::Postgres(pools) => pools.close().await,
        }
    }
}

/// Hears what other servers on the same database tell.
pub struct Listener(postgres::Listener);

/// What came of listening.
#[derive(Debug)]
pub enum Heard {
    Text(String),
    /// Something may have been missed.
    Gap,
}

impl Listener {
    /// What is heard next; nothing once the database is closed.
    pub async fn next(&mut self) -> Option<Heard> {
        self.0.next().await
    }
}

impl Connection {
    fn driver(&mut self) -> Driver<'_> {
        match &mut self.0 {
            Inner::SqliteReader(connection) => Driver::Sqlite(connection),
            Inner::SqliteWriter(writer) => Driver::Sqlite(&mut writer.transaction),
            Inner::SqliteBatch(batch) => Driver::Sqlite(&mut batch.turn),
            Inner::Postgres(link) => Driver::Postgres(link.connection()),
            Inner::PostgresWriter(writer) => Driver::Postgres(writer.connection()),
            Inner::PostgresBatch(batch) => Driver::Postgres(batch.link.connection()),
        }
    }

    /// To be called when what the driver was asked was answered well.
    fn answered(&mut self) {
        match &mut self.0 {
            Inner::Postgres(link) => link.answered(),
            Inner::PostgresBatch(batch) => batch.link.answered(),
            // Its end says so.
            Inner::PostgresWriter(_) => {}
            Inner::SqliteReader(_) | Inner::SqliteWriter(_) | Inner::SqliteBatch(_) => {}
        }
    }
}

/// PostgreSQL takes less than 8000 bytes.
pub const TELL_BYTES: usize = 7900;

impl Transaction {
    pub async fn commit(self) -> Result<(), DbError> {
        match self.0.0 {
            Inner::SqliteWriter(writer) => Box::pin(writer.commit()).await?,
            Inner::PostgresWriter(writer) => Box::pin(writer.commit()).await?,
            Inner::SqliteReader(_) | Inner::SqliteBatch(_) | Inner::Postgres(_) | Inner::PostgresBatch(_) => {
            }
        }
        Ok(())
    }

    /// Waits until nobody else writes this account.
    pub async fn hold_user(&mut self, user: UserId) -> Result<(), DbError> {
        match self.0.driver() {
            Driver::Sqlite(_) => Ok(()),
            Driver::Postgres(connection) => Ok(postgres::hold_user(connection, user).await?),
        }
    }
}

impl std::ops::Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl std::ops::DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

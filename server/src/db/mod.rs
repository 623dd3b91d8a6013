//! The boundary to the database: an embedded SQLite file, or PostgreSQL for those who outgrow it. Only this folder
//! names a driver; the stores take a [`Connection`] and write statements as [`query`] has them.
//!
//! Writers never meet. SQLite has one writer at a time: its transaction begins immediately. On PostgreSQL whoever
//! changes something in an auction [holds](Database::write_in) its row, alone; the batches of bids share it, and
//! hold the rows of their items; whoever changes an account holds its row. Locks are taken in one order, auctions by
//! id, then items by id, then the heads of the auctions' events by id, then accounts, then the system's settings, so
//! that nobody waits in a circle.

pub mod copy;
mod pause;
mod postgres;
mod query;
mod schema;
mod sqlite;

use std::sync::Arc;

pub use pause::close_writes;
pub(crate) use pause::with_now;
pub(crate) use query::for_each_row;
pub use query::{Row, Sql, query, query_scalar};
pub use schema::{MIGRATIONS, SchemaError, compare_with};
pub use sqlite::Stand;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::sqlite::{Sqlite, SqliteConnection};

use crate::clock::{Clock, Moment, SystemClock};
use crate::ids::{AuctionId, ItemId, UserId};

/// The database did not do what it was asked. `sqlx::Error` stays inside, for the log.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    #[error(transparent)]
    Driver(#[from] sqlx::Error),
    /// The database contradicts itself, or holds what this release can't read.
    #[error("the database holds what should not be there: {0}")]
    Corrupt(String),
    #[error(transparent)]
    Entropy(#[from] crate::entropy::NoEntropy),
    #[error("the task that talked to the database is gone")]
    Gone,
    #[error("the connection broke while a commit was under way, and it can't be told what became of it")]
    Unknown,
    /// What was to be held has changed while it was waited for.
    #[error("others were faster")]
    Overtaken,
    #[error("writes pause for an update")]
    Paused,
}

impl DbError {
    /// Whether the disk takes no more.
    pub fn is_full(&self) -> bool {
        // SQLITE_FULL; SQLITE_IOERR_WRITE, where the file has reached a limit of its own; and PostgreSQL's disk_full.
        self.has_code(&["13", "778", "53100"])
    }

    /// Whether it lasted too long until it was this one's turn. Nothing was done.
    pub fn is_busy(&self) -> bool {
        // PostgreSQL's lock_not_available, query_canceled (by its timeout) and too_many_connections.
        self.is_paused()
            || matches!(self, Self::Driver(sqlx::Error::PoolTimedOut))
            || self.has_code(&["55P03", "57014", "53300"])
    }

    /// Whether an update has closed writes.
    pub fn is_paused(&self) -> bool {
        matches!(self, Self::Paused)
    }

    /// Whether others were in the way, so that it was all taken back and may be tried again.
    pub fn is_conflict(&self) -> bool {
        // serialization_failure, deadlock_detected
        matches!(self, Self::Overtaken) || self.has_code(&["40001", "40P01"])
    }

    /// Whether the connection broke: what was under way may have been done or not.
    pub fn is_cut(&self) -> bool {
        // PostgreSQL's connection failures, and the ways in which it shuts down.
        matches!(self, Self::Driver(sqlx::Error::Io(_) | sqlx::Error::Protocol(_)))
            || self.has_code(&["08006", "08003", "57P01", "57P02", "57P03"])
    }

    /// The unique constraint that a statement broke, if that is why it failed.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Driver(sqlx::Error::Database(error)) if error.is_unique_violation())
    }

    fn has_code(&self, codes: &[&str]) -> bool {
        let Self::Driver(sqlx::Error::Database(error)) = self else { return false };
        error.code().is_some_and(|code| codes.contains(&code.as_ref()))
    }
}

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

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("`{0}` is no database address: write sqlite://PATH or postgres://USER@HOST/NAME")]
    Address(String),
    #[error("another farthing serves the database `{0}`: stop it first, or choose another file")]
    Taken(String),
    #[error("can't open the database `{name}`: {reason}")]
    Open { name: String, reason: String },
    #[error("{database} {found} is too old, at least {required} is needed")]
    TooOld { database: &'static str, found: String, required: &'static str },
    #[error(
        "PostgreSQL runs with `{0} = off`: bids that were answered could be lost. Switch it on, and start again"
    )]
    NotDurable(&'static str),
    #[error("can't bring the schema up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
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
    SqliteReader(PoolConnection<Sqlite>),
    SqliteWriter(sqlx::Transaction<'static, Sqlite>),
    Postgres(PoolConnection<Postgres>),
    PostgresWriter(sqlx::Transaction<'static, Postgres>),
}

/// A connection as its driver has it.
enum Driver<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// A connection in a transaction. Dropped without `commit` it is rolled back.
#[derive(Debug)]
pub struct Transaction(Connection);

/// How much of an auction a writer needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Others may hold it this way too: batches of bids, which hold their items alone.
    Shared,
    Alone,
}

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
            Pools::Sqlite(pools) => Inner::SqliteReader(pools.reads.acquire().await?),
            Pools::Postgres(pools) => Inner::Postgres(pools.shared.acquire().await?),
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
            Pools::Sqlite(pools) => Inner::SqliteWriter(pools.begin().await?),
            Pools::Postgres(pools) => Inner::PostgresWriter(pools.begin().await?),
        })))
    }

    /// A transaction during which nobody else writes in these auctions, bids included.
    pub async fn write_in(&self, auctions: &[AuctionId]) -> Result<Transaction, DbError> {
        let mut transaction = self.write().await?;
        transaction.hold_auctions(auctions, Hold::Alone).await?;
        Ok(transaction)
    }

    /// A transaction during which nobody else writes this user's account.
    pub async fn write_as(&self, user: UserId) -> Result<Transaction, DbError> {
        let mut transaction = self.write().await?;
        transaction.hold_user(user).await?;
        Ok(transaction)
    }

    /// A transaction for a batch of bids. On PostgreSQL it has a connection of its own, for which nobody else waits.
    pub async fn write_bids(&self) -> Result<Transaction, DbError> {
        match &*self.0 {
            Pools::Sqlite(_) => self.write().await,
            Pools::Postgres(pools) => {
                let begun = pools.begin_bids().await?;
                let mut transaction = Transaction(Connection(Inner::PostgresWriter(begun)));
                pause::check(&mut transaction).await?;
                Ok(transaction)
            }
        }
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

    /// Waits for the connections to finish and closes them; SQLite's log is moved into the file.
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
            Inner::SqliteWriter(transaction) => Driver::Sqlite(transaction),
            Inner::Postgres(connection) => Driver::Postgres(connection),
            Inner::PostgresWriter(transaction) => Driver::Postgres(transaction),
        }
    }

    /// Tells the other servers on the same database something, once this transaction is committed. At most
    /// [`TELL_BYTES`] of it.
    pub async fn tell(&mut self, text: &str) -> Result<(), DbError> {
        match self.driver() {
            Driver::Sqlite(_) => Ok(()),
            Driver::Postgres(connection) => Ok(postgres::notify(connection, text).await?),
        }
    }
}

/// PostgreSQL takes less than 8000 bytes.
pub const TELL_BYTES: usize = 7900;

impl Transaction {
    pub async fn commit(self) -> Result<(), DbError> {
        match self.0.0 {
            Inner::SqliteWriter(transaction) => transaction.commit().await?,
            Inner::PostgresWriter(transaction) => transaction.commit().await?,
            Inner::SqliteReader(_) | Inner::Postgres(_) => {}
        }
        Ok(())
    }

    /// How the database stands, where that can be told: as long as it stands so, nobody else has written.
    pub async fn stand(&mut self) -> Result<Option<Stand>, DbError> {
        match self.0.driver() {
            Driver::Sqlite(connection) => Ok(Some(sqlite::stand(connection).await?)),
            Driver::Postgres(_) => Ok(None),
        }
    }

    /// Waits until nobody is in the way in these auctions. SQLite's writer is alone anyway.
    pub async fn hold_auctions(&mut self, auctions: &[AuctionId], hold: Hold) -> Result<(), DbError> {
        match self.0.driver() {
            Driver::Sqlite(_) => Ok(()),
            Driver::Postgres(connection) => Ok(postgres::hold_auctions(connection, auctions, hold).await?),
        }
    }

    /// Waits until nobody else writes this account.
    pub async fn hold_user(&mut self, user: UserId) -> Result<(), DbError> {
        match self.0.driver() {
            Driver::Sqlite(_) => Ok(()),
            Driver::Postgres(connection) => Ok(postgres::hold_user(connection, user).await?),
        }
    }

    /// Waits for items, alone, in auctions that are held.
    pub async fn hold_items(&mut self, items: &[ItemId]) -> Result<(), DbError> {
        match self.0.driver() {
            Driver::Sqlite(_) => Ok(()),
            Driver::Postgres(connection) => Ok(postgres::hold_items(connection, items).await?),
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

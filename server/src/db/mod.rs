//! The boundary to the database. Only this folder names a driver; the stores take a [`Connection`] and
//! write SQL with `$n` placeholders that PostgreSQL reads too.
//!
//! Readers have a pool of their own. There is one writer: whoever writes waits for it, takes a transaction
//! that begins immediately, and commits to the disk before it answers.

pub mod rows;
mod sqlite;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

pub use sqlite::{MIGRATIONS, Stand};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqlitePool};
use sqlx::{Sqlite, Transaction};

use crate::clock::Moment;

/// What a store function works on: a connection, or the inside of a transaction.
pub type Connection = SqliteConnection;

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
}

impl DbError {
    /// Whether the disk takes no more.
    pub fn is_full(&self) -> bool {
        // SQLITE_FULL, and SQLITE_IOERR_WRITE where the file has reached a limit of its own.
        let full = |code: &str| matches!(code, "13" | "778");
        matches!(self, Self::Driver(sqlx::Error::Database(error)) if error.code().is_some_and(|code| full(&code)))
    }

    /// The unique constraint that a statement broke, if that is why it failed.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Driver(sqlx::Error::Database(error)) if error.is_unique_violation())
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

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("`{0}` is no database address: write sqlite://PATH")]
    Address(String),
    #[error("another farthing serves the database `{0}`: stop it first, or choose another file")]
    Taken(String),
    #[error("can't open the database `{path}`: {reason}")]
    Open { path: String, reason: String },
    #[error("SQLite {found} is linked, at least {required} is needed")]
    TooOld { found: String, required: &'static str },
    #[error("can't bring the schema up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Database {
    reads: SqlitePool,
    writes: SqlitePool,
    /// Held as long as the database is open.
    _lock: Arc<File>,
}

impl Database {
    /// Opens (and creates, where it is missing) the database at `address`, `sqlite://PATH`, takes the
    /// process lock on it, and brings its schema up to date.
    pub async fn open(address: &str) -> Result<Self, OpenError> {
        sqlite::open(address).await
    }

    /// A connection that only reads.
    pub async fn read(&self) -> Result<PoolConnection<Sqlite>, DbError> {
        Ok(self.reads.acquire().await?)
    }

    /// The writer, in a transaction that began immediately. Dropped without `commit` it is rolled back.
    pub async fn write(&self) -> Result<Transaction<'static, Sqlite>, DbError> {
        Ok(self.writes.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// How the database stands, seen from inside a transaction of the writer.
    pub async fn stand(transaction: &mut Transaction<'static, Sqlite>) -> Result<Stand, DbError> {
        Ok(sqlite::stand(transaction).await?)
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), DbError> {
        sqlx::query("SELECT 1").execute(&mut *self.read().await?).await?;
        Ok(())
    }

    /// Waits for the connections to finish and closes them; the log is moved into the file.
    pub async fn close(&self) {
        self.reads.close().await;
        self.writes.close().await;
    }

    /// The file of a `sqlite://` address.
    pub fn path_of(address: &str) -> Option<&Path> {
        sqlite::path_of(address)
    }
}

//! Connections to the file. They are not checked before use: a connection to a local file does not break.

use deadpool::managed::{Manager, Metrics, Object, RecycleResult};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::db::pool::Pool;

/// A pool of connections to the file.
#[derive(Debug)]
pub(super) struct Connections(Pool<File>);

/// A connection from the pool, which returns to it when it is dropped.
pub(in crate::db) type PooledConnection = Object<File>;

/// The file and its options.
#[derive(Debug)]
pub(in crate::db) struct File(SqliteConnectOptions);

impl Manager for File {
    type Type = SqliteConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<SqliteConnection, sqlx::Error> {
        self.0.connect().await
    }

    async fn recycle(&self, _: &mut SqliteConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        Ok(())
    }
}

impl Connections {
    /// A pool of at most `max` connections.
    pub(super) fn new(max: usize, options: SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        Ok(Self(Pool::new(File(options), max)?))
    }

    /// A pool of at most `max` connections. Opens the first one at once, to report an error of the file.
    pub(super) async fn open(max: usize, options: SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let connections = Self::new(max, options)?;
        drop(connections.get().await?);
        Ok(connections)
    }

    /// Waits for a free connection.
    pub(super) async fn get(&self) -> Result<PooledConnection, sqlx::Error> {
        self.0.get().await
    }

    /// Closes the pool: idle connections at once, each other one when it is returned.
    pub(super) async fn close(&self) {
        for idle in self.0.close() {
            // It has no open transaction, so nothing is lost if this fails.
            let _ = idle.close().await;
        }
    }
}

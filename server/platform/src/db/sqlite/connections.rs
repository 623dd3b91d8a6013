//! Connections into the file. None is checked before its use: a file is there as long as the machine is.

use deadpool::managed::{Manager, Metrics, Object, RecycleResult};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::db::pool::Pool;

/// A pool of connections into the file.
#[derive(Debug)]
pub(super) struct Connections(Pool<File>);

/// A connection from the pool. It goes back when it is dropped.
pub(in crate::db) type Reader = Object<File>;

/// The file, and how it is opened.
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
    /// At most `max`. The first is opened at once, so that an error of the file is known.
    pub(super) async fn open(max: usize, options: SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let connections = Self(Pool::new(File(options), max)?);
        drop(connections.get().await?);
        Ok(connections)
    }

    /// The next that is free.
    pub(super) async fn get(&self) -> Result<Reader, sqlx::Error> {
        self.0.get().await
    }

    /// Closes the idle ones, and each other one when it comes back.
    pub(super) async fn close(&self) {
        for idle in self.0.close() {
            // It has no transaction open, so that nothing is lost with it.
            let _ = idle.close().await;
        }
    }
}

//! Connections to read with. None is asked whether it is still there: it leads into a file of this machine.

use deadpool::managed::{Manager, Metrics, Object, RecycleResult};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::db::pool::Pool;

/// See the module.
#[derive(Debug)]
pub(super) struct Readers(Pool<File>);

/// One of them. It goes back when it is dropped.
pub(in crate::db) type Reader = Object<File>;

/// What they read.
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

impl Readers {
    /// At most `max` of them. The first is opened at once, so that what is wrong with the file is known.
    pub(super) async fn open(max: usize, options: &SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let options = options.clone().read_only(true).create_if_missing(false);
        let readers = Self(Pool::new(File(options), max)?);
        drop(readers.get().await?);
        Ok(readers)
    }

    /// The next that is free.
    pub(super) async fn get(&self) -> Result<Reader, sqlx::Error> {
        self.0.get().await
    }

    /// Closes those that nobody has, and each other when it comes back.
    pub(super) async fn close(&self) {
        for idle in self.0.close() {
            // It has read, so that nothing is lost with it.
            let _ = idle.close().await;
        }
    }
}

//! The connection of the batches of bids, and the batch that one statement compares and writes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, Postgres};

use super::{Statement, TRUSTED_FOR};
use crate::db::{DbError, Rows, Script};

/// A pool of one connection, which stays out from one batch to the next: what comes back, the pool asks whether it is
/// there, and the next batch would wait for the answer.
#[derive(Debug)]
pub(super) struct Ledger {
    pool: PgPool,
    /// Since when.
    kept: Mutex<Option<(Instant, PoolConnection<Postgres>)>>,
}

/// A batch that holds nothing before its commit, which looks whether all stands as it was believed to.
#[derive(Debug)]
pub(in crate::db) struct Batch {
    pub(in crate::db) connection: PoolConnection<Postgres>,
    believed: Rows,
    ledger: Arc<Ledger>,
}

impl Ledger {
    /// Connects when the first batch comes.
    pub(super) fn new(pool: PgPoolOptions, options: PgConnectOptions) -> Arc<Self> {
        // Opened by the thread that uses it, which then waits for its answers itself, and never in the place of an idle
        // one: for what the pool opened by itself, another thread would wait.
        let pool = pool.max_connections(1).min_connections(0).idle_timeout(None);
        Arc::new(Self { pool: pool.connect_lazy_with(options), kept: Mutex::default() })
    }

    /// The pool, with the connection in it or on its way back.
    pub(super) fn pool(&self) -> &PgPool {
        drop(self.take());
        &self.pool
    }

    pub(super) async fn begin_believing(self: &Arc<Self>, believed: Rows) -> Result<Batch, sqlx::Error> {
        let kept = self.take().filter(|(since, _)| since.elapsed() <= TRUSTED_FOR);
        let connection = match kept {
            Some((_, connection)) => connection,
            None => self.pool.acquire().await?,
        };
        Ok(Batch { connection, believed, ledger: Arc::clone(self) })
    }

    fn take(&self) -> Option<(Instant, PoolConnection<Postgres>)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, connection: PoolConnection<Postgres>) {
        let kept = (Instant::now(), connection);
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    /// Closes the connection.
    pub(super) async fn end(&self) {
        let pool = self.pool();
        if pool.size() > 0
            && let Ok(connection) = pool.acquire().await
        {
            // What can't be reached need not be closed.
            let _ = connection.close().await;
        }
    }

    pub(super) async fn close(&self) {
        self.pool().close().await;
    }
}

impl Batch {
    /// Does the script in one durable transaction.
    ///
    /// # Errors
    /// `Overtaken` where something does not stand as it was believed to. After any error but that of a broken
    /// connection nothing was done.
    pub(in crate::db) async fn commit(self, script: &Script) -> Result<(), DbError> {
        let Self { mut connection, believed, ledger } = self;
        // What sees what was done before takes more than one statement.
        let [part] = &*script.parts else { return Err(DbError::Overtaken) };
        let statement = Statement::believing(&believed, part)?;
        if !statement.run(&mut connection, &script.told).await? {
            return Err(DbError::Overtaken);
        }
        ledger.keep(connection);
        Ok(())
    }
}

//! Connections to PostgreSQL.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use deadpool::managed::{Manager, Metrics, Object, RecycleError, RecycleResult};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};

use super::session::{begin_session, is_writable};
use crate::db::DbError;
use crate::db::pool::Pool;

/// A connection that is idle for longer is closed: each needs a process of the database, with megabytes of
/// memory.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// A connection that was checked longer ago is checked before its use. A check costs as much as a statement.
const UNCHECKED_MAX: Duration = Duration::from_secs(1);
/// A connection to a server that is read-only is opened again after this time: the address may lead to
/// another server by now.
const READ_ONLY_MAX: Duration = Duration::from_secs(3);
/// Delay before connecting again to a database that is starting.
const CONNECT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// A pool of connections. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Connections(Pool<Connector>);

/// A connection from the pool, which returns to it when it is dropped.
pub(in crate::db) type PooledConnection = Object<Connector>;

/// Opens connections.
#[derive(Debug)]
pub(in crate::db) struct Connector(PgConnectOptions);

/// A connection and what is known of it.
#[derive(Debug)]
pub(in crate::db) struct CheckedConnection {
    connection: PgConnection,
    /// Its last statement succeeded.
    is_healthy: bool,
    /// Whether its server accepts writes, as of `checked_at`.
    is_writable: bool,
    checked_at: Instant,
    opened_at: Instant,
}

impl Manager for Connector {
    type Type = CheckedConnection;
    type Error = sqlx::Error;

    /// Retries while the database is starting, until the pool's timeout. The connection may be to a server
    /// that is read-only, for reads.
    async fn create(&self) -> Result<CheckedConnection, sqlx::Error> {
        let mut connection = loop {
            match self.0.connect().await {
                Err(error) if is_starting(&error) => tokio::time::sleep(CONNECT_RETRY_DELAY).await,
                connected => break connected?,
            }
        };
        let is_writable = begin_session(&mut connection).await?;
        let now = Instant::now();
        Ok(CheckedConnection { connection, is_healthy: true, is_writable, checked_at: now, opened_at: now })
    }

    /// Drops a connection to a server that has become read-only, or has been for a while: after a failover
    /// the address leads to another one.
    async fn recycle(&self, checked: &mut CheckedConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        if checked.is_healthy && checked.checked_at.elapsed() < UNCHECKED_MAX {
            return Ok(());
        }
        let is_writable = is_writable(&mut checked.connection).await?;
        if !is_writable && (checked.is_writable || checked.opened_at.elapsed() > READ_ONLY_MAX) {
            return Err(RecycleError::message("the server is read-only"));
        }
        (checked.is_healthy, checked.is_writable, checked.checked_at) = (true, is_writable, Instant::now());
        Ok(())
    }
}

fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        // cannot_connect_now, too_many_connections
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| ["57P03", "53300"].contains(&code.as_ref()))
        }
        _ => false,
    }
}

impl Connections {
    /// A pool of at most `max` connections.
    pub(super) fn new(options: PgConnectOptions, max: usize) -> Result<Self, sqlx::Error> {
        Ok(Self(Pool::new(Connector(options), max)?))
    }

    /// Waits for a free connection.
    pub(super) async fn get(&self) -> Result<PooledConnection, sqlx::Error> {
        self.0.get().await
    }

    /// Waits for a free connection whose server accepts writes.
    pub(super) async fn get_writable(&self) -> Result<PooledConnection, DbError> {
        let connection = self.get().await?;
        if connection.is_writable { Ok(connection) } else { Err(DbError::ReadOnly) }
    }

    /// Closes connections that were idle for too long.
    pub(super) async fn close_superfluous(&self) {
        close(self.0.take_idle(|metrics| metrics.last_used() > IDLE_MAX)).await;
    }

    /// Closes all idle connections.
    pub(super) async fn close_idle(&self) {
        close(self.0.take_idle(|_| true)).await;
    }

    /// Closes the pool: idle connections at once, each other one when it is returned.
    pub(super) async fn close(&self) {
        close(self.0.close()).await;
    }
}

async fn close(connections: Vec<CheckedConnection>) {
    for checked in connections {
        // An unreachable database has ended the session.
        let _ = checked.connection.close().await;
    }
}

impl CheckedConnection {
    /// The connection, for a statement. Its health is unknown until the statement has
    /// [succeeded](Self::answered).
    pub(in crate::db) fn connection(&mut self) -> &mut PgConnection {
        self.is_healthy = false;
        &mut self.connection
    }

    /// Marks the connection as healthy after a successful statement.
    pub(in crate::db) fn answered(&mut self) {
        self.is_healthy = true;
    }
}

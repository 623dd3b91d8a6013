//! Connections to PostgreSQL.

use std::io::ErrorKind;
use std::time::Duration;

use deadpool::managed::{Manager, Metrics, Object, RecycleResult};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};

use super::make_durable;
use crate::db::pool::Pool;

/// A connection that nobody has used for this long is closed: each is a process of the database, of megabytes.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// So long a connection that was there is taken to be there. Asking costs as much as a statement.
const TRUSTED_FOR: Duration = Duration::from_secs(1);
/// The pause before a database that is about to start is tried again.
const CONNECT_AGAIN: Duration = Duration::from_millis(50);

/// A pool of connections. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Links(Pool<Cluster>);

/// A connection from the pool. It goes back when it is dropped.
pub(in crate::db) type Link = Object<Cluster>;

/// Where the connections lead.
#[derive(Debug)]
pub(in crate::db) struct Cluster(PgConnectOptions);

/// What a [`Link`] is.
#[derive(Debug)]
pub(in crate::db) struct Line {
    connection: PgConnection,
    /// Its last statement was answered.
    is_sound: bool,
}

impl Manager for Cluster {
    type Type = Line;
    type Error = sqlx::Error;

    /// Waits for a database that is about to start, as long as the pool lets it.
    async fn create(&self) -> Result<Line, sqlx::Error> {
        let mut connection = loop {
            match self.0.connect().await {
                Err(error) if is_about_to_start(&error) => tokio::time::sleep(CONNECT_AGAIN).await,
                connected => break connected?,
            }
        };
        make_durable(&mut connection).await?;
        Ok(Line { connection, is_sound: true })
    }

    async fn recycle(&self, line: &mut Line, metrics: &Metrics) -> RecycleResult<sqlx::Error> {
        if !line.is_sound || metrics.last_used() > TRUSTED_FOR {
            line.connection.ping().await?;
            line.is_sound = true;
        }
        Ok(())
    }
}

fn is_about_to_start(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        // cannot_connect_now, too_many_connections
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| ["57P03", "53300"].contains(&code.as_ref()))
        }
        _ => false,
    }
}

impl Links {
    /// At most `max` of them.
    pub(super) fn new(options: PgConnectOptions, max: usize) -> Result<Self, sqlx::Error> {
        Ok(Self(Pool::new(Cluster(options), max)?))
    }

    /// The next that is free.
    pub(super) async fn get(&self) -> Result<Link, sqlx::Error> {
        self.0.get().await
    }

    /// Closes those that nobody has needed for long.
    pub(super) async fn close_idle(&self) {
        close(self.0.take_idle(|metrics| metrics.last_used() > IDLE_MAX)).await;
    }

    /// Closes those that nobody has.
    pub(super) async fn close_free(&self) {
        close(self.0.take_idle(|_| true)).await;
    }

    /// The same, and each other when it comes back.
    pub(super) async fn close(&self) {
        close(self.0.close()).await;
    }
}

async fn close(lines: Vec<Line>) {
    for line in lines {
        // What can't be reached need not be closed.
        let _ = line.connection.close().await;
    }
}

impl Line {
    /// The connection, to ask something. Until [it is answered](Self::answered) nobody knows whether it is still there.
    pub(in crate::db) fn connection(&mut self) -> &mut PgConnection {
        self.is_sound = false;
        &mut self.connection
    }

    /// To be called when the last statement was answered well.
    pub(in crate::db) fn answered(&mut self) {
        self.is_sound = true;
    }
}

//! PostgreSQL: several servers on one database. Commits are durable, every wait has a timeout, and batches
//! have a connection of their own.

mod connections;
mod session;
mod statement;

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgListener, PgPool, PgPoolOptions};

use self::connections::Connections;
pub(super) use self::connections::PooledConnection;
use self::session::{make_durable, set_timeouts};
pub(super) use self::statement::Statement;
use super::error::words_of;
use super::{
    DbError, LONG_CONNECTIONS_MAX, LOW_PRIORITY_CONNECTIONS_MAX, OpenError, ServerNotification, schema,
};
use crate::log_field::logged;
use crate::low_priority;
use crate::time::{Clock, Moment, Steadied, SystemClock, report, since_start};

const VERSION_MIN: i32 = 150_000;
const VERSION_MIN_TEXT: &str = "15";

/// Connections of the shared pool. There are four more for reads of low priority, two for exports, one for
/// batches and one for notifications.
const CONNECTIONS_MAX: usize = 8;

/// The channel on which servers on one database notify each other.
const CHANNEL: &str = "farthing";
/// Delay before reconnecting the notification listener.
const LISTEN_RETRY_DELAY: Duration = Duration::from_secs(1);

/// How often the machine's clock is compared with the database's.
const CLOCK_SYNC_INTERVAL: Duration = Duration::from_secs(30);
/// Samples per clock comparison; the one with the shortest round trip counts.
const CLOCK_SAMPLES: usize = 5;

#[derive(Debug)]
pub(super) struct Pools {
    shared: Connections,
    /// Opened and polled by threads of low priority.
    low_priority_reads: Connections,
    long_reads: Connections,
    /// One connection for batches. The thread that runs the batches opens it and polls it itself.
    batches: Connections,
    listening: PgPool,
}

pub(super) async fn open(address: &str) -> Result<Pools, OpenError> {
    let options = options_of(address)?;
    let cannot =
        |error: sqlx::Error| OpenError::Open { name: without_password(address), reason: words_of(&error) };
    prepare(&options).await.map_err(cannot)??;
    let listening = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    Ok(Pools {
        listening: listening.connect_lazy_with(options.clone()),
        shared: Connections::new(options.clone(), CONNECTIONS_MAX).map_err(cannot)?,
        low_priority_reads: Connections::new(options.clone(), LOW_PRIORITY_CONNECTIONS_MAX)
            .map_err(cannot)?,
        long_reads: Connections::new(options.clone(), LONG_CONNECTIONS_MAX).map_err(cannot)?,
        batches: Connections::new(options, 1).map_err(cannot)?,
    })
}

/// The options of every connection. No number of the product is a float, and a pooler may refuse the
/// parameter that says how these are written.
fn options_of(address: &str) -> Result<PgConnectOptions, OpenError> {
    let options = PgConnectOptions::from_str(address);
    let options = options.map_err(|_| OpenError::Address(without_password(address)))?;
    Ok(options.application_name("farthing").extra_float_digits(None))
}

pub(super) fn is_address(address: &str) -> bool {
    PgConnectOptions::from_str(address).is_ok()
}

/// The schema with the tables of Farthing. Fails if there are none.
pub(super) async fn existing_schema(address: &str) -> Result<String, OpenError> {
    let shown = || without_password(address);
    let options = options_of(address)?;
    let cannot = |error: sqlx::Error| OpenError::Open { name: shown(), reason: words_of(&error) };
    let mut connection = PgConnection::connect_with(&options).await.map_err(cannot)?;
    let sql = "SELECT CAST(current_schema() AS TEXT) WHERE to_regclass('_sqlx_migrations') IS NOT NULL";
    let schema = sqlx::query_scalar(sql).fetch_optional(&mut connection).await.map_err(cannot)?;
    connection.close().await.map_err(cannot)?;
    schema.ok_or_else(|| OpenError::Missing(shown()))
}

/// Applies the schema in a transaction and rolls it back.
pub(super) async fn try_migrate(address: &str) -> Result<(), OpenError> {
    let options = options_of(address)?;
    let cannot =
        |error: sqlx::Error| OpenError::Open { name: without_password(address), reason: words_of(&error) };
    let mut connection = PgConnection::connect_with(&options).await.map_err(cannot)?;
    // The migration takes locks until it is rolled back.
    set_timeouts(&mut connection).await.map_err(cannot)?;
    let mut transaction = connection.begin().await.map_err(cannot)?;
    schema::POSTGRES.run(&mut *transaction).await?;
    transaction.rollback().await.map_err(cannot)?;
    connection.close().await.map_err(cannot)
}

/// Brings the schema up to date, on a connection without timeouts: a migration may take long, and another
/// server may be migrating.
async fn prepare(options: &PgConnectOptions) -> Result<Result<(), OpenError>, sqlx::Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    make_durable(&mut connection).await?;
    if let Err(refused) = check(&mut connection).await? {
        return Ok(Err(refused));
    }
    if let Err(error) = schema::POSTGRES.run(&mut connection).await {
        return Ok(Err(error.into()));
    }
    connection.close().await?;
    Ok(Ok(()))
}

async fn check(connection: &mut PgConnection) -> Result<Result<(), OpenError>, sqlx::Error> {
    let sql =
        "SELECT CAST(current_setting('server_version_num') AS INTEGER), current_setting('server_version'),
                      current_setting('fsync') = 'on', current_setting('synchronous_commit') <> 'off'";
    let (version, text, fsync, synchronous_commit): (i32, String, bool, bool) =
        sqlx::query_as(sql).fetch_one(connection).await?;
    Ok(match (version >= VERSION_MIN, fsync, synchronous_commit) {
        (false, ..) => {
            Err(OpenError::TooOld { database: "PostgreSQL", found: text, required: VERSION_MIN_TEXT })
        }
        (_, false, _) => Err(OpenError::NotDurable("fsync")),
        (_, _, false) => Err(OpenError::NotDurable("synchronous_commit")),
        (true, true, true) => Ok(()),
    })
}

/// The address as it may stand in a log: without a password, and without parameters, which may contain one.
pub fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.rsplit('@').next().unwrap_or_default().to_owned();
    };
    let place = rest.split('?').next().unwrap_or_default();
    match place.rsplit_once('@') {
        Some((user, host)) => {
            format!("{scheme}://{}@{host}", user.split(':').next().unwrap_or_default())
        }
        // What is before the `?` may be a part of a password.
        None if rest.contains('@') => format!("{scheme}://…"),
        None => format!("{scheme}://{place}"),
    }
}

impl Pools {
    /// A connection to read with.
    pub(super) async fn read(&self) -> Result<PooledConnection, sqlx::Error> {
        let reads = if low_priority::is_current() { &self.low_priority_reads } else { &self.shared };
        reads.get().await
    }

    pub(super) async fn long_read(&self) -> Result<PooledConnection, sqlx::Error> {
        self.long_reads.get().await
    }

    /// A connection to write with.
    pub(super) async fn writer(&self) -> Result<PooledConnection, DbError> {
        self.shared.get_writable().await
    }

    /// The connection for batches.
    pub(super) async fn batch_connection(&self) -> Result<PooledConnection, DbError> {
        self.batches.get_writable().await
    }

    /// Closes the connection for batches, before the thread ends that opened it.
    pub(super) async fn end_batches(&self) {
        self.batches.close_idle().await;
    }

    pub(super) async fn clock(&self) -> Result<Arc<dyn Clock>, DbError> {
        let ahead = Arc::new(AtomicI64::new(ahead(&self.shared).await?));
        let reads = [self.low_priority_reads.clone(), self.long_reads.clone()];
        tokio::spawn(keep_in_sync(self.shared.clone(), reads, Arc::downgrade(&ahead)));
        Ok(Arc::new(DatabaseClock { ahead }))
    }

    pub(super) fn listener(&self) -> Listener {
        Listener { pool: self.listening.clone(), connected: None }
    }

    pub(super) async fn close(&self) {
        self.batches.close().await;
        self.shared.close().await;
        self.low_priority_reads.close().await;
        self.long_reads.close().await;
        self.listening.close().await;
    }
}

pub(super) struct Listener {
    pool: PgPool,
    /// `None` while it is not connected.
    connected: Option<PgListener>,
}

impl Listener {
    pub(super) async fn next(&mut self) -> Option<ServerNotification> {
        match self.try_next().await {
            Ok(notification) => Some(notification),
            Err(sqlx::Error::PoolClosed) => None,
            Err(error) => {
                tracing::warn!(error = logged(&error), "can't receive the notifications of other servers");
                self.connected = None;
                tokio::time::sleep(LISTEN_RETRY_DELAY).await;
                Some(ServerNotification::Gap)
            }
        }
    }

    async fn try_next(&mut self) -> Result<ServerNotification, sqlx::Error> {
        if let Some(connected) = &mut self.connected {
            let notified = connected.try_recv().await?;
            return Ok(notified.map_or(ServerNotification::Gap, |notified| {
                ServerNotification::Text(notified.payload().to_owned())
            }));
        }
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(CHANNEL).await?;
        self.connected = Some(listener);
        Ok(ServerNotification::Gap)
    }
}

/// The database's clock, which goes on with the machine's steady count between two comparisons: nobody sets
/// that, and the machine's own clock is not asked.
#[derive(Debug)]
struct DatabaseClock {
    /// How many milliseconds the database is ahead of the count.
    ahead: Arc<AtomicI64>,
}

impl Clock for DatabaseClock {
    fn now(&self) -> Moment {
        let millis = since_start().saturating_add(self.ahead.load(Ordering::Relaxed));
        Moment::from_millis(millis).unwrap_or_else(|| SystemClock.now())
    }
}

/// How many milliseconds the database's clock is ahead of the machine's steady count.
async fn ahead(connections: &Connections) -> Result<i64, sqlx::Error> {
    let mut pooled = connections.get().await?;
    let mut best: Option<(Duration, i64)> = None;
    for _ in 0..CLOCK_SAMPLES {
        let (asked_at, asked) = (Instant::now(), since_start());
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
        let theirs: i64 = sqlx::query_scalar(sql).fetch_one(pooled.connection()).await?;
        let took = asked_at.elapsed();
        // The clock is assumed to have been read in the middle of the round trip.
        let half = i64::try_from(took.as_millis() / 2).unwrap_or(0);
        if best.is_none_or(|(shortest, _)| took < shortest) {
            best = Some((took, theirs - asked - half));
        }
    }
    pooled.answered();
    Ok(best.map_or(0, |(_, ahead)| ahead))
}

/// Compares the clocks and closes idle connections, periodically, until the clock is dropped.
async fn keep_in_sync(connections: Connections, reads: [Connections; 2], clock: std::sync::Weak<AtomicI64>) {
    let Some(first) = clock.upgrade().map(|ahead| ahead.load(Ordering::Relaxed)) else { return };
    // The count is the difference from the database alone.
    let mut steadied = Steadied::starting(first, 0);
    loop {
        tokio::time::sleep(CLOCK_SYNC_INTERVAL).await;
        let Some(clock) = clock.upgrade() else { return };
        connections.close_superfluous().await;
        for reads in &reads {
            reads.close_superfluous().await;
        }
        match ahead(&connections).await {
            Ok(ahead) => {
                let count = since_start();
                let (now, news) = steadied.at(count + ahead, count);
                report(news, "the database's clock");
                clock.store(now - count, Ordering::Relaxed);
            }
            Err(sqlx::Error::PoolClosed) => return,
            Err(error) => {
                let error = logged(&error);
                tracing::warn!(error, "can't read the database's clock");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let shown = without_password("postgres://ada:p@ss@db.example.org/farthing");
        assert_eq!(shown, "postgres://ada@db.example.org/farthing");
        for (address, shown) in [
            ("postgres:///farthing", "postgres:///farthing"),
            ("postgres://h/x?user=ada&password=secret", "postgres://h/x"),
            ("postgres://h/x?password=sec@ret", "postgres://…"),
            ("mysql://u:s3cret@h/x?ssl=1", "mysql://u@h/x"),
            ("u:s3cret@h/x", "h/x"),
        ] {
            assert_eq!(without_password(address), shown);
        }
    }
}

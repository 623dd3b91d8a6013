//! PostgreSQL: several servers on one database. Commits are durable, each wait has an end, and the batches have a
//! connection of their own.

mod connections;
mod statement;

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgListener, PgPool, PgPoolOptions};

pub(super) use self::connections::Link;
use self::connections::Links;
pub(super) use self::statement::Statement;
use super::{DbError, Notification, OpenError, schema};
use crate::time::{Clock, Moment, SystemClock};

const OLDEST: i32 = 150_000;
const OLDEST_TEXT: &str = "15";

/// Beside one for the batches, and one to listen.
const CONNECTIONS_MAX: usize = 8;
/// A server that stops in the middle of a transaction gives back what it holds after this. What is read is in memory,
/// or on a disk without arms, where a row is found by its key as soon as the next one is read.
const SESSION: [(&str, &str); 4] = [
    ("lock_timeout", "5s"),
    ("statement_timeout", "30s"),
    ("idle_in_transaction_session_timeout", "10s"),
    ("random_page_cost", "1.1"),
];

/// Where servers on one database tell each other what they have done.
const CHANNEL: &str = "farthing";
/// So long nothing is heard before it is tried again to listen.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// How often the machine's clock is held against the database's.
const CLOCK_EVERY: Duration = Duration::from_secs(30);
/// Of so many looks at the database's clock the shortest counts.
const CLOCK_LOOKS: usize = 5;

#[derive(Debug)]
pub(super) struct Pools {
    shared: Links,
    /// Of the one connection of the batches. Their thread opens it, and then waits for its answers itself.
    ledger: Links,
    listening: PgPool,
}

pub(super) async fn open(address: &str) -> Result<Pools, OpenError> {
    let options =
        PgConnectOptions::from_str(address).map_err(|_| OpenError::Address(without_password(address)))?;
    let cannot =
        |error: sqlx::Error| OpenError::Open { name: without_password(address), reason: error.to_string() };
    let options = options.application_name("farthing");
    prepare(&options).await.map_err(cannot)??;
    let options = options.options(SESSION);
    let listening = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    Ok(Pools {
        listening: listening.connect_lazy_with(options.clone()),
        shared: Links::new(options.clone(), CONNECTIONS_MAX).map_err(cannot)?,
        ledger: Links::new(options, 1).map_err(cannot)?,
    })
}

pub(super) fn is_address(address: &str) -> bool {
    PgConnectOptions::from_str(address).is_ok()
}

/// Fails unless the database has tables of Farthing.
pub(super) async fn require_schema(address: &str) -> Result<(), OpenError> {
    let shown = || without_password(address);
    let options = PgConnectOptions::from_str(address).map_err(|_| OpenError::Address(shown()))?;
    let cannot = |error: sqlx::Error| OpenError::Open { name: shown(), reason: error.to_string() };
    let mut connection =
        PgConnection::connect_with(&options.application_name("farthing")).await.map_err(cannot)?;
    let sql = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let exists: bool = sqlx::query_scalar(sql).fetch_one(&mut connection).await.map_err(cannot)?;
    connection.close().await.map_err(cannot)?;
    if exists { Ok(()) } else { Err(OpenError::Missing(shown())) }
}

/// Applies the schema in a transaction, and takes it back.
pub(super) async fn try_migrate(address: &str) -> Result<(), OpenError> {
    let options =
        PgConnectOptions::from_str(address).map_err(|_| OpenError::Address(without_password(address)))?;
    let cannot =
        |error: sqlx::Error| OpenError::Open { name: without_password(address), reason: error.to_string() };
    // What it locks until it is taken back, it must get soon.
    let options = options.application_name("farthing").options(SESSION);
    let mut connection = PgConnection::connect_with(&options).await.map_err(cannot)?;
    let mut transaction = connection.begin().await.map_err(cannot)?;
    schema::POSTGRES.run(&mut *transaction).await?;
    transaction.rollback().await.map_err(cannot)?;
    connection.close().await.map_err(cannot)
}

/// Has this connection's commits wait for the disk, whatever the database does by default. What waits for more,
/// such as a standby, stays.
async fn make_durable(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let sql = "SELECT set_config('synchronous_commit', 'on', false)
               WHERE current_setting('synchronous_commit') = 'off'";
    sqlx::query(sql).execute(connection).await?;
    Ok(())
}

/// Brings the schema up to date, on a connection that may take its time, and wait for another server that does so.
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
    Ok(match (version >= OLDEST, fsync, synchronous_commit) {
        (false, ..) => Err(OpenError::TooOld { database: "PostgreSQL", found: text, required: OLDEST_TEXT }),
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
    pub(super) async fn shared(&self) -> Result<Link, sqlx::Error> {
        self.shared.get().await
    }

    /// The connection of the batches.
    pub(super) async fn ledger(&self) -> Result<Link, sqlx::Error> {
        self.ledger.get().await
    }

    /// Closes the connection of the batches, which is of no use once the thread has ended that opened it.
    pub(super) async fn end_batches(&self) {
        self.ledger.close_free().await;
    }

    pub(super) async fn clock(&self) -> Result<Arc<dyn Clock>, DbError> {
        let ahead = Arc::new(AtomicI64::new(ahead(&self.shared).await?));
        tokio::spawn(keep(self.shared.clone(), Arc::downgrade(&ahead)));
        Ok(Arc::new(DatabaseClock { ahead }))
    }

    pub(super) fn listener(&self) -> Listener {
        Listener { pool: self.listening.clone(), connected: None }
    }

    pub(super) async fn close(&self) {
        self.ledger.close().await;
        self.shared.close().await;
        self.listening.close().await;
    }
}

pub(super) struct Listener {
    pool: PgPool,
    /// Nothing before it is connected.
    connected: Option<PgListener>,
}

impl Listener {
    pub(super) async fn next(&mut self) -> Option<Notification> {
        match self.try_next().await {
            Ok(heard) => Some(heard),
            Err(sqlx::Error::PoolClosed) => None,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "other servers can't be heard right now"
                );
                self.connected = None;
                tokio::time::sleep(LISTEN_AGAIN).await;
                Some(Notification::Gap)
            }
        }
    }

    async fn try_next(&mut self) -> Result<Notification, sqlx::Error> {
        if let Some(connected) = &mut self.connected {
            let notified = connected.try_recv().await?;
            return Ok(notified
                .map_or(Notification::Gap, |notified| Notification::Text(notified.payload().to_owned())));
        }
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(CHANNEL).await?;
        self.connected = Some(listener);
        Ok(Notification::Gap)
    }
}

/// The machine's clock, put right by the database's.
#[derive(Debug)]
struct DatabaseClock {
    /// How many milliseconds the database is ahead.
    ahead: Arc<AtomicI64>,
}

impl Clock for DatabaseClock {
    fn now(&self) -> Moment {
        let machine = SystemClock.now();
        let millis = machine.millis().saturating_add(self.ahead.load(Ordering::Relaxed));
        Moment::from_millis(millis).unwrap_or(machine)
    }
}

async fn ahead(links: &Links) -> Result<i64, sqlx::Error> {
    let mut link = links.get().await?;
    let mut best: Option<(Duration, i64)> = None;
    for _ in 0..CLOCK_LOOKS {
        let (asked_at, asked) = (Instant::now(), SystemClock.now());
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
        let theirs: i64 = sqlx::query_scalar(sql).fetch_one(link.connection()).await?;
        let took = asked_at.elapsed();
        // It was read half-way.
        let half = i64::try_from(took.as_millis() / 2).unwrap_or(0);
        if best.is_none_or(|(shortest, _)| took < shortest) {
            best = Some((took, theirs - asked.millis() - half));
        }
    }
    link.answered();
    Ok(best.map_or(0, |(_, ahead)| ahead))
}

/// Keeps the clock right, and no more connections than are in use. Ends with the clock.
async fn keep(links: Links, clock: std::sync::Weak<AtomicI64>) {
    loop {
        tokio::time::sleep(CLOCK_EVERY).await;
        let Some(clock) = clock.upgrade() else { return };
        links.close_idle().await;
        match ahead(&links).await {
            Ok(ahead) => clock.store(ahead, Ordering::Relaxed),
            Err(sqlx::Error::PoolClosed) => return,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the database's clock can't be read right now");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_told() {
        let notified = without_password("postgres://ada:p@ss@db.example.org/farthing");
        assert_eq!(notified, "postgres://ada@db.example.org/farthing");
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

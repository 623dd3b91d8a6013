//! The boundary to the database: an embedded SQLite file, or PostgreSQL for more than one server. Only this
//! folder names a driver; the stores take a [`Connection`] and write statements with [`query()`].
//!
//! Two transactions never change the same thing at once. SQLite has one writer at a time: its transaction
//! begins immediately. On PostgreSQL a transaction first [locks](Database::write_locking) rows: each room
//! declares which rows protect its data. All transactions take locks in one order.
//!
//! The drivers' futures are large, several kilobytes each. They are boxed here, so that the future of a
//! request without a query stays small.

mod advisory_lock;
mod batch;
mod column;
mod connection;
pub mod copy;
mod error;
mod identity;
pub mod lease;
mod lock;
mod pool;
mod postgres;
mod query;
mod read_row;
mod schema;
mod side_batch;
mod sqlite;
mod table;
pub mod transfer;
mod write_batch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Joins texts and constants into one constant: the fragments of which stores make their statements.
pub use const_format::concatcp;

pub use advisory_lock::{AdvisoryGuard, AdvisoryLock};
pub use batch::{Batch, LockedVersions};
pub use column::{Integer, Json, Parsed, parse_text, text_column};
use connection::Driver;
pub use connection::{Connection, Snapshot, Transaction};
pub use error::{DbError, OpenError};
pub use lock::{RowLock, VersionedLock};
pub use postgres::without_password;
pub use query::{Query, ReadRow, Sql, Value, query, query_scalar};
pub use query::{cell_of, cells_of, count, for_each_row, is_join};
pub use schema::{SchemaError, compare_with};
pub use side_batch::SideBatch;
pub use sqlite::{DatabaseVersion, VersionCheck};
pub use table::{Columns, columns, insert, insert_all, table_columns, update, update_all};
pub use write_batch::{BulkStatement, PostgresBulkStatement, WriteBatch};
pub use write_batch::{another, bulk_statement, row};

use crate::time::{Clock, SteadyClock};

/// How long a transaction waits for a connection or for a lock on the database.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// Connections for reads of [low priority](crate::low_priority), so that these leave other requests their
/// connections.
const LOW_PRIORITY_CONNECTIONS_MAX: usize = 4;
/// Connections for snapshots that are held for seconds, so that these leave other reads their connections.
const LONG_CONNECTIONS_MAX: usize = 2;

/// Parses a value that is stored as text, such as an amount.
pub fn stored<T: std::str::FromStr>(column: &str, text: &str) -> Result<T, DbError> {
    text.parse().map_err(|_| DbError::Corrupt(format!("`{text}` in the column `{column}`")))
}

/// Rows as the JSON that [`for_each_row`] reads.
pub fn rows<T: serde::Serialize>(rows: impl IntoIterator<Item = T>) -> Result<String, DbError> {
    json(&rows.into_iter().collect::<Vec<T>>())
}

/// A value as JSON for a column.
pub fn json<T: serde::Serialize>(value: &T) -> Result<String, DbError> {
    serde_json::to_string(value).map_err(DbError::Json)
}

/// A database. Clones share its connections.
#[derive(Debug, Clone)]
pub struct Database(Arc<Pools>);

#[derive(Debug)]
enum Pools {
    Sqlite(sqlite::Pools),
    Postgres(postgres::Pools),
}

fn is_postgres(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

/// Fails unless the address names a database. The database itself is not opened.
pub fn check_address(address: &str) -> Result<(), OpenError> {
    let is_valid = match is_postgres(address) {
        true => postgres::is_address(address),
        false => sqlite::path_of(address).is_some(),
    };
    if is_valid { Ok(()) } else { Err(OpenError::Address(without_password(address))) }
}

/// Fails unless the file of a SQLite database exists.
pub fn require_file(path: &Path) -> Result<(), OpenError> {
    if path.is_file() {
        return Ok(());
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    Err(OpenError::Missing(path.display().to_string()))
}

impl Database {
    /// Opens the database at `address`, `sqlite://PATH` or `postgres://…`, and brings its schema up to date.
    /// Creates a missing SQLite file, and locks the file against a second process.
    pub async fn open(address: &str) -> Result<Self, OpenError> {
        let pools = if is_postgres(address) {
            Pools::Postgres(postgres::open(address).await?)
        } else {
            Pools::Sqlite(sqlite::open(address).await?)
        };
        Ok(Self(Arc::new(pools)))
    }

    /// Opens the database even if a running server has locked it. That server has brought the schema up to
    /// date.
    pub async fn open_in_use(address: &str) -> Result<Self, OpenError> {
        if is_postgres(address) {
            return Self::open(address).await;
        }
        Ok(Self(Arc::new(Pools::Sqlite(sqlite::open_in_use(address).await?))))
    }

    /// Fails unless the database at `address` exists. Creates nothing.
    pub async fn require_existing(address: &str) -> Result<(), OpenError> {
        match sqlite::path_of(address) {
            Some(path) => require_file(path),
            None if is_postgres(address) => postgres::existing_schema(address).await.map(drop),
            None => Err(OpenError::Address(without_password(address))),
        }
    }

    /// The schema of PostgreSQL that has the tables. Fails if there are none; changes nothing.
    pub async fn existing_schema(address: &str) -> Result<String, OpenError> {
        postgres::existing_schema(address).await
    }

    /// Opens a database that exists, also beside a server that has it in use.
    pub async fn open_existing(address: &str) -> Result<Self, OpenError> {
        Self::require_existing(address).await?;
        Self::open_in_use(address).await
    }

    /// Brings the schema up to date during an update, even if a running server has locked the database: the
    /// update's run must have closed writes.
    pub async fn migrate_in_update(address: &str, run: &str) -> Result<(), OpenError> {
        if !is_postgres(address) {
            let db = Self(Arc::new(Pools::Sqlite(sqlite::open_unlocked(address).await?)));
            let closed_by_run = async { lease::is_closed_by(&mut db.read().await?, run).await };
            let migrated = match &*db.0 {
                Pools::Sqlite(pools) if closed_by_run.await.unwrap_or(false) => Some(pools.migrate().await),
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

    /// Checks that the schema can be brought up to date, in a transaction that is rolled back.
    pub async fn try_migrate(address: &str) -> Result<(), OpenError> {
        if is_postgres(address) {
            postgres::try_migrate(address).await
        } else {
            sqlite::try_migrate(address).await
        }
    }

    /// Whether a later release has migrated the schema.
    pub async fn has_later_schema(&self) -> Result<bool, DbError> {
        let sql = "SELECT max(version) FROM _sqlx_migrations";
        let version: i64 = query_scalar(sql).fetch_one(&mut self.read().await?).await?;
        Ok(schema::is_later(version))
    }

    /// Whether an update has closed writes.
    pub async fn is_paused(&self) -> Result<bool, DbError> {
        match lease::check_writes(&mut self.read().await?).await {
            Err(DbError::Paused) => Ok(true),
            checked => checked.map(|()| false),
        }
    }

    /// Whether the database runs in another process, perhaps on another machine.
    pub fn is_remote(&self) -> bool {
        matches!(&*self.0, Pools::Postgres(_))
    }

    /// A connection to read with.
    pub async fn read(&self) -> Result<Connection, DbError> {
        Ok(match &*self.0 {
            Pools::Sqlite(pools) => Box::pin(pools.read()).await?.into(),
            Pools::Postgres(pools) => Box::pin(pools.read()).await?.into(),
        })
    }

    /// A connection that reads the database as it is now, whatever is written meanwhile. Hold it briefly: on
    /// SQLite the log grows until it is dropped.
    pub async fn snapshot(&self) -> Result<Snapshot, DbError> {
        match &*self.0 {
            Pools::Sqlite(pools) => Snapshot::begin(Box::pin(pools.read()).await?).await,
            Pools::Postgres(pools) => Snapshot::begin(Box::pin(pools.read()).await?).await,
        }
    }

    /// A [snapshot](Self::snapshot) that may be held for seconds: an export. There are connections for two.
    pub async fn long_snapshot(&self) -> Result<Snapshot, DbError> {
        match &*self.0 {
            Pools::Sqlite(pools) => Snapshot::begin(Box::pin(pools.long_read()).await?).await,
            Pools::Postgres(pools) => Snapshot::begin(Box::pin(pools.long_read()).await?).await,
        }
    }

    /// A transaction without row locks, for data that no [lock](Database::write_locking) protects.
    pub async fn write(&self) -> Result<Transaction, DbError> {
        let mut transaction = self.write_always().await?;
        lease::check_writes(&mut transaction).await?;
        Ok(transaction)
    }

    /// A transaction that is allowed while writes are closed: for the update that closed them.
    pub async fn write_always(&self) -> Result<Transaction, DbError> {
        match &*self.0 {
            Pools::Sqlite(pools) => Transaction::begin(Box::pin(pools.writer()).await?).await,
            Pools::Postgres(pools) => Transaction::begin(Box::pin(pools.writer()).await?).await,
        }
    }

    /// The clock of this installation: several servers on one PostgreSQL use the database's clock (SPEC,
    /// section 9).
    pub async fn clock(&self) -> Result<Arc<dyn Clock>, DbError> {
        match &*self.0 {
            Pools::Sqlite(_) => Ok(Arc::new(SteadyClock::start())),
            Pools::Postgres(pools) => Ok(pools.clock().await?),
        }
    }

    /// Notifications from other servers, from now on. `None` on SQLite, which has one server.
    pub fn listener(&self) -> Option<NotificationListener> {
        match &*self.0 {
            Pools::Sqlite(_) => None,
            Pools::Postgres(pools) => Some(NotificationListener(pools.listener())),
        }
    }

    /// Fails unless a transaction could write: the database answers, accepts writes, and no update has closed
    /// them. On SQLite it does not wait for the writer, and looks at the free disk instead.
    pub async fn check_writable(&self) -> Result<(), DbError> {
        let mut connection: Connection = match &*self.0 {
            Pools::Sqlite(pools) => {
                pools.check_disk()?;
                Box::pin(pools.read()).await?.into()
            }
            Pools::Postgres(pools) => Box::pin(pools.writer()).await?.into(),
        };
        lease::check_writes(&mut connection).await
    }

    /// Closes the connections. SQLite's log is moved into the file.
    pub async fn close(&self) {
        match &*self.0 {
            Pools::Sqlite(pools) => pools.close().await,
            Pools::Postgres(pools) => pools.close().await,
        }
    }
}

/// Receives the notifications of other servers on the same database.
pub struct NotificationListener(postgres::Listener);

/// A notification of another server.
#[derive(Debug)]
pub enum ServerNotification {
    Text(String),
    /// Notifications may have been missed: the connection was interrupted.
    Gap,
}

impl NotificationListener {
    /// The next notification; `None` once the database is closed.
    pub async fn next(&mut self) -> Option<ServerNotification> {
        self.0.next().await
    }
}

/// Longest notification. PostgreSQL accepts less than 8000 bytes.
pub const NOTIFICATION_BYTES: usize = 7900;

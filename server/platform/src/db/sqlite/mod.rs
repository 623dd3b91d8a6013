//! SQLite: one file, write-ahead log, durable commits, one writer at a time, readers apart.

mod ledger;
mod readers;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::Transaction;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{
    Sqlite, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};

use self::ledger::{Ledger, Version};
pub(super) use self::readers::Reader;
use self::readers::Readers;
use super::{DbError, MIGRATIONS, OpenError, Script, WAIT_MAX};
use crate::ids::AuctionId;
use crate::retry::outlast;

/// How the database stood: as long as it stands so, only batches of bids have changed it.
#[derive(Debug, Clone, Copy)]
pub struct Stand {
    /// Other transactions that this process had begun.
    begun: u64,
    version: Version,
}

impl PartialEq for Stand {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}

/// Below this version two connections can corrupt the log.
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);
const OLDEST_SQLITE_TEXT: &str = "3.51.3";

const READERS_MAX: usize = 8;
/// Pages that the log may hold before they are moved into the file. A page that each batch changes is then moved
/// once for many batches.
const LOG_PAGES: &str = "4000";
/// The log is cut back to this many bytes after a checkpoint.
const LOG_BYTES: &str = "16777216";

#[derive(Debug)]
pub(super) struct Pools {
    reads: Readers,
    /// Of one connection. Who has it is the one who writes, with the one of `writes` or with the ledger's.
    turn: Readers,
    /// Of one connection.
    writes: SqlitePool,
    /// Transactions, batches apart.
    begun: AtomicU64,
    ledger: Arc<Ledger>,
    /// Held as long as the database is open; nothing beside a server that holds it.
    _lock: Option<File>,
}

/// A transaction at its turn.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) transaction: Transaction<'static, Sqlite>,
    /// Given back after it.
    _turn: Reader,
}

/// The turn of a batch: meanwhile nobody else in this process writes. What it writes is done at its end.
#[derive(Debug)]
pub(super) struct Batch {
    /// Reads what was there before.
    pub(super) turn: Reader,
    pub(super) stand: Stand,
    /// Whether others may have written since the last batch.
    pub(super) has_changed: bool,
    ledger: Arc<Ledger>,
}

impl Pools {
    pub(super) async fn read(&self) -> Result<Reader, sqlx::Error> {
        self.reads.get().await
    }

    pub(super) async fn begin(&self) -> Result<Writer, sqlx::Error> {
        let turn = self.turn.get().await?;
        let transaction = self.writes.begin_with("BEGIN IMMEDIATE").await?;
        self.begun.fetch_add(1, Ordering::Relaxed);
        Ok(Writer { transaction, _turn: turn })
    }

    /// Where this process by itself can say that the database stands as at `last`, that is believed until the commit.
    pub(super) async fn begin_batch(&self, last: Option<Stand>) -> Result<Batch, DbError> {
        let turn = self.turn.get().await?;
        let begun = self.begun.load(Ordering::Relaxed);
        let unchanged = last.filter(|last| last.begun == begun);
        let stand = match unchanged {
            Some(last) => last,
            None => Stand { begun, version: self.ledger.version()? },
        };
        Ok(Batch { turn, stand, has_changed: unchanged.is_none(), ledger: Arc::clone(&self.ledger) })
    }

    pub(super) async fn migrate(&self) -> Result<(), OpenError> {
        migrate(&self.writes).await
    }

    pub(super) async fn close(&self) {
        self.reads.close().await;
        self.turn.close().await;
        self.writes.close().await;
        self.ledger.close();
    }
}

/// Has all who keep something of these auctions see that it may have changed. Nobody else writes anyway.
pub(super) async fn change_auctions(
    connection: &mut SqliteConnection,
    auctions: &[AuctionId],
) -> Result<(), sqlx::Error> {
    for id in auctions {
        let sql = "UPDATE auctions SET revision = revision + 1 WHERE id = $1";
        sqlx::query(sql).bind(id.to_string()).execute(&mut *connection).await?;
    }
    Ok(())
}

impl Writer {
    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        let Self { transaction, _turn } = self;
        transaction.commit().await
    }
}

impl Batch {
    /// Does the script in one durable transaction, if the database still stands as it did.
    pub(super) fn commit(self, script: &Script) -> Result<(), DbError> {
        self.ledger.commit(script, self.stand.version)
    }
}

pub(super) fn path_of(address: &str) -> Option<&Path> {
    let path = address.strip_prefix("sqlite://")?;
    (!path.is_empty() && !path.contains('?')).then(|| Path::new(path))
}

pub(super) async fn open(address: &str) -> Result<Pools, OpenError> {
    let path = path_of(address).ok_or_else(|| OpenError::Address(address.to_owned()))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| cannot(path, &error))?;
    }
    let lock = lock(path).await?;
    connect(path, Some(lock)).await
}

/// Opens the file beside the server that holds its lock, and leaves the schema as that has made it.
pub(super) async fn open_in_use(address: &str) -> Result<Pools, OpenError> {
    connect(path_of(address).ok_or_else(|| OpenError::Address(address.to_owned()))?, None).await
}

async fn connect(path: &Path, lock: Option<File>) -> Result<Pools, OpenError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(WAIT_MAX)
        .pragma("wal_autocheckpoint", LOG_PAGES)
        .pragma("journal_size_limit", LOG_BYTES);
    // A connection into this process's own memory does not go away by itself: nobody has to look before its use.
    let writes = SqlitePoolOptions::new().test_before_acquire(false).max_connections(1).min_connections(1);
    let writes = writes.acquire_timeout(WAIT_MAX).before_acquire(|writer, _| Box::pin(is_free(writer)));
    let writes = writes.connect_with(options.clone()).await.map_err(|error| cannot(path, &error))?;
    check_version(&writes).await.map_err(|error| cannot(path, &error))??;
    if lock.is_some() {
        migrate(&writes).await?;
    }
    let reads = Readers::open(READERS_MAX, &options).await.map_err(|error| cannot(path, &error))?;
    let turn = Readers::open(1, &options).await.map_err(|error| cannot(path, &error))?;
    let ledger = Ledger::open(path).map_err(|error| cannot(path, &error))?;
    Ok(Pools { reads, turn, writes, begun: AtomicU64::default(), ledger: Arc::new(ledger), _lock: lock })
}

/// In one transaction: a release that brings several steps brings all of them or none.
async fn migrate(writes: &SqlitePool) -> Result<(), OpenError> {
    let mut transaction = writes.begin_with("BEGIN IMMEDIATE").await.map_err(MigrateError::from)?;
    MIGRATIONS.run(&mut *transaction).await?;
    Ok(transaction.commit().await.map_err(MigrateError::from)?)
}

/// Applies the schema beside whoever has the file in use, and takes it back.
pub(super) async fn try_migrate(address: &str) -> Result<(), OpenError> {
    let pools = open_in_use(address).await?;
    let Writer { mut transaction, _turn } = pools.begin().await.map_err(MigrateError::from)?;
    MIGRATIONS.run(&mut *transaction).await?;
    transaction.rollback().await.map_err(MigrateError::from)?;
    pools.close().await;
    Ok(())
}

fn cannot(path: &Path, reason: &dyn std::fmt::Display) -> OpenError {
    OpenError::Open { name: path.display().to_string(), reason: reason.to_string() }
}

/// Whether a connection is outside of any transaction. Where SQLite has taken one back by itself, as on a full
/// disk, the driver believes for good that it is still inside: then a new connection is better.
async fn is_free(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    Ok(!sqlx::Connection::is_in_transaction(connection))
}

async fn check_version(pool: &SqlitePool) -> Result<Result<(), OpenError>, sqlx::Error> {
    let found: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(pool).await?;
    let mut parts = found.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    let version = (next(), next(), next());
    Ok(if version >= OLDEST_SQLITE {
        Ok(())
    } else {
        Err(OpenError::TooOld { database: "SQLite", found, required: OLDEST_SQLITE_TEXT })
    })
}

/// Takes the lock that keeps a second server off the file, for as long as the answer lives. The lock is a
/// file of its own, since closing the database's file would drop SQLite's own locks.
pub(super) async fn lock(path: &Path) -> Result<File, OpenError> {
    outlast(|| try_lock(path), |taken| matches!(taken, Err(OpenError::Taken(_)))).await
}

fn try_lock(path: &Path) -> Result<File, OpenError> {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    let file = File::options().create(true).truncate(false).write(true).open(lock_path);
    let file = file.map_err(|error| cannot(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Taken(path.display().to_string())),
        Err(TryLockError::Error(error)) => Err(cannot(path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_log_is_in_the_file_when_it_is_closed_beside_a_reader() {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("farthing.db"), folder.path().join("copy.db"));
        let pools = open(&format!("sqlite://{}", path.display())).await.unwrap();
        let mut writer = pools.begin().await.unwrap();
        sqlx::query("CREATE TABLE kept (id TEXT)").execute(&mut *writer.transaction).await.unwrap();
        writer.commit().await.unwrap();
        let reader = pools.read().await.unwrap();
        pools.close().await;
        std::fs::copy(&path, &copy).unwrap();
        drop(reader);
        let copy = rusqlite::Connection::open(copy).unwrap();
        assert!(copy.table_exists(None, "kept").unwrap());
    }
}

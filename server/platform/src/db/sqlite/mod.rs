//! SQLite: one file with a write-ahead log, durable commits, one writer at a time, and separate readers.

mod batch_writer;
mod connections;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deadpool::managed::Object;
use parking_lot::Mutex;
use sqlx::Connection as _;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(super) use self::batch_writer::BatchWriter;
pub use self::batch_writer::DatabaseVersion;
use self::connections::Connections;
pub(super) use self::connections::PooledConnection;
use super::{
    DbError, LONG_CONNECTIONS_MAX, LOW_PRIORITY_CONNECTIONS_MAX, OpenError, WAIT_MAX, schema,
    without_password,
};
use crate::low_priority;
use crate::retry::retry_until_released;

/// A version of the file, with the number of writers at the time of its check: while no other writer gets the
/// permit, only batches change the file.
#[derive(Debug, Clone, Copy)]
pub struct VersionCheck {
    pub version: DatabaseVersion,
    /// Number of writers of this process until then, without batches.
    writers: u64,
}

/// In earlier versions, two connections can corrupt the log.
const VERSION_MIN: (u32, u32, u32) = (3, 51, 3);
const VERSION_MIN_TEXT: &str = "3.51.3";

const READERS_MAX: usize = 8;
/// Pages in the log before a checkpoint moves them into the file. A page that every batch changes is then
/// moved once for many batches.
const LOG_PAGES: &str = "4000";
/// The log is truncated to this many bytes after a checkpoint.
const LOG_BYTES: &str = "16777216";
/// Free bytes with which the next batch of bids can certainly be written.
const FREE_BYTES_MIN: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct Pools {
    reads: Connections,
    /// Each has a thread, which has the priority of the thread that opens it: a low one.
    low_priority_reads: Connections,
    long_reads: Connections,
    /// The one writer apart from batches that waits for the permit or has it: a batch waits for at most one
    /// of them.
    other_writers: Arc<Semaphore>,
    /// The only permit to write, on the connection of `writes` or on that of the batch writer.
    permit: Arc<Semaphore>,
    /// One connection, because there is one permit.
    writes: Connections,
    /// Number of writers that have had the permit, without batches.
    writers: AtomicU64,
    batch_writer: Arc<BatchWriter>,
    /// The folder of the file.
    folder: PathBuf,
    /// The lock, held until the database is closed; `None` if a running server has it.
    lock: Mutex<Option<File>>,
}

/// The permit to write, with a connection.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) connection: PooledConnection,
    /// Released after the connection.
    _permit: OwnedSemaphorePermit,
    /// Permit of a writer that is not a batch.
    _other_writer: Option<OwnedSemaphorePermit>,
}

impl Pools {
    pub(super) async fn read(&self) -> Result<PooledConnection, sqlx::Error> {
        let reads = if low_priority::is_current() { &self.low_priority_reads } else { &self.reads };
        reads.get().await
    }

    pub(super) async fn long_read(&self) -> Result<PooledConnection, sqlx::Error> {
        self.long_reads.get().await
    }

    /// The permit for a transaction.
    pub(super) async fn writer(&self) -> Result<Writer, sqlx::Error> {
        let other_writer = acquire(&self.other_writers).await?;
        let writer = Writer { _other_writer: Some(other_writer), ..self.permitted().await? };
        self.writers.fetch_add(1, Ordering::Relaxed);
        Ok(writer)
    }

    /// The permit for writes through the connection of the batches that change nothing which these cache.
    pub(super) async fn side_writer(&self) -> Result<Writer, sqlx::Error> {
        let other_writer = acquire(&self.other_writers).await?;
        Ok(Writer { _other_writer: Some(other_writer), ..self.permitted().await? })
    }

    /// The permit for a batch, the version of the file, and whether another writer may have changed the file
    /// since `last`. If this process had no other writer, the version is assumed to be unchanged; the batch's
    /// commit checks it.
    pub(super) async fn begin_batch(
        &self,
        last: Option<VersionCheck>,
    ) -> Result<(Writer, VersionCheck, bool), DbError> {
        let writer = self.permitted().await?;
        let writers = self.writers.load(Ordering::Relaxed);
        match last.filter(|last| last.writers == writers) {
            Some(last) => Ok((writer, last, false)),
            None => Ok((writer, VersionCheck { version: self.batch_writer.version()?, writers }, true)),
        }
    }

    async fn permitted(&self) -> Result<Writer, sqlx::Error> {
        let permit = acquire(&self.permit).await?;
        Ok(Writer { connection: self.writes.get().await?, _permit: permit, _other_writer: None })
    }

    pub(super) fn batch_writer(&self) -> Arc<BatchWriter> {
        Arc::clone(&self.batch_writer)
    }

    /// Fails if the disk is full.
    pub(super) fn check_disk(&self) -> Result<(), DbError> {
        require_free(&self.folder, FREE_BYTES_MIN)
    }

    pub(super) async fn migrate(&self) -> Result<(), OpenError> {
        migrate(&mut self.writer().await.map_err(MigrateError::from)?.connection).await
    }

    pub(super) async fn close(&self) {
        self.reads.close().await;
        self.low_priority_reads.close().await;
        self.long_reads.close().await;
        // Waits for the last writer, so that its connection is closed below.
        let last = self.permitted().await;
        self.permit.close();
        drop(last);
        self.writes.close().await;
        self.batch_writer.close();
        drop(self.lock.lock().take());
    }
}

impl Writer {
    /// Closes the connection; the next writer opens another one.
    pub(super) fn discard(self) {
        let Self { connection, _permit, _other_writer } = self;
        drop(Object::take(connection));
    }
}

pub(super) fn path_of(address: &str) -> Option<&Path> {
    let path = address.strip_prefix("sqlite://")?;
    (!path.is_empty() && !path.contains('?')).then(|| Path::new(path))
}

pub(super) async fn open(address: &str) -> Result<Pools, OpenError> {
    let path = path_of(address).ok_or_else(|| OpenError::Address(without_password(address)))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| cannot(path, &error))?;
    }
    let lock = lock(path).await?;
    connect(path, Some(lock)).await
}

/// Opens the file, and brings the schema up to date unless another process has locked it.
pub(super) async fn open_in_use(address: &str) -> Result<Pools, OpenError> {
    let path = path_of(address).ok_or_else(|| OpenError::Address(without_password(address)))?;
    match try_lock(path) {
        Ok(lock) => connect(path, Some(lock)).await,
        Err(OpenError::Taken(_)) => connect(path, None).await,
        Err(error) => Err(error),
    }
}

/// Opens the file without its lock. Does not change the schema.
pub(super) async fn open_unlocked(address: &str) -> Result<Pools, OpenError> {
    connect(path_of(address).ok_or_else(|| OpenError::Address(without_password(address)))?, None).await
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
    let cannot = |error: sqlx::Error| cannot(path, &error);
    let writes = Connections::open(1, options.clone()).await.map_err(cannot)?;
    check_version(&mut *writes.get().await.map_err(cannot)?).await.map_err(cannot)??;
    if lock.is_some() {
        migrate(&mut *writes.get().await.map_err(cannot)?).await?;
    }
    let reads = options.read_only(true).create_if_missing(false);
    let low_priority_reads = Connections::new(LOW_PRIORITY_CONNECTIONS_MAX, reads.clone()).map_err(cannot)?;
    let long_reads = Connections::new(LONG_CONNECTIONS_MAX, reads.clone()).map_err(cannot)?;
    let reads = Connections::open(READERS_MAX, reads).await.map_err(cannot)?;
    let batch_writer = BatchWriter::open(path).map_err(|error| self::cannot(path, &error))?;
    Ok(Pools {
        reads,
        low_priority_reads,
        long_reads,
        other_writers: Arc::new(Semaphore::new(1)),
        permit: Arc::new(Semaphore::new(1)),
        writes,
        writers: AtomicU64::default(),
        batch_writer: Arc::new(batch_writer),
        folder: path.parent().unwrap_or(Path::new("")).join("."),
        lock: Mutex::new(lock),
    })
}

/// A connection to read a file with, which is not changed.
pub(super) async fn read_copy(path: &Path) -> Result<PooledConnection, OpenError> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(WAIT_MAX);
    let reads = Connections::new(1, options).map_err(|error| cannot(path, &error))?;
    reads.get().await.map_err(|error| cannot(path, &error))
}

fn require_free(folder: &Path, bytes: u64) -> Result<(), DbError> {
    let disk = rustix::fs::statvfs(folder).map_err(|error| sqlx::Error::Io(error.into()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free < bytes { Err(DbError::Full) } else { Ok(()) }
}

/// Waits for a permit, for a bounded time.
async fn acquire(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, sqlx::Error> {
    let permit = tokio::time::timeout(WAIT_MAX, Arc::clone(permits).acquire_owned());
    permit.await.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)
}

/// Migrates in one transaction: all migrations of a release are applied or none.
async fn migrate(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(MigrateError::from)?;
    schema::SQLITE.run(&mut *transaction).await?;
    Ok(transaction.commit().await.map_err(MigrateError::from)?)
}

/// Applies the schema in a transaction and rolls it back, also while a server uses the file.
pub(super) async fn try_migrate(address: &str) -> Result<(), OpenError> {
    let pools = open_in_use(address).await?;
    let mut writer = pools.writer().await.map_err(MigrateError::from)?;
    let begun = writer.connection.begin_with("BEGIN IMMEDIATE").await;
    let mut transaction = begun.map_err(MigrateError::from)?;
    schema::SQLITE.run(&mut *transaction).await?;
    transaction.rollback().await.map_err(MigrateError::from)?;
    drop(writer);
    pools.close().await;
    Ok(())
}

fn cannot(path: &Path, reason: &dyn std::fmt::Display) -> OpenError {
    OpenError::Open { name: path.display().to_string(), reason: reason.to_string() }
}

async fn check_version(connection: &mut SqliteConnection) -> Result<Result<(), OpenError>, sqlx::Error> {
    let found: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(connection).await?;
    let mut parts = found.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    let version = (next(), next(), next());
    Ok(if version >= VERSION_MIN {
        Ok(())
    } else {
        Err(OpenError::TooOld { database: "SQLite", found, required: VERSION_MIN_TEXT })
    })
}

/// Locks the database against a second server until the returned file is dropped. The lock is on a separate
/// file, because closing the database's file would release SQLite's own locks.
pub(super) async fn lock(path: &Path) -> Result<File, OpenError> {
    retry_until_released(|| try_lock(path), |taken| matches!(taken, Err(OpenError::Taken(_)))).await
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
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_batch_waits_for_at_most_one_other_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("farthing.db");
        let pools = open(&format!("sqlite://{}", path.display())).await.unwrap();
        let first = pools.writer().await.unwrap();
        let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(pools.writer())).collect();
        for writer in &mut waiting {
            assert!(writer.now_or_never().is_none(), "waits");
        }
        let mut batch = Box::pin(pools.begin_batch(None));
        assert!((&mut batch).now_or_never().is_none(), "waits for the first");
        drop(first);
        drop(batch.await.unwrap());
        for writer in waiting {
            drop(writer.await.unwrap());
        }
    }

    #[test]
    fn a_disk_without_room_is_full() {
        let folder = tempfile::tempdir().unwrap();
        require_free(folder.path(), 1).unwrap();
        assert!(require_free(folder.path(), 1 << 60).unwrap_err().is_full());
        assert!(matches!(require_free(&folder.path().join("x"), 1), Err(DbError::Driver(_))));
    }

    #[tokio::test]
    async fn closing_moves_the_log_into_the_file_despite_an_open_reader() {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("farthing.db"), folder.path().join("copy.db"));
        let pools = open(&format!("sqlite://{}", path.display())).await.unwrap();
        let mut writer = pools.writer().await.unwrap();
        sqlx::query("CREATE TABLE kept (id TEXT)").execute(&mut *writer.connection).await.unwrap();
        drop(writer);
        let reader = pools.read().await.unwrap();
        pools.close().await;
        std::fs::copy(&path, &copy).unwrap();
        drop(reader);
        let copy = rusqlite::Connection::open(copy).unwrap();
        assert!(copy.table_exists(None, "kept").unwrap());
    }
}

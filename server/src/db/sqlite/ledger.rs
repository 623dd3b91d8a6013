//! The connection that writes the batches of bids. It has a thread of its own and does a whole [`Script`] in one
//! turn, since each turn between threads costs as much as several bids.

use std::path::Path;
use std::sync::mpsc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql};
use tokio::sync::oneshot;

use super::{LOG_BYTES, LOG_PAGES, WAIT_MAX};
use crate::db::query::Value;
use crate::db::{DbError, Script};

/// Statements that stay prepared: more than a batch has.
const STATEMENTS: usize = 32;

/// Moves with every commit of another connection, and with none of this one.
pub(super) type Version = i64;

/// See the module. Dropped, it ends the thread.
#[derive(Debug)]
pub(super) struct Ledger {
    jobs: mpsc::Sender<Job>,
}

#[derive(Debug)]
enum Job {
    Version(oneshot::Sender<Result<Version, DbError>>),
    Commit { script: Script, version: Version, done: oneshot::Sender<Result<(), DbError>> },
    Close(oneshot::Sender<()>),
}

impl Ledger {
    /// Opens the file, which is there with its schema.
    pub(super) fn open(path: &Path) -> Result<Self, DbError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(WAIT_MAX)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        // Answers with what it has set.
        connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        let (jobs, waiting) = mpsc::channel();
        std::thread::Builder::new()
            .name("ledger".to_owned())
            .spawn(move || work(connection, &waiting))
            .map_err(sqlx::Error::Io)?;
        Ok(Self { jobs })
    }

    pub(super) async fn version(&self) -> Result<Version, DbError> {
        self.ask(Job::Version).await?
    }

    /// Does the script in one durable transaction.
    ///
    /// # Errors
    /// `Overtaken` where others have written since `version`. After any error nothing of it was done.
    pub(super) async fn commit(&self, script: Script, version: Version) -> Result<(), DbError> {
        self.ask(|done| Job::Commit { script, version, done }).await?
    }

    pub(super) async fn close(&self) {
        // Where the thread is gone, the connection is closed.
        let _ = self.ask(Job::Close).await;
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<T>) -> Job) -> Result<T, DbError> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(job(answer)).map_err(|_| DbError::Gone)?;
        answered.await.map_err(|_| DbError::Gone)
    }
}

fn work(connection: Connection, jobs: &mpsc::Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        // Who has asked may have gone away.
        match job {
            Job::Version(answer) => drop(answer.send(version(&connection).map_err(DbError::from))),
            Job::Commit { script, version, done } => drop(done.send(commit(&connection, &script, version))),
            Job::Close(answer) => {
                drop(connection);
                let _ = answer.send(());
                return;
            }
        }
    }
}

fn version(connection: &Connection) -> Result<Version, rusqlite::Error> {
    connection.prepare_cached("PRAGMA data_version")?.query_one([], |row| row.get(0))
}

fn commit(connection: &Connection, script: &Script, expected: Version) -> Result<(), DbError> {
    let done = try_commit(connection, script, expected);
    // Some errors have SQLite take everything back by itself.
    if done.is_err() && !connection.is_autocommit() {
        connection.prepare_cached("ROLLBACK")?.execute([])?;
    }
    done
}

fn try_commit(connection: &Connection, script: &Script, expected: Version) -> Result<(), DbError> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    if version(connection)? != expected {
        return Err(DbError::Overtaken);
    }
    for (change, rows) in &script.changes {
        let mut statement = connection.prepare_cached(change.sqlite)?;
        for row in rows {
            statement.execute(rusqlite::params_from_iter(row))?;
        }
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}

impl ToSql for Value {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>, rusqlite::Error> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Id(Some(id)) => ValueRef::Text(id.as_str().as_bytes()),
            Self::Number(Some(number)) => ValueRef::Integer(*number),
            Self::Flag(flag) => ValueRef::Integer(i64::from(*flag)),
            Self::Text(None) | Self::Id(None) | Self::Number(None) => ValueRef::Null,
        }))
    }
}

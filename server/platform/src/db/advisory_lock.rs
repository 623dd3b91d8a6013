//! A lock of all servers on one database that protects something outside of it, such as files that they
//! share.

use std::sync::Arc;

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use super::{Database, DbError, Snapshot, query_scalar};

const SHARED: &str = "SELECT pg_advisory_xact_lock_shared(hashtext(current_schema()), hashtext($1)) IS NULL";
const EXCLUSIVE: &str = "SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext($1)) IS NULL";

/// A lock with a name. Clones are the same lock. On SQLite, which has one server, it is in memory.
#[derive(Debug, Clone)]
pub struct AdvisoryLock {
    db: Database,
    name: &'static str,
    /// Between requests of this server, so that those wait without a connection.
    local: Arc<RwLock<()>>,
}

/// Holds a lock until it is dropped. On PostgreSQL it occupies a connection, and a server that keeps it for
/// ten seconds loses it.
#[derive(Debug)]
pub struct AdvisoryGuard {
    _local: LocalGuard,
    /// Its transaction has the lock between servers.
    _remote: Option<Snapshot>,
}

#[derive(Debug)]
enum LocalGuard {
    Shared { _guard: OwnedRwLockReadGuard<()> },
    Exclusive { _guard: OwnedRwLockWriteGuard<()> },
}

impl AdvisoryLock {
    pub fn new(db: Database, name: &'static str) -> Self {
        Self { db, name, local: Arc::default() }
    }

    /// Waits until the lock is not held exclusively.
    pub async fn shared(&self) -> Result<AdvisoryGuard, DbError> {
        let local = LocalGuard::Shared { _guard: Arc::clone(&self.local).read_owned().await };
        self.guard(local, SHARED).await
    }

    /// Waits until nothing holds the lock.
    pub async fn exclusive(&self) -> Result<AdvisoryGuard, DbError> {
        let local = LocalGuard::Exclusive { _guard: Arc::clone(&self.local).write_owned().await };
        self.guard(local, EXCLUSIVE).await
    }

    async fn guard(&self, local: LocalGuard, postgres: &'static str) -> Result<AdvisoryGuard, DbError> {
        if !self.db.is_remote() {
            return Ok(AdvisoryGuard { _local: local, _remote: None });
        }
        let mut snapshot = self.db.snapshot().await?;
        query_scalar(postgres).bind(self.name).fetch_one::<bool>(&mut snapshot).await?;
        Ok(AdvisoryGuard { _local: local, _remote: Some(snapshot) })
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_lock_is_shared_or_exclusive() {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite://{}", folder.path().join("farthing.db").display());
        let lock = AdvisoryLock::new(Database::open(&address).await.unwrap(), "pictures");
        let (one, other) = (lock.shared().await.unwrap(), lock.shared().await.unwrap());
        drop(one);
        assert!(lock.exclusive().now_or_never().is_none());
        drop(other);
        let exclusive = lock.exclusive().await.unwrap();
        assert!(lock.clone().shared().now_or_never().is_none());
        drop(exclusive);
        lock.shared().await.unwrap();
    }
}

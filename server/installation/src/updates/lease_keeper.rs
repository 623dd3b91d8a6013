//! The lease of a run in the database: one run at a time for all servers. A run whose process has died loses
//! it.

use std::time::Duration;

use crate::ids::RunId;
use platform::db::{Database, DbError, lease};
use platform::log_field::logged;

/// The length of the lease. A living run renews it more often.
pub const LEASE_MILLIS: i64 = 30_000;
const RENEW_INTERVAL: Duration = Duration::from_secs(10);
/// Time for the next server to take over, in addition to the timeout of the health check (SPEC, section 8).
const RESTART: Duration = Duration::from_secs(10);

/// Renews the lease of a run until it is dropped.
pub struct LeaseKeeper(tokio::task::JoinHandle<()>);

impl LeaseKeeper {
    pub fn start(db: Database, run: RunId) -> Self {
        Self(tokio::spawn(async move {
            loop {
                tokio::time::sleep(RENEW_INTERVAL).await;
                if let Err(error) = renew(&db, run, LEASE_MILLIS).await {
                    tracing::warn!(error = logged(&error), "can't renew the lease of the update");
                }
            }
        }))
    }
}

impl Drop for LeaseKeeper {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Extends the lease until the next server has had its time to become healthy.
pub async fn extend_for_restart(db: &Database, run: RunId, health_timeout: Duration) -> Result<(), DbError> {
    let millis = i64::try_from((health_timeout + RESTART).as_millis()).unwrap_or(i64::MAX / 2);
    renew(db, run, millis).await
}

async fn renew(db: &Database, run: RunId, millis: i64) -> Result<(), DbError> {
    let mut transaction = db.write_always().await?;
    lease::renew(&mut transaction, &run.to_string(), millis).await?;
    transaction.commit().await
}

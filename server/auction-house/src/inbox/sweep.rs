//! Deletes old notifications. Every server runs this; deleting twice changes nothing.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::notifications::store;
use platform::db::DbError;
use platform::log_field::logged;

/// Notifications of each kind that a user keeps, so that no kind displaces another.
const KEPT: i64 = 500;
/// How long a notification is kept.
const AGE_SECONDS: i64 = 90 * 24 * 60 * 60;
const ROUND_EVERY: Duration = Duration::from_secs(10 * 60);
/// Users of one round, at most.
const USERS_MAX: i64 = 1000;

/// Deletes old notifications, until `stopping`.
pub async fn run(context: Context, stopping: CancellationToken) {
    let work = async {
        loop {
            tokio::time::sleep(ROUND_EVERY).await;
            match sweep(&context).await {
                Err(error) if error.is_paused() || error.is_busy() => {}
                Err(error) => {
                    let error = logged(&error);
                    tracing::error!(error, "can't delete old notifications");
                }
                Ok(()) => {}
            }
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Deletes, of each user, all but the newest notifications of each kind, those that are too old, and all of a
/// deleted account.
pub async fn sweep(context: &Context) -> Result<(), DbError> {
    let before = context.clock.now().plus_seconds(-AGE_SECONDS);
    let users = store::with_old(&mut context.db.read().await?, before, KEPT, USERS_MAX).await?;
    for user in users {
        let mut db = context.db.write().await?;
        store::delete_old(&mut db, user, before, KEPT).await?;
        db.commit().await?;
    }
    Ok(())
}

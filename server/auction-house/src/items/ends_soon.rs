//! Notifies the followers of items that end within the hour. Every server runs this; the transaction of an
//! item records that it was done.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::store::ending;
use crate::context::Context;
use crate::ids::{AuctionId, ItemId};
use crate::notifications::{NewNotification, NotificationKind};
use crate::usage;
use platform::db::DbError;
use platform::log_field::logged;

/// How long before its end an item ends soon.
const SOON_SECONDS: i64 = 60 * 60;
const ROUND_EVERY: Duration = Duration::from_secs(30);
/// Items of one round, at most.
const ITEMS_MAX: i64 = 256;

/// Notifies of what ends soon, until `stopping`.
pub async fn run(context: Context, stopping: CancellationToken) {
    let work = async {
        loop {
            notify_followers(&context).await;
            tokio::time::sleep(ROUND_EVERY).await;
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Notifies the followers of every item that ends within the hour, once.
pub async fn notify_followers(context: &Context) {
    match round(context).await {
        Err(error) if error.is_paused() || error.is_busy() || error.is_conflict() => {}
        Err(error) => {
            let error = logged(&error);
            tracing::error!(error, "can't notify users of items that end soon");
        }
        Ok(()) => {}
    }
}

async fn round(context: &Context) -> Result<(), DbError> {
    let now = context.clock.now();
    let until = now.plus_seconds(SOON_SECONDS);
    let due = ending::due(&mut context.db.read().await?, now, until, ITEMS_MAX).await?;
    for (auction_id, item_id) in due {
        notify(context, auction_id, item_id).await?;
    }
    Ok(())
}

async fn notify(context: &Context, auction_id: AuctionId, item_id: ItemId) -> Result<(), DbError> {
    let mut db = context.db.write().await?;
    if !ending::record(&mut db, item_id).await? {
        return Ok(());
    }
    let users = usage::followers(&mut db, auction_id, item_id).await?;
    let leading = usage::leading_bid(&mut db, item_id).await?;
    let new = |user| NewNotification::of_bid(user, NotificationKind::EndsSoon, auction_id, item_id, leading);
    let new: Vec<_> = users.into_iter().map(new).collect();
    let signal = context.notifier.notify(&mut db, &new, context.clock.now()).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(())
}

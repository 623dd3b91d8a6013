//! Marks notifications of a user as read.

use crate::context::Context;
use crate::events::Signal;
use crate::ids::{NotificationId, UserId};
use crate::notifications::store;
use platform::db::DbError;

/// The notifications to be marked.
#[derive(Debug, Clone)]
pub enum ReadNotifications {
    All,
    Some(Vec<NotificationId>),
}

/// Marks them. Those of other users stay as they are.
pub async fn mark_read(context: &Context, user: UserId, which: &ReadNotifications) -> Result<(), DbError> {
    let now = context.clock.now();
    let mut db = context.db.write().await?;
    match which {
        ReadNotifications::All => store::mark_all_read(&mut db, user, now).await?,
        ReadNotifications::Some(ids) => store::mark_read(&mut db, user, ids, now).await?,
    }
    let signal = Signal::UserEvents(vec![user]);
    crate::events::signal::send(&mut db, &signal).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(())
}

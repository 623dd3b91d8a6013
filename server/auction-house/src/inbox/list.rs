//! Lists the notifications of a user.

use crate::ids::{NotificationId, UserId};
use crate::notifications::{Notification, store};
use platform::db::{Connection, DbError};

/// Notifications of one page, at most.
pub const LIMIT_MAX: i64 = 100;
/// Notifications of one page by default.
pub const LIMIT_DEFAULT: i64 = 50;
/// The count of unread notifications ends here.
pub const UNREAD_MAX: i64 = 100;

/// The requested part of the list.
#[derive(Debug, Clone, Copy)]
pub struct NotificationRange {
    /// 1 to [`LIMIT_MAX`].
    pub limit: i64,
    /// Only older ones.
    pub before: Option<NotificationId>,
    pub only_unread: bool,
}

/// Notifications, newest first, and where the next page begins.
#[derive(Debug)]
pub struct NotificationList {
    pub notifications: Vec<Notification>,
    pub unread: i64,
    pub next_before: Option<NotificationId>,
}

/// One page of the notifications of a user.
pub async fn list(
    conn: &mut Connection,
    user: UserId,
    range: NotificationRange,
) -> Result<NotificationList, DbError> {
    let NotificationRange { limit, before, only_unread } = range;
    let mut notifications = store::newest(conn, user, before, only_unread, limit + 1).await?;
    let more = i64::try_from(notifications.len()).is_ok_and(|found| found > limit);
    if more {
        notifications.pop();
    }
    let next_before = notifications.last().filter(|_| more).map(|last| last.id);
    let unread = store::unread(conn, user, UNREAD_MAX).await?;
    Ok(NotificationList { notifications, unread, next_before })
}

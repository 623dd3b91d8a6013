//! The news of a sign-in in a browser that is new to the account, for a user who wants it.

use platform::db::{DbError, Transaction, WriteBatch};
use platform::net::ClientAddress;
use platform::time::Moment;

use crate::ids::UserId;
use crate::preferences::kind::NotificationKind;
use crate::user::User;

/// Notifies users of sign-ins. Notifications stand above accounts, which therefore learn of them here.
pub trait NewBrowserNews: Send + Sync {
    /// Adds the notification to the writes of the transaction of the sign-in.
    fn write(&self, writes: &mut WriteBatch, user: UserId, address: ClientAddress, now: Moment);

    /// Wakes the streams of the user, after the commit.
    fn publish(&self, user: UserId);
}

/// Whether the user wants the news of a sign-in in a browser that is `new`.
pub(super) fn is_wanted(user: &User, is_new: bool) -> bool {
    let preferences = &user.preferences;
    is_new
        && (preferences.notify.contains(NotificationKind::NewBrowser)
            || preferences.mail.contains(NotificationKind::NewBrowser))
}

/// Writes the news in the transaction of the sign-in.
pub(super) async fn write(
    news: &dyn NewBrowserNews,
    db: &mut Transaction,
    user: UserId,
    address: ClientAddress,
    now: Moment,
) -> Result<(), DbError> {
    let mut writes = WriteBatch::default();
    news.write(&mut writes, user, address, now);
    db.run(writes).await
}

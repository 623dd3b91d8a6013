//! Notifications as page data.

use auction_house::notifications::{Notification, NotificationKind};

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationEntry {
    pub id: String,
    /// The name of what it is about.
    pub title: String,
    pub text: String,
    /// The page about it.
    pub link: Option<String>,
    pub created_at: i64,
    pub is_read: bool,
}

/// A notification in the list.
pub fn entry(notification: Notification) -> NotificationEntry {
    NotificationEntry {
        id: notification.id.to_string(),
        text: notification.text(),
        link: link(&notification),
        title: notification.title,
        created_at: notification.created_at.millis(),
        is_read: notification.read_at.is_some(),
    }
}

/// The page about it. A user who is invited does not see the auction yet.
fn link(notification: &Notification) -> Option<String> {
    let Notification { kind, auction_id, item_id, detail, .. } = notification;
    match (kind, auction_id, item_id, detail) {
        (NotificationKind::Invited, _, _, Some(token)) => Some(format!("/invites/{token}")),
        (NotificationKind::NewBrowser, ..) => Some("/account?subject=sessions".to_owned()),
        (NotificationKind::Upgraded, ..) => Some("/groups".to_owned()),
        (_, Some(auction), Some(item), _) => Some(format!("/auctions/{auction}/items/{item}")),
        (_, Some(auction), None, _) => Some(format!("/auctions/{auction}")),
        _ => None,
    }
}

//! The data of notifications.

#[cfg(feature = "ssr")]
use super::OwnItem;

/// What the header shows of the viewer's notifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxState {
    /// At most 100.
    pub unread: u32,
    /// The id of the newest notification, after which the header's stream begins.
    pub last: String,
}

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

/// What happened to one item, auction or book on one page, the newest first. It is not empty.
#[cfg(feature = "ssr")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationGroup {
    pub entries: Vec<NotificationEntry>,
    /// The item as it is now, if the viewer sees it.
    pub item: Option<OwnItem>,
}

/// One page of the viewer's notifications.
#[cfg(feature = "ssr")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationsPage {
    pub groups: Vec<NotificationGroup>,
    pub next_cursor: Option<String>,
    pub unread: u32,
}

/// What a link in a mail ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsubscription {
    pub email: String,
    pub kind: &'static str,
}

//! The data of notifications.

/// What the header shows of the viewer's notifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxState {
    /// At most 100.
    pub unread: u32,
    /// The id of the newest notification, after which the header's stream begins.
    pub last: String,
}

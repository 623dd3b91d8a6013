//! What is new for users. Each kind of event has one reading.

use axum::body::Bytes;

use crate::ids::{NotificationId, UserId};
use crate::inbox::document::NotificationDocument;
use crate::notifications::{self, Notification};
use platform::db::{Connection, DbError};
use platform::http::sse;
use platform::ids::{Id, Uuid};

/// Events of one reading. If there are more, the next reading follows.
const EVENTS_MAX: i64 = 1000;
/// A transaction commits at most this long after its notification got the id. Ids of this time before the
/// last delivered one are read again.
const COMMIT_MILLISECONDS_MAX: u128 = 10_000;

/// One event of a user.
#[derive(Debug, Clone)]
pub struct UserEvent {
    pub user: UserId,
    /// Id of a notification, after which a stream resumes.
    pub id: Option<NotificationId>,
    pub text: Bytes,
}

/// The events of users, each past the last delivered notification.
pub async fn read(
    conn: &mut Connection,
    users: &[(UserId, NotificationId)],
) -> Result<Vec<UserEvent>, DbError> {
    let from: Vec<_> = users.iter().map(|(user, last)| (*user, earliest_open(*last))).collect();
    let found = notifications::store::following_all(conn, &from, EVENTS_MAX).await?;
    found.into_iter().map(UserEvent::of_notification).collect()
}

impl UserEvent {
    pub fn of_notification(notification: Notification) -> Result<Self, DbError> {
        let (user, id) = (notification.user_id, notification.id);
        let mut text = format!("id: {id}\n").into_bytes();
        let document = NotificationDocument::from(notification);
        let event = sse::event("notification", None, &document);
        text.extend(event.map_err(|error| DbError::Corrupt(error.to_string()))?);
        Ok(Self { user, id: Some(id), text: text.into() })
    }
}

/// Below all ids that may still be committed after `last`.
pub fn earliest_open(last: NotificationId) -> NotificationId {
    let millis = last.uuid().as_u128() >> 80;
    NotificationId::of(Uuid::from_u128(millis.saturating_sub(COMMIT_MILLISECONDS_MAX) << 80))
}

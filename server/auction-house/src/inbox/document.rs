//! A notification as the API shows it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::notifications::{Kind, Notification};

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notification)]
pub struct NotificationDocument {
    #[schema(format = "uuid")]
    id: String,
    kind: Kind,
    #[schema(format = "uuid")]
    auction_id: Option<String>,
    #[schema(format = "uuid")]
    item_id: Option<String>,
    /// The name of the item, of the auction or of the book.
    title: String,
    /// What happened.
    text: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    read_at: Option<String>,
}

impl From<Notification> for NotificationDocument {
    fn from(notification: Notification) -> Self {
        Self {
            id: notification.id.to_string(),
            kind: notification.kind,
            auction_id: notification.auction_id.map(|id| id.to_string()),
            item_id: notification.item_id.map(|id| id.to_string()),
            text: notification.text(),
            title: notification.title,
            created_at: notification.created_at.to_string(),
            read_at: notification.read_at.map(|at| at.to_string()),
        }
    }
}

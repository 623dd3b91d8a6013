//! A notification as the API shows it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::{AuctionId, ItemId, NotificationId};
use crate::notifications::{Notification, NotificationKind};
use platform::time::Moment;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notification)]
pub struct NotificationDocument {
    #[schema(value_type = String, format = "uuid")]
    id: NotificationId,
    kind: NotificationKind,
    #[schema(value_type = Option<String>, format = "uuid")]
    auction_id: Option<AuctionId>,
    #[schema(value_type = Option<String>, format = "uuid")]
    item_id: Option<ItemId>,
    /// The name of the item, of the auction or of the book.
    title: String,
    /// What happened.
    text: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    read_at: Option<Moment>,
}

impl From<Notification> for NotificationDocument {
    fn from(notification: Notification) -> Self {
        Self {
            id: notification.id,
            kind: notification.kind,
            auction_id: notification.auction_id,
            item_id: notification.item_id,
            text: notification.text(),
            title: notification.title,
            created_at: notification.created_at,
            read_at: notification.read_at,
        }
    }
}

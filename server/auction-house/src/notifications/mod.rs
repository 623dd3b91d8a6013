//! Notifications: what happened to a user. Rooms write them in the transaction of the cause; `inbox` shows them.

mod kind;
pub mod store;

pub use kind::{Kind, KindSet};

use crate::ids::{AuctionId, ItemId, NotificationId, UserId};
use platform::time::Moment;

/// A notification to be written. A user who does not want its kind does not get it.
#[derive(Debug, Clone)]
pub struct NewNotification {
    pub user_id: UserId,
    pub kind: Kind,
    pub auction_id: Option<AuctionId>,
    pub item_id: Option<ItemId>,
    /// Where neither an item nor an auction names it.
    pub title: Option<String>,
    /// What the kind needs besides.
    pub detail: Option<String>,
}

impl NewNotification {
    pub fn of_item(user_id: UserId, kind: Kind, auction_id: AuctionId, item_id: ItemId) -> Self {
        let (auction_id, item_id) = (Some(auction_id), Some(item_id));
        Self { user_id, kind, auction_id, item_id, title: None, detail: None }
    }

    /// A change of the user's balance in a book. `sentence` says what has changed, and why.
    pub fn of_balance(user_id: UserId, book_name: String, sentence: String) -> Self {
        let (title, detail) = (Some(book_name), Some(sentence));
        Self { user_id, kind: Kind::Balance, auction_id: None, item_id: None, title, detail }
    }
}

/// A notification as stored, with the present name of what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    pub id: NotificationId,
    pub user_id: UserId,
    pub kind: Kind,
    pub auction_id: Option<AuctionId>,
    pub item_id: Option<ItemId>,
    /// The name of the item, of the auction or of the book.
    pub title: String,
    pub detail: Option<String>,
    pub created_at: Moment,
    pub read_at: Option<Moment>,
}

impl Notification {
    /// The sentence that says what happened.
    pub fn text(&self) -> String {
        self.kind.sentence(self.detail.as_deref())
    }
}

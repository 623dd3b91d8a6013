//! Notifications: what happened to a user. Rooms write them in the transaction of the cause, but those about
//! who leads an item, which follow from the ledger; `inbox` shows them.

pub mod heads;
pub mod new_browser;
pub mod prices;
pub mod store;

use accounts::groups::PersonNumber;
use accounts::outbox::{NewMail, Outbox};
pub use accounts::preferences::kind::{KindSet, NotificationKind};

use crate::events::signal::{self, Signal};
use crate::ids::{AuctionId, BookId, ItemId, NotificationId, UserId};
use platform::db::{DbError, Transaction, WriteBatch};
use platform::ids::Id;
use platform::time::Moment;
use platform::token::LinkToken;

/// Users of one signal between servers, whose text is limited.
const SIGNAL_USERS_MAX: usize = 200;

/// Writes notifications, and the mails about them if this installation sends any.
#[derive(Debug, Clone, Copy)]
pub struct Notifier {
    pub outbox: Outbox,
}

impl Notifier {
    /// Writes notifications alone: their mails were sent before.
    pub fn without_mail(self) -> Self {
        Self { outbox: Outbox { sends_mail: false } }
    }

    /// Adds notifications and their mails to `writes`, each for a user who wants its kind, and the signal for
    /// other servers.
    pub fn write(self, writes: &mut WriteBatch, new: &[NewNotification], now: Moment) {
        if new.is_empty() {
            return;
        }
        store::insert(writes, new, now);
        self.outbox.add_all(writes, new.iter().map(NewNotification::mail), now);
        for users in new.chunks(SIGNAL_USERS_MAX) {
            signal::send_with(writes, &signal_to(users));
        }
    }

    /// Writes notifications in the transaction of their cause. The signal is to be published after the
    /// commit.
    pub async fn notify(
        self,
        conn: &mut Transaction,
        new: &[NewNotification],
        now: Moment,
    ) -> Result<Signal, DbError> {
        let mut writes = WriteBatch::default();
        self.write(&mut writes, new, now);
        conn.run(writes).await?;
        Ok(signal_to(new))
    }
}

/// The signal to the streams of the users.
pub fn signal_to(new: &[NewNotification]) -> Signal {
    Signal::UserEvents(new.iter().map(|one| one.user_id).collect())
}

/// A notification to be written. A user who does not want its kind does not get it.
#[derive(Debug, Clone)]
pub struct NewNotification {
    pub user_id: UserId,
    pub kind: NotificationKind,
    pub auction_id: Option<AuctionId>,
    pub item_id: Option<ItemId>,
    /// The book of a balance.
    pub book_id: Option<BookId>,
    /// Where neither an item nor an auction names it.
    pub title: Option<String>,
    /// What the kind needs besides.
    pub detail: Option<String>,
    /// The bid of the item whose price the words name.
    pub sequence: Option<i64>,
    /// When it happened, if it is written later.
    pub happened_at: Option<Moment>,
}

impl NewNotification {
    fn mail(&self) -> NewMail {
        let Self { user_id, kind, auction_id, item_id, title, detail, sequence, .. } = self.clone();
        let (auction_id, item_id) = (auction_id.map(Id::uuid), item_id.map(Id::uuid));
        NewMail { user_id, kind, auction_id, item_id, title, detail, sequence }
    }

    pub fn of_item(user_id: UserId, kind: NotificationKind, auction_id: AuctionId, item_id: ItemId) -> Self {
        let (auction_id, item_id) = (Some(auction_id), Some(item_id));
        Self { auction_id, item_id, ..Self::of_account(user_id, kind) }
    }

    /// News of an item whose words name the price of a bid.
    pub fn of_bid(
        user_id: UserId,
        kind: NotificationKind,
        auction_id: AuctionId,
        item_id: ItemId,
        sequence: Option<i64>,
    ) -> Self {
        Self { sequence, ..Self::of_item(user_id, kind, auction_id, item_id) }
    }

    /// A change of an item, in words that say what it means for the user.
    pub fn of_change(user_id: UserId, auction_id: AuctionId, item_id: ItemId, sentence: String) -> Self {
        let detail = Some(sentence);
        Self { detail, ..Self::of_item(user_id, NotificationKind::ItemChanged, auction_id, item_id) }
    }

    /// An invite to the e-mail of the user, who has confirmed it.
    pub fn of_invite(user_id: UserId, auction_id: AuctionId, token: &LinkToken) -> Self {
        let (auction_id, detail) = (Some(auction_id), Some(token.as_str().to_owned()));
        Self { auction_id, detail, ..Self::of_account(user_id, NotificationKind::Invited) }
    }

    /// A sign-in from this address in a browser that is new to the account.
    pub fn of_new_browser(user_id: UserId, address: String) -> Self {
        let (title, detail) = (Some("Your account".to_owned()), Some(address));
        Self { title, detail, ..Self::of_account(user_id, NotificationKind::NewBrowser) }
    }

    fn of_account(user_id: UserId, kind: NotificationKind) -> Self {
        Self {
            user_id,
            kind,
            auction_id: None,
            item_id: None,
            book_id: None,
            title: None,
            detail: None,
            sequence: None,
            happened_at: None,
        }
    }

    /// A managed user of a group, which the user keeps, who has become a full account.
    pub fn of_upgrade(keeper: UserId, group_name: String, number: PersonNumber, name: &str) -> Self {
        let detail = format!(
            "Number {number}, {name}, has an account with an e-mail and a password now. If it was another person, undo it within a day on the page of the group."
        );
        let (title, detail) = (Some(group_name), Some(detail));
        Self { title, detail, ..Self::of_account(keeper, NotificationKind::Upgraded) }
    }

    /// A change of the user's balance in a book. `sentence` says what has changed, and why.
    pub fn of_balance(user_id: UserId, book_id: BookId, book_name: String, sentence: String) -> Self {
        let (book_id, title, detail) = (Some(book_id), Some(book_name), Some(sentence));
        Self { book_id, title, detail, ..Self::of_account(user_id, NotificationKind::Balance) }
    }
}

/// A notification as stored, with the name that its item, auction or book had then: a user who may no longer
/// see it learns no later one.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Notification {
    pub id: NotificationId,
    pub user_id: UserId,
    pub kind: NotificationKind,
    pub auction_id: Option<AuctionId>,
    pub item_id: Option<ItemId>,
    /// The name of the item, of the auction or of the book.
    pub title: String,
    pub detail: Option<String>,
    pub sequence: Option<i64>,
    /// The words of the price of the bid `sequence`.
    #[sqlx(skip)]
    pub price: Option<String>,
    pub created_at: Moment,
    pub read_at: Option<Moment>,
}

impl Notification {
    /// The sentence that says what happened.
    pub fn text(&self) -> String {
        sentence(self.kind, self.detail.as_deref(), self.price.as_deref())
    }
}

/// The sentence that says what happened, with the price where there is one. That of a balance, and of a
/// change that concerns the user, is its `detail`; that of a new item is how many more there are.
pub fn sentence(kind: NotificationKind, detail: Option<&str>, price: Option<&str>) -> String {
    let (sentence, before_price) = match kind {
        NotificationKind::Outbid => ("Another bid was higher than yours", ": "),
        NotificationKind::LeadingAgain => ("A bid was withdrawn: yours is the highest again", ", at "),
        NotificationKind::Won => ("You have won this item", " for "),
        NotificationKind::Sold => ("Your item was sold", " for "),
        NotificationKind::Unsold => ("Your item closed without a sale", ""),
        NotificationKind::EndsSoon => ("This item ends within the hour", ", now at "),
        NotificationKind::NewItem => match detail {
            Some(more) => return format!("This item and {more} more are new."),
            None => ("This item is new", ""),
        },
        NotificationKind::Invited => ("You are invited to this auction", ""),
        NotificationKind::ItemChanged => return detail.unwrap_or("This item was changed.").to_owned(),
        NotificationKind::Balance => return detail.unwrap_or("Your balance has changed.").to_owned(),
        NotificationKind::Upgraded => {
            return detail.unwrap_or("A person has an account of their own now.").to_owned();
        }
        NotificationKind::NewBrowser => {
            return format!(
                "A sign-in in a new browser, from {}. If it was not you, set a new password.",
                detail.unwrap_or("an unknown address")
            );
        }
    };
    match price {
        Some(price) => format!("{sentence}{before_price}{price}."),
        None => format!("{sentence}."),
    }
}

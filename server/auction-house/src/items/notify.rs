//! Notifies members of an item that is new or was changed, in its transaction.

use super::Item;
use crate::auctions::access::AuctionView;
use crate::context::Context;
use crate::events::Signal;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::notifications::{self, NewNotification, NotificationKind};
use crate::usage;
use platform::db::{DbError, Transaction};

/// Notifies the members who want it of an item that `by` has published. The signal is to be published after
/// the commit.
pub async fn of_published(
    context: &Context,
    db: &mut Transaction,
    (auction_id, item_id): (AuctionId, ItemId),
    by: UserId,
    is_published: bool,
) -> Result<Signal, DbError> {
    let users = match is_published {
        true => notifications::store::members_who_want(db, auction_id, NotificationKind::NewItem, by).await?,
        false => Vec::new(),
    };
    notify(context, db, (auction_id, item_id), NotificationKind::NewItem, users).await
}

/// Notifies the members who want it of items that the viewer of the auction has created at once: of the first
/// published one, and how many more there are.
pub async fn of_all_published(
    context: &Context,
    db: &mut Transaction,
    seen: &AuctionView,
    items: &[Item],
) -> Result<Signal, DbError> {
    let mut published = items.iter().filter(|item| item.terms.is_published);
    let Some(first) = published.next() else { return Ok(Signal::UserEvents(Vec::new())) };
    let (auction_id, more) = (seen.auction.id, published.count());
    let users =
        notifications::store::members_who_want(db, auction_id, NotificationKind::NewItem, seen.viewer)
            .await?;
    let new = |user| NewNotification {
        detail: (more > 0).then(|| more.to_string()),
        ..NewNotification::of_item(user, NotificationKind::NewItem, auction_id, first.id)
    };
    let new: Vec<_> = users.into_iter().map(new).collect();
    context.notifier.notify(db, &new, context.clock.now()).await
}

/// Notifies the members who watch one of the items or have bid on it that `by` has changed it. A user who has
/// not read of an earlier change of the item is not notified again.
pub async fn of_changed(
    context: &Context,
    db: &mut Transaction,
    (auction_id, items): (AuctionId, &[ItemId]),
    by: UserId,
) -> Result<Signal, DbError> {
    let kind = NotificationKind::ItemChanged;
    let mut followers = usage::followers_of(db, auction_id, items).await?;
    followers.retain(|(_, user)| *user != by);
    let unread = notifications::store::with_unread(db, &followers, kind).await?;
    followers.retain(|follower| !unread.contains(follower));
    let new = |(item_id, user)| NewNotification::of_item(user, kind, auction_id, item_id);
    let new: Vec<_> = followers.into_iter().map(new).collect();
    context.notifier.notify(db, &new, context.clock.now()).await
}

async fn notify(
    context: &Context,
    db: &mut Transaction,
    (auction_id, item_id): (AuctionId, ItemId),
    kind: NotificationKind,
    users: Vec<UserId>,
) -> Result<Signal, DbError> {
    let new = |user| NewNotification::of_item(user, kind, auction_id, item_id);
    let new: Vec<_> = users.into_iter().map(new).collect();
    context.notifier.notify(db, &new, context.clock.now()).await
}

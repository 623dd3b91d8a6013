//! Notifications of a batch: bids that others have withdrawn, and outcomes. Who leads an item no more,
//! or again, follows from the ledger: see `leads`.

use std::collections::BTreeSet;

use super::closings::ClosedItem;
use crate::bids::Bid;
use crate::bids::withdrawal::WithdrawnBy;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::BidItem;
use crate::items::outcomes::Closing;
use crate::notifications::{NewNotification, NotificationKind};

/// What the winner and the seller learn of the outcome of an item, and its followers of a cancellation. Of
/// their own acts they know.
pub(super) fn of_closing(
    (auction_id, item_id): (AuctionId, ItemId),
    item: &BidItem,
    closed: &ClosedItem,
    followers: &[UserId],
) -> Vec<NewNotification> {
    if !item.is_published {
        return Vec::new();
    }
    let closing = &closed.closing;
    if let Closing::Cancellation { by, reason } = closing {
        let concerned: BTreeSet<UserId> = followers.iter().copied().chain([item.seller_id]).collect();
        let others = concerned.into_iter().filter(|user| user != by);
        let sentence = format!("This item was taken out of the sale: {reason}");
        return others
            .map(|user| NewNotification::of_change(user, auction_id, item_id, sentence.clone()))
            .collect();
    }
    if let Some(won) = closed.won() {
        // Without the bid: the price may be below it.
        let new = |user, kind| NewNotification::of_bid(user, kind, auction_id, item_id, None);
        let of_seller = if won.is_empty() { NotificationKind::Unsold } else { NotificationKind::Sold };
        let seller = (closing.by() != Some(item.seller_id)).then(|| new(item.seller_id, of_seller));
        let winners: BTreeSet<UserId> = won.iter().map(|copy| copy.bid.bidder_id).collect();
        return winners.into_iter().map(|winner| new(winner, NotificationKind::Won)).chain(seller).collect();
    }
    let winner = item.leading.filter(|_| closing.unsold().is_none());
    let sold = winner.map(|leading| leading.sequence);
    let new = |user, kind| NewNotification::of_bid(user, kind, auction_id, item_id, sold);
    let of_seller = if winner.is_some() { NotificationKind::Sold } else { NotificationKind::Unsold };
    let seller = (closing.by() != Some(item.seller_id)).then(|| new(item.seller_id, of_seller));
    // A leader of an item that is passed.
    let passed_over = item.leading.filter(|_| winner.is_none()).map(|leading| {
        let sentence = "This item was passed: it was not sold.".to_owned();
        NewNotification::of_change(leading.bidder_id, auction_id, item_id, sentence)
    });
    winner
        .map(|leading| new(leading.bidder_id, NotificationKind::Won))
        .into_iter()
        .chain(seller)
        .chain(passed_over)
        .collect()
}

/// What bidders learn of bids of theirs that others have withdrawn.
pub(super) fn of_withdrawals<'a>(
    withdrawn: impl Iterator<Item = &'a Bid>,
) -> impl Iterator<Item = NewNotification> {
    withdrawn.filter_map(|bid| {
        let withdrawal = bid.withdrawn.as_ref()?;
        let by = match withdrawal.by {
            WithdrawnBy::Bidder => return None,
            WithdrawnBy::Manager => "A manager of the auction",
            WithdrawnBy::Seller => "The seller",
        };
        let note = withdrawal.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
        let sentence = format!("{by} has withdrawn your bid{note}");
        Some(NewNotification::of_change(bid.bidder.id, bid.auction_id, bid.item_id, sentence))
    })
}

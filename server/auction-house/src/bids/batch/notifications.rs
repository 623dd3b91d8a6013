//! What a batch notifies users of: who leads an item no more, who leads again after a withdrawal, and
//! outcomes.

use std::collections::BTreeSet;

use crate::bids::Bid;
use crate::bids::withdrawal::WithdrawnBy;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::BidItem;
use crate::items::outcomes::Closing;
use crate::notifications::{Kind, NewNotification};

/// The users whose position on one item the batch has changed. A user who leads in the end was not outbid,
/// and one who was outbid and leads again within the batch learns of neither.
#[derive(Default)]
pub(super) struct PositionChanges {
    outbid: Vec<UserId>,
    lead_again: Vec<UserId>,
}

impl PositionChanges {
    /// Takes note of a bid that leads instead of another user's.
    pub(super) fn outbid(&mut self, leader: Option<UserId>, bidder: UserId) {
        remove(&mut self.outbid, bidder);
        if let Some(leader) = leader.filter(|leader| *leader != bidder)
            && !remove(&mut self.lead_again, leader)
        {
            self.outbid.push(leader);
        }
    }

    /// Takes note of a withdrawal after which another user leads.
    pub(super) fn withdrawn(&mut self, before: Option<UserId>, leader: Option<UserId>) {
        if before == leader {
            return;
        }
        if let Some(before) = before {
            remove(&mut self.lead_again, before);
        }
        if let Some(leader) = leader
            && !remove(&mut self.outbid, leader)
        {
            self.lead_again.push(leader);
        }
    }

    /// The notifications about them, which name the price of the bid that leads in the end.
    pub(super) fn into_notifications(
        self,
        auction_id: AuctionId,
        item_id: ItemId,
        leading: Option<i64>,
    ) -> impl Iterator<Item = NewNotification> {
        let outbid = self.outbid.into_iter().map(|user| (user, Kind::Outbid));
        let all = outbid.chain(self.lead_again.into_iter().map(|user| (user, Kind::LeadingAgain)));
        all.map(move |(user, kind)| NewNotification::of_bid(user, kind, auction_id, item_id, leading))
    }
}

/// Whether the user was in the list.
fn remove(users: &mut Vec<UserId>, user: UserId) -> bool {
    let found = users.iter().position(|one| *one == user);
    found.map(|at| users.swap_remove(at)).is_some()
}

/// What the winner and the seller learn of the outcome of an item, and its followers of a cancellation. Of
/// their own acts they know.
pub(super) fn of_closing(
    (auction_id, item_id): (AuctionId, ItemId),
    item: &BidItem,
    closing: &Closing,
    followers: &[UserId],
) -> Vec<NewNotification> {
    if !item.is_published {
        return Vec::new();
    }
    if let Closing::Cancellation { by, reason } = closing {
        let concerned: BTreeSet<UserId> = followers.iter().copied().chain([item.seller_id]).collect();
        let others = concerned.into_iter().filter(|user| user != by);
        let sentence = format!("This item was taken out of the sale: {reason}");
        return others
            .map(|user| NewNotification::of_change(user, auction_id, item_id, sentence.clone()))
            .collect();
    }
    let winner = item.leading.filter(|_| closing.unsold().is_none());
    let sold = winner.map(|leading| leading.sequence);
    let new = |user, kind| NewNotification::of_bid(user, kind, auction_id, item_id, sold);
    let of_seller = if winner.is_some() { Kind::Sold } else { Kind::Unsold };
    let seller = (closing.by() != Some(item.seller_id)).then(|| new(item.seller_id, of_seller));
    // A leader of an item that is passed.
    let passed_over = item.leading.filter(|_| winner.is_none()).map(|leading| {
        let sentence = "This item was passed: it was not sold.".to_owned();
        NewNotification::of_change(leading.bidder_id, auction_id, item_id, sentence)
    });
    winner
        .map(|leading| new(leading.bidder_id, Kind::Won))
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

#[cfg(test)]
mod tests {
    use platform::time::Moment;

    use super::*;

    fn kinds(changes: PositionChanges) -> Vec<(UserId, Kind)> {
        let now = Moment::from_millis(0).unwrap();
        let made = changes.into_notifications(AuctionId::new(now), ItemId::new(now), Some(3));
        made.map(|new| (new.user_id, new.kind)).collect()
    }

    fn users() -> [UserId; 3] {
        std::array::from_fn(|_| UserId::new(Moment::from_millis(0).unwrap()))
    }

    #[test]
    fn a_user_is_outbid_once_until_leading_again() {
        let [ada, bob, eve] = users();
        let mut changes = PositionChanges::default();
        changes.outbid(Some(ada), bob);
        changes.outbid(Some(bob), eve);
        assert_eq!(kinds(changes), [(ada, Kind::Outbid), (bob, Kind::Outbid)]);
        let mut changes = PositionChanges::default();
        changes.outbid(None, ada);
        changes.outbid(Some(ada), ada);
        changes.outbid(Some(ada), bob);
        changes.outbid(Some(bob), ada);
        assert_eq!(kinds(changes), [(bob, Kind::Outbid)], "a duel within a batch");
    }

    #[test]
    fn only_a_withdrawal_lets_a_user_lead_again() {
        let [ada, bob, eve] = users();
        let mut changes = PositionChanges::default();
        changes.withdrawn(Some(bob), Some(ada));
        assert_eq!(kinds(changes), [(ada, Kind::LeadingAgain)]);
        let mut changes = PositionChanges::default();
        changes.withdrawn(Some(bob), Some(ada));
        changes.outbid(Some(ada), eve);
        assert_eq!(kinds(changes), [], "who did not know needs no news");
        let mut changes = PositionChanges::default();
        changes.withdrawn(Some(ada), Some(ada));
        changes.withdrawn(Some(ada), None);
        assert_eq!(kinds(changes), []);
    }
}

//! The withdrawals of one batch: what they are judged against, and those that it has accepted.
//!
//! A withdrawn bid keeps its row; the withdrawal is a row of its own, numbered within the item, and raises
//! the version of the item. A batch with withdrawals also reads the highest standing bids of their items, so
//! that the bids after a withdrawal are judged against the one that leads then.

use std::collections::HashMap;
use std::sync::Arc;

use super::cache::{BatchCache, readable};
use super::item::ItemState;
use crate::access::Role;
use crate::bids::withdraw::{self, WithdrawBid, WithdrawError};
use crate::bids::withdrawal::{Withdrawal, WithdrawnBy};
use crate::bids::{Bid, store};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::LeadingBid;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// What the withdrawals of a batch need. A batch without withdrawals reads nothing for them.
#[derive(Default)]
pub(super) struct BatchWithdrawals {
    /// The bids to be withdrawn, with the changes of the batch.
    bids: HashMap<(ItemId, i64), Arc<Bid>>,
    /// The highest standing bids of each item, the highest last: one more than the batch can withdraw, so that the last
    /// one leads.
    standing: HashMap<ItemId, Vec<LeadingBid>>,
    /// How many of their own bids the users have withdrawn in the auctions.
    of_bidder: HashMap<(AuctionId, UserId), i64>,
    accepted: Vec<Arc<Bid>>,
}

impl BatchWithdrawals {
    pub(super) async fn read<'a>(
        conn: &mut Connection,
        cache: &BatchCache,
        requests: impl Iterator<Item = &'a WithdrawBid>,
    ) -> Result<Self, DbError> {
        let mut state = Self::default();
        let mut per_item: HashMap<ItemId, i64> = HashMap::new();
        for request in requests {
            let WithdrawBid { auction_id, item_id, sequence, user_id, .. } = *request;
            *per_item.entry(item_id).or_default() += 1;
            let bid = store::find(conn, auction_id, item_id, sequence).await;
            if let Some(bid) = readable(bid)?.flatten() {
                state.bids.insert((item_id, sequence), Arc::new(bid));
            }
            let earlier = store::withdrawals::count_of_bidder(conn, auction_id, user_id).await?;
            state.of_bidder.insert((auction_id, user_id), earlier);
        }
        for (item_id, requests) in per_item {
            let Some(Some(item)) = cache.items.get(&item_id) else { continue };
            // So many of the newest bids hold one more standing bid than the requests can withdraw.
            let newest = item.item.withdrawals + requests + 1;
            let after = item.item.last_sequence - newest;
            let standing = store::withdrawals::highest_standing(conn, item_id, after).await;
            match readable(standing)? {
                Some(standing) => {
                    state.standing.insert(item_id, standing.into_iter().rev().collect());
                }
                None => state.bids.retain(|(of, _), _| *of != item_id),
            }
        }
        Ok(state)
    }

    /// The bidders whose bids may lead again.
    pub(super) fn bidders(&self) -> impl Iterator<Item = (ItemId, UserId)> {
        let of_item = |(item_id, standing): (&ItemId, &Vec<LeadingBid>)| {
            let item_id = *item_id;
            standing.iter().map(move |bid| (item_id, bid.bidder_id)).collect::<Vec<_>>()
        };
        self.standing.iter().flat_map(of_item)
    }

    /// Takes note of a bid that the batch has accepted.
    pub(super) fn place(&mut self, bid: &Arc<Bid>) {
        if let Some(standing) = self.standing.get_mut(&bid.item_id) {
            standing.push(LeadingBid::of(bid));
            self.bids.insert((bid.item_id, bid.sequence), Arc::clone(bid));
        }
    }

    /// Withdraws a bid of an item. A bid that was withdrawn before is returned as it was.
    pub(super) fn withdraw(
        &mut self,
        item: &mut ItemState,
        request: &WithdrawBid,
        role: Option<Role>,
        now: Moment,
    ) -> Result<Arc<Bid>, WithdrawError> {
        let WithdrawBid { auction_id, item_id, sequence, user_id, explanation } = request;
        let bid = self.bids.get_mut(&(*item_id, *sequence));
        let bidder_id = bid.as_ref().map(|bid| bid.bidder.id);
        let by = withdraw::authorize(&item.item, *user_id, role, bidder_id)?;
        let bid = bid.ok_or(WithdrawError::NotFound)?;
        if bid.withdrawn.is_some() {
            return Ok(Arc::clone(bid));
        }
        let of_bidder = self.of_bidder.entry((*auction_id, *user_id)).or_default();
        withdraw::check(&item.item, bid, by, explanation.reason, *of_bidder, now)?;
        *of_bidder += i64::from(by == WithdrawnBy::Bidder);
        let standing = self.standing.entry(*item_id).or_default();
        standing.retain(|standing| standing.sequence != *sequence);
        let withdrawal = Withdrawal {
            number: item.withdraw(standing.last().copied(), now),
            at: now,
            by,
            user_id: *user_id,
            reason: explanation.reason,
            note: explanation.note.clone(),
        };
        *bid = Arc::new(Bid { withdrawn: Some(withdrawal), ..Bid::clone(bid) });
        self.accepted.push(Arc::clone(bid));
        Ok(Arc::clone(bid))
    }

    /// The withdrawn bids, in the order of their withdrawals.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &Bid> + Clone {
        self.accepted.iter().map(|bid| &**bid)
    }

    /// Whether the batch has withdrawn a bid of this item.
    pub(super) fn has(&self, item_id: ItemId) -> bool {
        self.accepted().any(|bid| bid.item_id == item_id)
    }
}

//! The withdrawals of one batch: what they are judged against, and those that it has accepted.
//!
//! A withdrawn bid keeps its row; the withdrawal is a row of its own, numbered within the item, and raises
//! the version of the item. A batch with withdrawals also reads the highest standing bids of their items, so
//! that the bids after a withdrawal are judged against the one that leads then.

use std::collections::HashMap;
use std::sync::Arc;

use super::cache::{BatchCache, readable};
use super::needs::Needs;
use crate::bids::withdrawal::WithdrawnBy;
use crate::bids::{Bid, store};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::LeadingBid;
use crate::path::ItemPath;
use platform::db::{Connection, DbError};

/// What the withdrawals of a batch need. A batch without withdrawals reads nothing for them.
#[derive(Default)]
pub(super) struct BatchWithdrawals {
    /// The bids to be withdrawn, with the changes of the batch.
    bids: HashMap<(ItemId, i64), Arc<Bid>>,
    /// The highest standing bids of each item, the highest last: one more than the batch can withdraw, so
    /// that the last one leads.
    standing: HashMap<ItemId, Vec<LeadingBid>>,
    /// How many of their own bids the users have withdrawn in the auctions.
    of_bidder: HashMap<(AuctionId, UserId), i64>,
    accepted: Vec<Accepted>,
}

/// A withdrawal that the batch has accepted.
pub(super) struct Accepted {
    pub(super) bid: Arc<Bid>,
    /// The position of the newest bid of its item at that time.
    pub(super) newest: i64,
}

impl BatchWithdrawals {
    pub(super) async fn read(
        conn: &mut Connection,
        cache: &BatchCache,
        needs: &[Needs],
    ) -> Result<Self, DbError> {
        let mut state = Self::default();
        let mut per_item: HashMap<ItemId, i64> = HashMap::new();
        for Needs { auction_id, item_id, user_id, withdraws, .. } in needs {
            let (Some(item_id), Some(user_id), Some(sequence)) = (*item_id, *user_id, *withdraws) else {
                continue;
            };
            *per_item.entry(item_id).or_default() += 1;
            let path = ItemPath { auction_id: *auction_id, item_id };
            if let Some(bid) = readable(store::find(conn, path, sequence).await)?.flatten() {
                state.bids.insert((item_id, sequence), Arc::new(bid));
            }
            let earlier = store::withdrawals::count_of_bidder(conn, *auction_id, user_id).await?;
            state.of_bidder.insert((*auction_id, user_id), earlier);
        }
        for (item_id, requests) in per_item {
            let Some(Some(item)) = cache.items.get(&item_id) else { continue };
            // Reads enough bids to find a leader even if every request succeeds.
            let newest = item.item().withdrawals + requests + 1;
            let after = item.item().last_sequence - newest;
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

    /// A bid to be withdrawn, with the changes of the batch.
    pub(super) fn bid(&self, item_id: ItemId, sequence: i64) -> Option<&Arc<Bid>> {
        self.bids.get(&(item_id, sequence))
    }

    /// How many of their own bids the user has withdrawn in the auction.
    pub(super) fn of_bidder(&self, auction_id: AuctionId, user_id: UserId) -> i64 {
        self.of_bidder.get(&(auction_id, user_id)).copied().unwrap_or_default()
    }

    /// Takes note of a bid that the batch has accepted.
    pub(super) fn accept_bid(&mut self, bid: &Arc<Bid>) {
        if let Some(standing) = self.standing.get_mut(&bid.item_id) {
            standing.push(LeadingBid::of(bid));
            self.bids.insert((bid.item_id, bid.sequence), Arc::clone(bid));
        }
    }

    /// Withdraws a bid of an item whose newest bid has the position `newest`. Returns the bid that leads the
    /// item then.
    pub(super) fn withdraw(&mut self, bid: Bid, newest: i64) -> (Arc<Bid>, Option<LeadingBid>) {
        let own = bid.withdrawn.as_ref().filter(|withdrawal| withdrawal.by == WithdrawnBy::Bidder);
        if own.is_some() {
            *self.of_bidder.entry((bid.auction_id, bid.bidder.id)).or_default() += 1;
        }
        let standing = self.standing.entry(bid.item_id).or_default();
        standing.retain(|standing| standing.sequence != bid.sequence);
        let leading = standing.last().copied();
        let bid = Arc::new(bid);
        self.bids.insert((bid.item_id, bid.sequence), Arc::clone(&bid));
        self.accepted.push(Accepted { bid: Arc::clone(&bid), newest });
        (bid, leading)
    }

    /// The withdrawn bids, in the order of their withdrawals.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &Bid> + Clone {
        self.accepted.iter().map(|accepted| &*accepted.bid)
    }

    /// The withdrawn bids, each with the position of the newest bid of its item at that time.
    pub(super) fn accepted_after(&self) -> impl Iterator<Item = (&Bid, i64)> {
        self.accepted.iter().map(|accepted| (&*accepted.bid, accepted.newest))
    }

    /// Whether the batch has withdrawn a bid of this item.
    pub(super) fn has(&self, item_id: ItemId) -> bool {
        self.accepted().any(|bid| bid.item_id == item_id)
    }
}

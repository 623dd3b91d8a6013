//! The bids that one batch has accepted, and the bids of the idempotency keys of its requests.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::cache::{BatchCache, readable};
use super::needs::Needs;
use crate::bids::Bid;
use crate::bids::PlacedBid;
use crate::bids::idempotency::KeyedRequest;
use crate::bids::leads::recent::{RecentBid, RecentPart};
use crate::bids::queue_error::QueueError;
use crate::bids::sealed::SealedBid;
use crate::bids::store::leads::{LedgerBid, LedgerPart, StoodBid};
use crate::bids::store::{self, NewKey, ScopedKey};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::LeadingBid;
use crate::path::ItemPath;
use platform::db::{Connection, DbError};

/// The bids of one batch.
#[derive(Default)]
pub(super) struct BatchBids {
    /// The bids of idempotency keys, those of this batch included.
    keyed: HashMap<ScopedKey, KeyedBid>,
    /// The accepted bids, in order.
    accepted: Vec<AcceptedBid>,
    /// The accepted bids that outbid others at once, in order.
    recent: Vec<(AuctionId, RecentBid)>,
    /// Users who join a FREE auction by a bid of this batch.
    joined: Vec<(AuctionId, UserId)>,
}

struct AcceptedBid {
    bid: Arc<Bid>,
    /// The place in the ledger of the bid before it on the item.
    previous: Option<i64>,
    keyed: Option<KeyedRequest>,
}

/// The bid that a request with an idempotency key has placed.
pub struct KeyedBid {
    pub request_hash: String,
    /// Absent if it can't be read.
    bid: Option<PlacedBid>,
}

impl KeyedBid {
    /// # Errors
    /// `NotKept` if it can't be read.
    pub fn bid(&self) -> Result<PlacedBid, QueueError> {
        let corrupt = || DbError::Corrupt("an idempotency key without its bid".to_owned());
        self.bid.clone().ok_or_else(|| QueueError::not_kept(&corrupt()))
    }
}

impl AcceptedBid {
    fn key(&self) -> Option<NewKey<'_>> {
        let (bid, keyed) = (&self.bid, self.keyed.as_ref()?);
        let (user_id, item_id, sequence) = (bid.sender_id(), bid.item_id, bid.sequence);
        Some(NewKey { user_id, item_id, keyed, sequence, at: bid.created_at })
    }
}

impl BatchBids {
    pub(super) async fn read(
        conn: &mut Connection,
        cache: &BatchCache,
        needs: &[Needs],
    ) -> Result<Self, DbError> {
        let mut bids = Self::default();
        let keys: HashSet<&ScopedKey> = needs.iter().filter_map(|needs| needs.key.as_ref()).collect();
        for (key, stored) in store::find_keys(conn, &keys).await? {
            let Some(Some(item)) = cache.items.get(&key.item_id) else { continue };
            let bid = if item.item().format.is_apart() {
                let bid = readable(store::sealed::find(conn, key.item_id, stored.sequence).await)?.flatten();
                bid.map(|bid| PlacedBid::Apart(Arc::new(bid)))
            } else {
                let path = ItemPath { auction_id: item.item().auction_id, item_id: key.item_id };
                let bid = readable(store::find(conn, path, stored.sequence).await)?.flatten();
                // The first answer, from before a withdrawal.
                bid.map(|bid| PlacedBid::Open(Arc::new(Bid { withdrawn: None, ..bid })))
            };
            bids.keyed.insert(key, KeyedBid { request_hash: stored.request_hash, bid });
        }
        Ok(bids)
    }

    /// The bid of an idempotency key.
    pub(super) fn keyed(&self, key: &ScopedKey) -> Option<&KeyedBid> {
        self.keyed.get(key)
    }

    pub(super) fn accept(&mut self, bid: Arc<Bid>, previous: Option<i64>, keyed: Option<KeyedRequest>) {
        if let Some(keyed) = &keyed {
            let key = ScopedKey { user_id: bid.sender_id(), item_id: bid.item_id, key: keyed.key.clone() };
            let request_hash = keyed.hash().to_owned();
            self.keyed.insert(key, KeyedBid { request_hash, bid: Some(PlacedBid::Open(Arc::clone(&bid))) });
        }
        self.accepted.push(AcceptedBid { bid, previous, keyed });
    }

    /// Takes note of an accepted bid with the one that it leads over.
    pub(super) fn outbid(&mut self, bid: &Bid, previous: Option<i64>, over: Option<LeadingBid>) {
        let Bid { item_id, position, sequence, created_at, .. } = *bid;
        let bidder_id = bid.bidder.id;
        let over = over.map(|LeadingBid { sequence, position, bidder_id, .. }| StoodBid {
            item_id,
            position,
            sequence,
            bidder_id,
        });
        let new = LedgerBid { item_id, position, previous, sequence, bidder_id, created_at };
        self.recent.push((bid.auction_id, RecentBid { bid: new, over }));
    }

    /// The parts of the ledgers that the batch writes with nothing but bids that outbid others at once: of
    /// each auction the positions that the batch takes, and the last of them.
    pub(super) fn recent_parts(&self, taken: impl Iterator<Item = (AuctionId, i64, i64)>) -> Vec<RecentPart> {
        let part = |(auction_id, taken, up_to): (AuctionId, i64, i64)| {
            let of_auction = self.recent.iter().filter(|(auction, _)| *auction == auction_id);
            let bids = Vec::from_iter(of_auction.map(|(_, bid)| *bid));
            let is_all = i64::try_from(bids.len()) == Ok(taken);
            let part = LedgerPart { auction_id, after: up_to - taken, up_to };
            is_all.then_some(RecentPart { part, bids })
        };
        taken.filter_map(part).collect()
    }

    /// Takes note of the key of a bid that stands apart, for the requests after it.
    pub(super) fn keep_apart(&mut self, bid: &Arc<SealedBid>, keyed: &KeyedRequest) {
        let key = ScopedKey { user_id: bid.sender_id(), item_id: bid.item_id, key: keyed.key.clone() };
        let request_hash = keyed.hash().to_owned();
        self.keyed.insert(key, KeyedBid { request_hash, bid: Some(PlacedBid::Apart(Arc::clone(bid))) });
    }

    /// Makes the user a member of the auction with the commit of the batch.
    pub(super) fn join(&mut self, auction_id: AuctionId, user_id: UserId) {
        self.joined.push((auction_id, user_id));
    }

    /// The accepted bids, in order.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &Bid> + Clone {
        self.accepted.iter().map(|accepted| &*accepted.bid)
    }

    /// The accepted bids on an item, in order.
    pub(super) fn of_item(&self, item_id: ItemId) -> Vec<Arc<Bid>> {
        let accepted = self.accepted.iter().map(|accepted| &accepted.bid);
        accepted.filter(|bid| bid.item_id == item_id).cloned().collect()
    }

    /// The accepted bids, in order, each with the place of the bid before it on the item.
    pub(super) fn accepted_after(&self) -> impl Iterator<Item = (&Bid, Option<i64>)> {
        self.accepted.iter().map(|accepted| (&*accepted.bid, accepted.previous))
    }

    /// The idempotency keys of executed requests.
    pub(super) fn keys(&self) -> impl Iterator<Item = NewKey<'_>> {
        self.accepted.iter().filter_map(AcceptedBid::key)
    }

    pub(super) fn joined(&self) -> &[(AuctionId, UserId)] {
        &self.joined
    }
}

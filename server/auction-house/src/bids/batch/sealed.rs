//! The bids of one batch that stand apart, sealed ones and tickets: those that stood before it, and what it
//! has changed about them.
//!
//! Nothing of them is cached. A batch with requests on such items reads the bids that these need, and raises
//! the revision of the auction if it changes them, so that another server notices.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::cache::BatchCache;
use super::needs::Needs;
use crate::auctions;
use crate::bids::idempotency::KeyedRequest;
use crate::bids::sealed::SealedBid;
use crate::bids::store::NewKey;
use crate::bids::store::sealed::{self as store, BidEnd};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::notifications::NewNotification;
use platform::db::{Connection, DbError, WriteBatch};
use platform::time::Moment;

/// The sealed bids of a batch. A batch without sealed items reads nothing for them.
#[derive(Default)]
pub(super) struct BatchSealed {
    items: HashMap<ItemId, SealedItem>,
    /// Bids that the batch has accepted, in order.
    placed: Vec<PlacedSealed>,
    /// Bids that stand no longer, those of the batch included.
    ended: BTreeMap<(ItemId, i64), BidEnd>,
    /// Auctions in which a bid was placed or has ended.
    changed: BTreeSet<AuctionId>,
    /// Bids that others than their bidders have withdrawn.
    taken: Vec<(UserId, AuctionId, ItemId)>,
    /// Draws whose tickets differ: everyone sees that.
    drawn: BTreeMap<ItemId, AuctionId>,
}

/// An item, with the standing bids that its requests need.
#[derive(Default)]
struct SealedItem {
    /// The receipt of the newest bid.
    last_receipt: i64,
    /// By bidder, in the order of their receipts: one sealed bid, or any number of tickets.
    standing: HashMap<UserId, Vec<Arc<SealedBid>>>,
}

struct PlacedSealed {
    bid: Arc<SealedBid>,
    keyed: Option<KeyedRequest>,
}

impl BatchSealed {
    /// Reads the bids of the users whose requests need them, bids that requests name, and all bids of items
    /// that may be closed: `closing` with their auctions.
    pub(super) async fn read(
        conn: &mut Connection,
        cache: &BatchCache,
        needs: &[Needs],
        closing: impl Iterator<Item = ItemId>,
    ) -> Result<Self, DbError> {
        let is_apart = |id: &ItemId| {
            cache.items.get(id).and_then(Option::as_ref).is_some_and(|state| state.item().has_bids_apart())
        };
        let closes = needs.iter().filter(|needs| needs.closes).filter_map(|needs| needs.item_id);
        let closing: BTreeSet<ItemId> = closes.chain(closing).filter(is_apart).collect();
        let bidders = needs.iter().filter_map(|needs| Some((needs.user_id?, needs.item_id?)));
        let bidders: BTreeSet<(UserId, ItemId)> =
            bidders.filter(|(_, item)| is_apart(item) && !closing.contains(item)).collect();
        let items: BTreeSet<ItemId> =
            needs.iter().filter_map(|needs| needs.item_id).filter(is_apart).collect();
        let items = Vec::from_iter(items.union(&closing).copied());
        if items.is_empty() {
            return Ok(Self::default());
        }
        let mut sealed = Self::default();
        let receipts = store::last_receipts(conn, &items).await?;
        for item_id in items {
            let last_receipt = receipts.get(&item_id).copied().unwrap_or_default();
            sealed.items.insert(item_id, SealedItem { last_receipt, ..SealedItem::default() });
        }
        let mut standing = store::standing(conn, &Vec::from_iter(closing)).await?;
        standing.extend(store::standing_of(conn, &Vec::from_iter(bidders)).await?);
        for needs in needs {
            let named = needs.item_id.zip(needs.withdraws).filter(|(item, _)| is_apart(item));
            if let Some((item_id, receipt)) = named {
                standing.extend(store::find_standing(conn, item_id, receipt).await?);
            }
        }
        for bid in standing {
            let Some(item) = sealed.items.get_mut(&bid.item_id) else { continue };
            let own = item.standing.entry(bid.bidder.id).or_default();
            // A bid that is named may be among those of its bidder.
            if own.iter().all(|had| had.receipt != bid.receipt) {
                own.push(Arc::new(bid));
            }
        }
        Ok(sealed)
    }

    /// The bidders whose commitments the batch may change.
    pub(super) fn bidders(&self) -> impl Iterator<Item = (ItemId, UserId)> {
        let of_item = |(item_id, item): (&ItemId, &SealedItem)| {
            let item_id = *item_id;
            item.standing.keys().map(move |user| (item_id, *user)).collect::<Vec<_>>()
        };
        self.items.iter().flat_map(of_item)
    }

    /// The standing bids of a user on an item, in the order of their receipts.
    pub(super) fn own(&self, item_id: ItemId, user_id: UserId) -> &[Arc<SealedBid>] {
        let item = self.items.get(&item_id);
        item.and_then(|item| item.standing.get(&user_id)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The standing bid of an item with this receipt.
    pub(super) fn bid(&self, item_id: ItemId, receipt: i64) -> Option<&Arc<SealedBid>> {
        self.items.get(&item_id)?.standing.values().flatten().find(|bid| bid.receipt == receipt)
    }

    /// Every standing bid on an item that is to be closed, in the order of their receipts.
    pub(super) fn standing(&self, item_id: ItemId) -> Vec<Arc<SealedBid>> {
        let item = self.items.get(&item_id);
        let mut standing: Vec<_> =
            item.into_iter().flat_map(|item| item.standing.values().flatten().cloned()).collect();
        standing.sort_by_key(|bid| bid.receipt);
        standing
    }

    /// The receipt of the next bid on an item.
    pub(super) fn next_receipt(&self, item_id: ItemId) -> i64 {
        self.items.get(&item_id).map_or(0, |item| item.last_receipt) + 1
    }

    /// Accepts a bid: a sealed one in place of the one that its bidder had, tickets beside others.
    pub(super) fn place(&mut self, bid: Arc<SealedBid>, keyed: Option<KeyedRequest>) {
        let item = self.items.entry(bid.item_id).or_default();
        item.last_receipt = bid.receipt;
        let standing = item.standing.entry(bid.bidder.id).or_default();
        if bid.tickets.is_none() {
            let ended = BidEnd { at: bid.created_at, withdrawn_by: None };
            self.ended.extend(standing.drain(..).map(|had| ((had.item_id, had.receipt), ended)));
        }
        standing.push(Arc::clone(&bid));
        self.change(&bid);
        self.placed.push(PlacedSealed { bid, keyed });
    }

    /// Withdraws a standing bid.
    pub(super) fn withdraw(&mut self, bid: &SealedBid, by: UserId, at: Moment) {
        let item = self.items.get_mut(&bid.item_id);
        if let Some(standing) = item.and_then(|item| item.standing.get_mut(&bid.bidder.id)) {
            standing.retain(|had| had.receipt != bid.receipt);
        }
        self.ended.insert((bid.item_id, bid.receipt), BidEnd { at, withdrawn_by: Some(by) });
        if by != bid.bidder.id {
            self.taken.push((bid.bidder.id, bid.auction_id, bid.item_id));
        }
        self.change(bid);
    }

    /// What bidders learn of bids of theirs that others have withdrawn.
    pub(super) fn notifications(&self) -> impl Iterator<Item = NewNotification> {
        self.taken.iter().map(|(bidder, auction_id, item_id)| {
            let sentence = "A manager of the auction has withdrawn your bid".to_owned();
            NewNotification::of_change(*bidder, *auction_id, *item_id, sentence)
        })
    }

    fn change(&mut self, bid: &SealedBid) {
        self.changed.insert(bid.auction_id);
        if bid.tickets.is_some() {
            self.drawn.insert(bid.item_id, bid.auction_id);
        }
    }

    /// Draws whose tickets differ. Their versions rise once.
    pub(super) fn drawn(&self) -> impl Iterator<Item = (ItemId, AuctionId)> {
        self.drawn.iter().map(|(item_id, auction_id)| (*item_id, *auction_id))
    }

    /// Whether the batch has changed the tickets of a draw.
    pub(super) fn has_drawn(&self, item_id: ItemId) -> bool {
        self.drawn.contains_key(&item_id)
    }

    /// A bid that is in the database if the batch is committed.
    pub(super) fn first_accepted(&self) -> Option<&SealedBid> {
        self.placed.first().map(|placed| &*placed.bid)
    }

    /// The idempotency keys of accepted bids.
    pub(super) fn keys(&self) -> impl Iterator<Item = NewKey<'_>> {
        self.placed.iter().filter_map(|PlacedSealed { bid, keyed }| {
            Some(NewKey {
                user_id: bid.sender_id(),
                item_id: bid.item_id,
                keyed: keyed.as_ref()?,
                sequence: bid.receipt,
                at: bid.created_at,
            })
        })
    }

    pub(super) fn write(&self, writes: &mut WriteBatch) -> Result<(), DbError> {
        let placed: BTreeSet<(ItemId, i64)> =
            self.placed.iter().map(|placed| (placed.bid.item_id, placed.bid.receipt)).collect();
        let before = self.ended.iter().filter(|(bid, _)| !placed.contains(bid));
        store::end(writes, before.map(|(bid, ended)| (*bid, *ended)));
        let ended = |bid: &SealedBid| self.ended.get(&(bid.item_id, bid.receipt)).copied();
        store::insert(writes, self.placed.iter().map(|placed| (&*placed.bid, ended(&placed.bid))))?;
        auctions::store::raise_revisions(writes, self.changed.iter().copied());
        Ok(())
    }
}

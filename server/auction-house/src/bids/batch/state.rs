//! The state of one batch: read when its transaction begins, changed by each accepted entry, written at the commit. In
//! between nothing waits, and nothing else writes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::cache::{BatchCache, readable};
use super::judge::{self, Refusal};
use crate::access::Action;
use crate::auctions;
use crate::auctions::access::AuctionView;
use crate::bids::Bid;
use crate::bids::close::{CloseAuction, CloseError};
use crate::bids::entry::{Entry, QueueError};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::bids::store::{self, ScopedKey, StoredKey};
use crate::events;
use crate::events::store::{ItemChange, ItemEvent};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use platform::db::{Connection, DbError, WriteBatch};
use platform::time::Moment;

/// What the entries of a batch are judged against, and what they have changed.
pub struct BatchState {
    cache: BatchCache,
    /// The bids of idempotency keys, those of this batch included.
    keys: HashMap<ScopedKey, StoredKey>,
    /// The bids that earlier batches placed with one of these keys.
    replays: HashMap<(ItemId, i64), Arc<Bid>>,
    /// The accepted bids, in order.
    accepted: Vec<(Arc<Bid>, Option<KeyedRequest>)>,
    /// Auctions to be closed, as seen by the user who closes it.
    to_close: HashMap<(AuctionId, UserId), (AuctionView, Vec<ItemId>)>,
    /// Auctions that this batch has closed, with the items that are closed with them.
    closed: BTreeMap<AuctionId, (Moment, Vec<ItemId>)>,
    /// Items with events in this batch.
    touched: Vec<(AuctionId, ItemId)>,
}

impl BatchState {
    /// Reads what the entries need and is not cached.
    pub async fn read(
        conn: &mut Connection,
        mut cache: BatchCache,
        entries: &[Entry],
        now: Moment,
    ) -> Result<Self, DbError> {
        let bids = entries.iter().filter_map(|entry| match entry {
            Entry::Bid(waiting) => Some(&waiting.request),
            Entry::Close(_) => None,
        });
        cache.load(conn, bids.clone()).await?;
        let keys: HashSet<ScopedKey> = bids.filter_map(key_of).collect();
        let keys = store::find_keys(conn, &Vec::from_iter(keys)).await?;
        let mut replays = HashMap::new();
        for (key, stored) in &keys {
            let Some(Some(item)) = cache.items.get(&key.item_id) else { continue };
            let bid = store::newest(conn, item.item.auction_id, key.item_id, stored.sequence + 1, 1).await;
            for bid in readable(bid)?.unwrap_or_default() {
                replays.insert((bid.item_id, bid.sequence), Arc::new(bid));
            }
        }
        let mut to_close = HashMap::new();
        for entry in entries {
            let Entry::Close(waiting) = entry else { continue };
            let CloseAuction { auction_id, user_id, .. } = waiting.request;
            if let Some(seen) = auctions::store::find(conn, auction_id, user_id, now).await? {
                let items = items::store::bidding::not_closed(conn, auction_id).await?;
                to_close.insert((auction_id, user_id), (seen, items));
            }
        }
        Ok(Self {
            cache,
            keys,
            replays,
            accepted: Vec::new(),
            to_close,
            closed: BTreeMap::new(),
            touched: Vec::new(),
        })
    }

    /// A bid that is in the ledger if the batch is committed.
    pub fn first_accepted(&self) -> Option<&Bid> {
        self.accepted.first().map(|(bid, _)| &**bid)
    }

    /// What the next batch may reuse once this one is committed.
    pub fn into_cache(self) -> BatchCache {
        self.cache
    }

    /// Closes an auction with its items, for the entries after it; [`Self::writes`] writes it.
    pub fn close(&mut self, close: &CloseAuction, now: Moment) -> Result<AuctionView, CloseError> {
        let seen = self.to_close.get(&(close.auction_id, close.user_id));
        let (mut seen, open) =
            seen.filter(|(seen, _)| seen.is_visible()).cloned().ok_or(CloseError::NotFound)?;
        if !seen.may(Action::CloseAuction) {
            return Err(CloseError::Forbidden);
        }
        if self.closed.contains_key(&close.auction_id) {
            return Err(CloseError::Closed);
        }
        close.if_match.check(seen.auction.version)?;
        if seen.auction.is_closed(now) {
            return Err(CloseError::Closed);
        }
        let items = self.cache.items.values_mut().flatten();
        for item in items.filter(|item| item.item.auction_id == close.auction_id) {
            item.item.closed_at.get_or_insert(now);
        }
        self.closed.insert(close.auction_id, (now, open));
        seen.auction.closed_at = Some(now);
        seen.auction.updated_at = now;
        seen.auction.version += 1;
        Ok(seen)
    }

    /// Judges the next bid. An accepted one counts for the entries after it; [`Self::writes`] writes it.
    pub fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Placed, PlaceError> {
        let item = self.cache.items.get(&bid.item_id).ok_or(Refusal::NotFound)?.as_ref();
        let item = &item.ok_or(QueueError::NotKept)?.item;
        if item.auction_id != bid.auction_id {
            return Err(Refusal::NotFound.into());
        }
        let role = self.cache.roles.get(&(bid.auction_id, bid.bidder.id)).copied().flatten();
        judge::authorize(item, bid.bidder.id, role)?;
        if let Some(placed) = self.replay(bid)? {
            return Ok(Placed { bid: placed, replayed: true });
        }
        let item = self.cache.items.get_mut(&bid.item_id).and_then(Option::as_mut);
        let placed = Arc::new(item.ok_or(QueueError::NotKept)?.place(bid, now)?);
        if let (Some(key), Some(keyed)) = (key_of(bid), &bid.keyed) {
            let stored = StoredKey { request_hash: keyed.hash().to_owned(), sequence: placed.sequence };
            self.keys.insert(key, stored);
        }
        self.accepted.push((Arc::clone(&placed), bid.keyed.clone()));
        Ok(Placed { bid: placed, replayed: false })
    }

    /// The bid that an earlier request with the same key and the same bytes placed.
    fn replay(&self, bid: &PlaceBid) -> Result<Option<Arc<Bid>>, PlaceError> {
        let stored = key_of(bid).and_then(|key| self.keys.get(&key));
        let (Some(stored), Some(keyed)) = (stored, &bid.keyed) else { return Ok(None) };
        if stored.request_hash != keyed.hash() {
            return Err(PlaceError::KeyReused);
        }
        let placed = |placed: &&Arc<Bid>| placed.item_id == bid.item_id && placed.sequence == stored.sequence;
        let of_this_batch = self.accepted.iter().map(|(placed, _)| placed).find(placed);
        let found = of_this_batch.or_else(|| self.replays.get(&(bid.item_id, stored.sequence)));
        found
            .cloned()
            .map(Some)
            .ok_or_else(|| PlaceError::not_kept(&corrupt("an idempotency key without its bid")))
    }

    /// The writes of the batch: accepted bids with their keys, moved ends, closed auctions, and the events of all that.
    pub fn writes(&mut self, now: Moment) -> Result<WriteBatch, DbError> {
        let mut writes = WriteBatch::default();
        store::insert(&mut writes, self.accepted.iter().map(|(bid, _)| &**bid))?;
        let keyed = self.accepted.iter().filter_map(|(bid, keyed)| Some((&**bid, keyed.as_ref()?)));
        store::insert_keys(&mut writes, keyed);
        let touched: BTreeSet<ItemId> = self.accepted.iter().map(|(bid, _)| bid.item_id).collect();
        let items = &mut self.cache.items;
        let changes = touched.into_iter().filter_map(|id| items.get_mut(&id)?.as_mut()?.take_changes(id));
        let (ends, mut events): (Vec<Option<Moment>>, Vec<ItemEvent>) = changes.unzip();
        let moved = events.iter().zip(ends).filter_map(|(event, end)| Some((event.item_id, end?)));
        items::store::bidding::move_ends(&mut writes, moved);
        if !self.closed.is_empty() {
            writes.then();
        }
        for (auction_id, (now, items)) in &self.closed {
            auctions::store::close(&mut writes, *auction_id, *now);
            items::store::bidding::close(&mut writes, items, *now);
            events.extend(
                items.iter().map(|item_id| ItemEvent::changed(*auction_id, *item_id, ItemChange::Edited)),
            );
        }
        self.touched = events.iter().map(|event| (event.auction_id, event.item_id)).collect();
        let taken = events::store::record(&mut writes, &events, now)?;
        self.cache.advance(&taken);
        Ok(writes)
    }

    /// The items with events in this batch.
    pub fn touched(&self) -> impl Iterator<Item = (AuctionId, ItemId)> {
        self.touched.iter().copied()
    }
}

fn key_of(bid: &PlaceBid) -> Option<ScopedKey> {
    let key = bid.keyed.as_ref()?.key.clone();
    Some(ScopedKey { bidder_id: bid.bidder.id, item_id: bid.item_id, key })
}

fn corrupt(what: &str) -> DbError {
    DbError::Corrupt(what.to_owned())
}

//! The bids of one transaction: what they are judged against, read at its beginning; what they have made of
//! it, written at its end. In between nothing waits, and nobody else writes.

use crate::events;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::auctions;
use crate::auctions::access::SeenAuction;
use crate::bids::Bid;
use crate::bids::close::{CloseAuction, CloseError};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::judge::{self, Refusal};
use crate::bids::known::{Known, readable};
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::bids::queue::Entry;
use crate::bids::store::{self, KeptKey, KeyOf};
use crate::events::store::Happened;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use platform::db::{Connection, DbError, Script};
use platform::time::Moment;

/// See the module.
pub struct Round {
    known: Known,
    /// What each key stands for, those of this round with it.
    keys: HashMap<KeyOf, KeptKey>,
    /// The bids that earlier rounds placed with one of these keys.
    replays: HashMap<(ItemId, i64), Arc<Bid>>,
    /// What this round has accepted, in order.
    accepted: Vec<(Arc<Bid>, Option<KeyedRequest>)>,
    /// Auctions that somebody wants to close, as each of them sees it.
    to_close: HashMap<(AuctionId, UserId), (SeenAuction, Vec<ItemId>)>,
    /// Auctions that this round has closed, with the items that are closed with them.
    closed: BTreeMap<AuctionId, (Moment, Vec<ItemId>)>,
    touched: Vec<(AuctionId, ItemId)>,
}

impl Round {
    /// Reads all that `batch` needs and is not known yet.
    pub async fn read(
        conn: &mut Connection,
        mut known: Known,
        batch: &[Entry],
        now: Moment,
    ) -> Result<Self, DbError> {
        let bids = batch.iter().filter_map(|entry| match entry {
            Entry::Bid(waiting) => Some(&waiting.asked),
            Entry::Close(_) => None,
        });
        known.learn(conn, bids.clone()).await?;
        let keys: HashSet<KeyOf> = bids.filter_map(key_of).collect();
        let keys = store::find_keys(conn, &Vec::from_iter(keys)).await?;
        let mut replays = HashMap::new();
        for (key, kept) in &keys {
            let Some(Some(item)) = known.items.get(&key.item_id) else { continue };
            let bid = store::newest(conn, item.loaded.auction_id, key.item_id, kept.sequence + 1, 1).await;
            for bid in readable(bid)?.unwrap_or_default() {
                replays.insert((bid.item_id, bid.sequence), Arc::new(bid));
            }
        }
        let mut to_close = HashMap::new();
        for entry in batch {
            let Entry::Close(waiting) = entry else { continue };
            let CloseAuction { auction_id, user_id, .. } = waiting.asked;
            if let Some(seen) = auctions::store::find(conn, auction_id, user_id, now).await? {
                let items = items::store::bidding::not_closed(conn, auction_id).await?;
                to_close.insert((auction_id, user_id), (seen, items));
            }
        }
        Ok(Self {
            known,
            keys,
            replays,
            accepted: Vec::new(),
            to_close,
            closed: BTreeMap::new(),
            touched: Vec::new(),
        })
    }

    /// A bid that is in the ledger if the round is committed.
    pub fn first_accepted(&self) -> Option<&Bid> {
        self.accepted.first().map(|(bid, _)| &**bid)
    }

    /// What is known once the round is committed.
    pub fn into_known(self) -> Known {
        self.known
    }

    /// Closes an auction with its items. It is closed for what is judged after it, and written with
    /// [`Self::script`].
    pub fn close(&mut self, close: &CloseAuction, now: Moment) -> Result<SeenAuction, CloseError> {
        let seen = self.to_close.get(&(close.auction_id, close.user_id));
        let (mut seen, open) =
            seen.filter(|(seen, _)| seen.is_visible()).cloned().ok_or(CloseError::NotFound)?;
        if !seen.manages() {
            return Err(CloseError::Forbidden);
        }
        if self.closed.contains_key(&close.auction_id) {
            return Err(CloseError::Closed);
        }
        close.if_match.check(seen.auction.version)?;
        if seen.auction.is_closed(now) {
            return Err(CloseError::Closed);
        }
        let items = self.known.items.values_mut().flatten();
        for item in items.filter(|item| item.loaded.auction_id == close.auction_id) {
            item.loaded.closed_at.get_or_insert(now);
        }
        self.closed.insert(close.auction_id, (now, open));
        seen.auction.closed_at = Some(now);
        seen.auction.updated_at = now;
        seen.auction.version += 1;
        Ok(seen)
    }

    /// Judges the next bid. An accepted one counts for those after it, and is placed with [`Self::script`].
    pub fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Placed, PlaceError> {
        let item = self.known.items.get(&bid.item_id).ok_or(Refusal::NotFound)?.as_ref();
        let item = &item.ok_or(PlaceError::NotKept)?.loaded;
        if item.auction_id != bid.auction_id {
            return Err(Refusal::NotFound.into());
        }
        let role = self.known.roles.get(&(bid.auction_id, bid.bidder.id)).copied().flatten();
        judge::approach(item, bid.bidder.id, role)?;
        if let Some(placed) = self.replay(bid)? {
            return Ok(Placed { bid: placed, replayed: true });
        }
        let item = self.known.items.get_mut(&bid.item_id).and_then(Option::as_mut);
        let placed = Arc::new(item.ok_or(PlaceError::NotKept)?.place(bid, now)?);
        if let (Some(key), Some(keyed)) = (key_of(bid), &bid.keyed) {
            let kept = KeptKey { request_hash: keyed.hash().to_owned(), sequence: placed.sequence };
            self.keys.insert(key, kept);
        }
        self.accepted.push((Arc::clone(&placed), bid.keyed.clone()));
        Ok(Placed { bid: placed, replayed: false })
    }

    /// The bid that an earlier request with the same key and the same bytes placed.
    fn replay(&self, bid: &PlaceBid) -> Result<Option<Arc<Bid>>, PlaceError> {
        let kept = key_of(bid).and_then(|key| self.keys.get(&key));
        let (Some(kept), Some(keyed)) = (kept, &bid.keyed) else { return Ok(None) };
        if kept.request_hash != keyed.hash() {
            return Err(PlaceError::KeyReused);
        }
        let placed = |placed: &&Arc<Bid>| placed.item_id == bid.item_id && placed.sequence == kept.sequence;
        let of_this_round = self.accepted.iter().map(|(placed, _)| placed).find(placed);
        let found = of_this_round.or_else(|| self.replays.get(&(bid.item_id, kept.sequence)));
        found
            .cloned()
            .map(Some)
            .ok_or_else(|| PlaceError::not_kept(&corrupt("an idempotency key without its bid")))
    }

    /// What is to be written: what was accepted, what it has made of its items, what was closed, and what there is
    /// to tell of it.
    pub fn script(&mut self, now: Moment) -> Result<Script, DbError> {
        let mut script = Script::default();
        store::insert(&mut script, self.accepted.iter().map(|(bid, _)| &**bid))?;
        let keyed = self.accepted.iter().filter_map(|(bid, keyed)| Some((&**bid, keyed.as_ref()?)));
        store::insert_keys(&mut script, keyed);
        let touched: BTreeSet<ItemId> = self.accepted.iter().map(|(bid, _)| bid.item_id).collect();
        let items = &mut self.known.items;
        let made = touched.into_iter().filter_map(|id| items.get_mut(&id)?.as_mut()?.take_made(id));
        let (ends, mut happened): (Vec<Option<Moment>>, Vec<Happened>) = made.unzip();
        let moved = happened.iter().zip(ends).filter_map(|(one, end)| Some((one.item_id, end?)));
        items::store::bidding::move_ends(&mut script, moved);
        if !self.closed.is_empty() {
            script.then();
        }
        for (auction_id, (now, items)) in &self.closed {
            auctions::store::close(&mut script, *auction_id, *now);
            items::store::bidding::close(&mut script, items, *now);
            happened.extend(items.iter().map(|item_id| Happened::changed(*auction_id, *item_id)));
        }
        self.touched = happened.iter().map(|one| (one.auction_id, one.item_id)).collect();
        let taken = events::store::record(&mut script, &happened, now)?;
        self.known.advance(&taken);
        Ok(script)
    }

    /// The items that were written.
    pub fn touched(&self) -> impl Iterator<Item = (AuctionId, ItemId)> {
        self.touched.iter().copied()
    }
}

fn key_of(bid: &PlaceBid) -> Option<KeyOf> {
    let key = bid.keyed.as_ref()?.key.clone();
    Some(KeyOf { bidder_id: bid.bidder.id, item_id: bid.item_id, key })
}

fn corrupt(what: &str) -> DbError {
    DbError::Corrupt(what.to_owned())
}

//! The state of one batch: read when its transaction begins, changed by each accepted entry, written at the commit. In
//! between nothing waits, and nothing else writes.

mod writes;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::cache::{BatchCache, readable};
use super::item::ItemState;
use super::judge::{self, BidderStanding, CloseRight, Refusal};
use super::withdrawals::BatchWithdrawals;
use crate::access::{Action, Role};
use crate::auctions;
use crate::auctions::access::AuctionView;
use crate::bids::Bid;
use crate::bids::closing::auction::{CloseAuction, CloseError};
use crate::bids::closing::item::{CloseEndedItem, CloseItem, CloseItemRefusal};
use crate::bids::entry::{Entry, QueueError};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::bids::store::{self, ScopedKey, StoredKey};
use crate::bids::withdraw::{WithdrawBid, WithdrawError, WithdrawnBid};
use crate::books::state::Commitment;
use crate::books::store::batch::Sale;
use crate::ids::{AuctionId, ItemId, OutcomeId, UserId};
use crate::items::bidding::{BidItem, LeadingBid};
use crate::items::outcomes::Closing;
use crate::items::{self, ItemStatus};
use crate::notifications::NewNotification;
use platform::db::{Batch, DbError};
use platform::time::Moment;
use platform::verb::VerbError;

/// What the entries of a batch are judged against, and what they have changed.
pub struct BatchState {
    cache: BatchCache,
    /// The bids of idempotency keys, those of this batch included.
    keys: HashMap<ScopedKey, StoredKey>,
    /// The bids that earlier batches placed with one of these keys.
    replays: HashMap<(ItemId, i64), Arc<Bid>>,
    /// The accepted bids, in order.
    accepted: Vec<(Arc<Bid>, Option<KeyedRequest>)>,
    /// Users who have joined a FREE auction by a bid of this batch.
    joined: Vec<(AuctionId, UserId)>,
    withdrawals: BatchWithdrawals,
    /// Auctions to be closed, as seen by the user who closes it.
    to_close: HashMap<(AuctionId, UserId), (AuctionView, Vec<ItemId>)>,
    /// The items of auctions to be closed that are not cached.
    uncached: HashMap<ItemId, BidItem>,
    /// Auctions that this batch has closed.
    closed: BTreeMap<AuctionId, Moment>,
    /// Items that this batch has closed, each once, in order, with the ids of their outcomes.
    closings: Vec<(AuctionId, ItemId, OutcomeId, Closing)>,
    /// Items with events in this batch.
    touched: Vec<(AuctionId, ItemId)>,
    /// Why nothing of the batch can be written.
    failure: Option<DbError>,
    /// What this batch notifies users of.
    notifications: Vec<NewNotification>,
}

impl BatchState {
    /// Reads what the entries need and is not cached.
    pub async fn read(
        conn: &mut Batch,
        mut cache: BatchCache,
        entries: &[Entry],
        now: Moment,
    ) -> Result<Self, DbError> {
        cache.load(conn, entries).await?;
        let bids = entries.iter().filter_map(|entry| match entry {
            Entry::Bid(waiting) => Some(&waiting.request),
            Entry::Close(_) | Entry::CloseItem(_) | Entry::CloseEndedItem(_) | Entry::Withdraw(_) => None,
        });
        let withdrawals = entries.iter().filter_map(|entry| match entry {
            Entry::Withdraw(waiting) => Some(&waiting.request),
            Entry::Bid(_) | Entry::Close(_) | Entry::CloseItem(_) | Entry::CloseEndedItem(_) => None,
        });
        let withdrawals = BatchWithdrawals::read(conn, &cache, withdrawals).await?;
        let keys: HashSet<ScopedKey> = bids.filter_map(key_of).collect();
        let keys = store::find_keys(conn, &Vec::from_iter(keys)).await?;
        let mut replays = HashMap::new();
        for (key, stored) in &keys {
            let Some(Some(item)) = cache.items.get(&key.item_id) else { continue };
            let bid = store::find(conn, item.item.auction_id, key.item_id, stored.sequence).await;
            if let Some(bid) = readable(bid)?.flatten() {
                // The first answer, from before a withdrawal.
                let bid = Bid { withdrawn: None, ..bid };
                replays.insert((bid.item_id, bid.sequence), Arc::new(bid));
            }
        }
        let (mut to_close, mut uncached) = (HashMap::new(), HashMap::new());
        for entry in entries {
            let Entry::Close(waiting) = entry else { continue };
            let CloseAuction { auction_id, user_id, .. } = waiting.request;
            if let Some(seen) = auctions::store::find(conn, auction_id, user_id, now).await? {
                let items = items::store::bidding::not_closed(conn, auction_id).await?;
                let others: Vec<ItemId> =
                    items.iter().filter(|item_id| !cache.items.contains_key(item_id)).copied().collect();
                for (item_id, item) in items::store::bidding::read(conn, &others).await? {
                    uncached.extend(readable(item)?.map(|item| (item_id, item)));
                }
                to_close.insert((auction_id, user_id), (seen, items));
            }
        }
        cache.load_balances(conn, entries, &withdrawals, to_close.values()).await?;
        Ok(Self {
            cache,
            keys,
            replays,
            accepted: Vec::new(),
            joined: Vec::new(),
            withdrawals,
            to_close,
            uncached,
            closed: BTreeMap::new(),
            closings: Vec::new(),
            touched: Vec::new(),
            failure: None,
            notifications: Vec::new(),
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
        let closed: HashSet<ItemId> = self.closings.iter().map(|(_, item_id, ..)| *item_id).collect();
        for item_id in open.into_iter().filter(|item_id| !closed.contains(item_id)) {
            self.end(close.auction_id, item_id, Closing::User(close.user_id), now);
        }
        self.closed.insert(close.auction_id, now);
        seen.auction.closed_at = Some(now);
        seen.auction.updated_at = now;
        seen.auction.version += 1;
        Ok(seen)
    }

    /// Closes an item that a user ends now or cancels, for the entries after it; [`Self::writes`] writes it.
    pub fn close_item(&mut self, close: &CloseItem, now: Moment) -> Result<(), VerbError<CloseItemRefusal>> {
        let role = self.cache.role(close.auction_id, close.user_id);
        let item = self.item(close.auction_id, close.item_id)?.ok_or(VerbError::NotFound)?;
        match judge::close_right(&item.item, close.user_id, role) {
            CloseRight::Hidden => return Err(VerbError::NotFound),
            CloseRight::Forbidden => return Err(VerbError::Forbidden),
            CloseRight::WithoutBids if item.item.leading.is_some() => {
                return Err(CloseItemRefusal::HasStandingBid.into());
            }
            CloseRight::WithoutBids | CloseRight::Always => {}
        }
        close.if_match.check(item.item.version())?;
        if item.item.status(now) == ItemStatus::Closed {
            return Err(CloseItemRefusal::Closed.into());
        }
        self.end(close.auction_id, close.item_id, close.closing.clone(), now);
        Ok(())
    }

    /// Closes an item if its end has come, for the entries after it; [`Self::writes`] writes it.
    pub fn close_ended_item(&mut self, close: &CloseEndedItem, now: Moment) -> Result<bool, QueueError> {
        let Some(item) = self.item(close.auction_id, close.item_id)? else { return Ok(false) };
        if item.item.closed_at.is_some() || item.item.status(now) != ItemStatus::Closed {
            return Ok(false);
        }
        self.end(close.auction_id, close.item_id, Closing::Clock, now);
        Ok(true)
    }

    /// Ends an item with its first outcome. In an auction with a book its leader is charged, unless it is cancelled.
    fn end(&mut self, auction_id: AuctionId, item_id: ItemId, closing: Closing, now: Moment) {
        let outcome_id = OutcomeId::new(now);
        if let Some(Some(ItemState { item, .. })) = self.cache.items.get(&item_id)
            && let Some(book) = item.book_id
        {
            let by = closing.by().filter(|_| item.ends_at.is_none_or(|end| end > now));
            let sale = Sale { item_id, outcome_id, by };
            let sale = (!matches!(closing, Closing::Cancellation { .. })).then_some(sale);
            let leading = item.leading;
            match self.cache.books.get_mut(book) {
                Some(book) => book.close(leading.map(Commitment::from), sale),
                None => self.failure = Some(corrupt("an auction without its book")),
            }
        }
        if let Some(Some(item)) = self.cache.items.get_mut(&item_id) {
            item.close(now);
        }
        self.closings.push((auction_id, item_id, outcome_id, closing));
    }

    /// An item of this auction, if there is one.
    ///
    /// # Errors
    /// `NotKept` if it can't be read.
    fn item(&mut self, auction_id: AuctionId, item_id: ItemId) -> Result<Option<&mut ItemState>, QueueError> {
        match self.cache.items.get_mut(&item_id) {
            Some(None) => Err(QueueError::NotKept),
            Some(Some(item)) if item.item.auction_id == auction_id => Ok(Some(item)),
            Some(Some(_)) | None => Ok(None),
        }
    }

    /// Judges the next bid. An accepted one counts for the entries after it; [`Self::writes`] writes it.
    pub fn place(&mut self, bid: &PlaceBid, now: Moment) -> Result<Placed, PlaceError> {
        let item = self.cache.items.get(&bid.item_id).ok_or(Refusal::NotFound)?.as_ref();
        let item = &item.ok_or(QueueError::NotKept)?.item;
        if item.auction_id != bid.auction_id {
            return Err(Refusal::NotFound.into());
        }
        let bidder = (bid.auction_id, bid.bidder.id);
        let role = self.cache.role(bid.auction_id, bid.bidder.id);
        judge::authorize(
            item,
            bid.bidder.id,
            BidderStanding::of(role, self.cache.excluded.contains(&bidder)),
        )?;
        if let Some(placed) = self.replay(bid)? {
            return Ok(Placed { bid: placed, replayed: true });
        }
        let (book_id, had) = (item.book_id, item.leading);
        let available = match book_id {
            Some(id) => Some(self.cache.book(id)?.available_for(bid.bidder.id, had.map(Commitment::from))),
            None => None,
        };
        let available = available.transpose().map_err(|error| PlaceError::not_kept(&error))?;
        if let Some(id) = book_id
            && !self.cache.book(id)?.takes(bid.bidder.id)
        {
            return Err(Refusal::BookFull.into());
        }
        let item = self.cache.items.get_mut(&bid.item_id).and_then(Option::as_mut);
        let placed = Arc::new(item.ok_or(QueueError::NotKept)?.place(bid, available, now)?);
        if let Some(id) = book_id {
            self.cache.book(id)?.place(had.map(Commitment::from), LeadingBid::of(&placed).into());
        }
        if let (Some(key), Some(keyed)) = (key_of(bid), &bid.keyed) {
            let stored = StoredKey { request_hash: keyed.hash().to_owned(), sequence: placed.sequence };
            self.keys.insert(key, stored);
        }
        if role.is_none() {
            self.cache.insert_role(bid.auction_id, bid.bidder.id, Role::Bidder);
            self.joined.push(bidder);
        }
        self.withdrawals.place(&placed);
        self.accepted.push((Arc::clone(&placed), bid.keyed.clone()));
        Ok(Placed { bid: placed, replayed: false })
    }

    /// Withdraws a bid, for the entries after it; [`Self::writes`] writes it. A bid that was withdrawn before is returned
    /// as it was. In an auction with a book the bidder who leads then may have committed more than they have.
    pub fn withdraw(&mut self, request: &WithdrawBid, now: Moment) -> Result<WithdrawnBid, WithdrawError> {
        let WithdrawBid { auction_id, item_id, user_id, .. } = *request;
        let role = self.cache.role(auction_id, user_id);
        // Of the fields alone, so that the withdrawals can change beside the item.
        let item = match self.cache.items.get_mut(&item_id) {
            Some(None) => return Err(QueueError::NotKept.into()),
            Some(Some(item)) if item.item.auction_id == auction_id => item,
            Some(Some(_)) | None => return Err(WithdrawError::NotFound),
        };
        let had = item.item.leading;
        let bid = self.withdrawals.withdraw(item, request, role, now)?;
        let (has, book_id) = (item.item.leading, item.item.book_id);
        let mut overcommitted = None;
        if let Some(id) = book_id {
            let book = self.cache.book(id)?;
            if has != had {
                book.lead(had.map(Commitment::from), has.map(Commitment::from));
            }
            if let Some(has) = has {
                let funds = book.funds(has.bidder_id).map_err(|error| QueueError::not_kept(&error))?;
                overcommitted =
                    Some((has.bidder_id, funds.available())).filter(|(_, left)| left.is_negative());
            }
        }
        Ok(WithdrawnBid { bid, overcommitted })
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

    /// Users whose balance or commitments in a book this batch has changed.
    pub fn take_concerned(&mut self) -> Vec<UserId> {
        self.cache.books.take_concerned()
    }

    /// What this batch notifies users of.
    pub fn notifications(&self) -> &[NewNotification] {
        &self.notifications
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

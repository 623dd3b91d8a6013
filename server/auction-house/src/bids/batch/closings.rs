//! The auctions and items that one batch closes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rules_engine::BidForm;
use rules_engine::money::Normalized;

use super::cache::{BatchCache, readable};
use super::needs::Needs;
use super::notifications::of_closing;
use crate::auctions;
use crate::auctions::access::AuctionView;
use crate::bids::Bid;
use crate::events::store::{ItemChange, ItemEvent};
use crate::ids::{AuctionId, ItemId, OutcomeId, UserId};
use crate::items;
use crate::items::bidding::{BidItem, LeadingBid};
use crate::items::outcomes::Closing;
use crate::items::store::outcomes::{FirstOutcome, SoldCopy};
use crate::notifications::NewNotification;
use crate::path::ItemPath;
use crate::usage;
use platform::db::{Connection, DbError, WriteBatch};
use platform::time::Moment;

/// Items that are closed in one transaction, at most: bids wait for it.
pub const PART: usize = 100;

/// The closings of one batch. A batch that closes no auction reads nothing for them.
#[derive(Default)]
pub(super) struct BatchClosings {
    /// Auctions to be closed, each as the user sees it who closes it.
    auctions: HashMap<(AuctionId, UserId), AuctionToClose>,
    /// The items of these auctions that are not cached.
    uncached: HashMap<ItemId, BidItem>,
    /// Auctions that the batch has closed.
    closed: BTreeMap<AuctionId, Moment>,
    /// Items that the batch has closed, each once, in order.
    items: Vec<ClosedItem>,
    /// The members who watch an item that a request cancels, or have bid on it.
    followers: HashMap<ItemId, Vec<UserId>>,
}

struct AuctionToClose {
    seen: AuctionView,
    /// Its next items that were not closed before the batch.
    open: Vec<ItemId>,
    /// Open items whose bids stand apart.
    apart: Vec<ItemId>,
    /// It has no others.
    is_last: bool,
}

/// An item that the batch has closed, with the first outcomes of its copies.
pub(super) struct ClosedItem {
    path: ItemPath,
    /// The ids of the outcomes, one for each copy.
    ids: Vec<OutcomeId>,
    pub(super) closing: Closing,
    /// Copies that sealed bids or tickets have won. None where the bids were open: the leader wins.
    won: Option<Vec<SoldCopy>>,
    /// Not before the bids ahead of it in the batch.
    at: Moment,
}

impl ClosedItem {
    /// An item of open bids.
    pub(super) fn open(path: ItemPath, closing: Closing, at: Moment) -> Self {
        Self { path, ids: vec![OutcomeId::new(at)], closing, won: None, at }
    }

    /// An item of sealed bids or tickets, of which no copy is sold yet.
    pub(super) fn apart(path: ItemPath, closing: Closing, copies: i64, at: Moment) -> Self {
        let ids = (0..copies).map(|_| OutcomeId::new(at)).collect();
        Self { path, ids, closing, won: Some(Vec::new()), at }
    }

    /// The id of the outcome of a copy.
    pub(super) fn id_of(&self, copy: i64) -> OutcomeId {
        let place = usize::try_from(copy).ok().and_then(|copy| copy.checked_sub(1));
        place.and_then(|place| self.ids.get(place)).copied().unwrap_or_else(|| OutcomeId::new(self.at))
    }

    /// The user who closes the item before its end.
    pub(super) fn by(&self, item: &BidItem) -> Option<UserId> {
        self.closing.by().filter(|_| item.ends_at.is_none_or(|end| end > self.at))
    }

    /// Sells a copy for this bid, at this price.
    pub(super) fn sell(
        &mut self,
        copy: i64,
        bid: &Bid,
        (entered, normalized): (BidForm, Normalized),
        by: Option<UserId>,
    ) {
        let sold = SoldCopy {
            id: self.id_of(copy),
            item_id: self.path.item_id,
            copy,
            bid: LeadingBid::of(bid),
            currency_id: bid.currency_profile_id,
            entered,
            normalized,
            by,
            now: self.at,
        };
        self.won.get_or_insert_default().push(sold);
    }

    /// The copies that sealed bids or tickets have won.
    pub(super) fn won(&self) -> Option<&[SoldCopy]> {
        self.won.as_deref()
    }

    /// The outcomes of the copies that no sealed bid and no ticket has won.
    fn others(&self) -> impl Iterator<Item = FirstOutcome<'_>> + Clone {
        let is_won = |copy: i64| self.won.iter().flatten().any(|won| won.copy == copy);
        (1..).zip(&self.ids).filter(move |(copy, _)| !is_won(*copy)).map(|(copy, id)| FirstOutcome {
            id: *id,
            item_id: self.path.item_id,
            copy,
            closing: &self.closing,
            is_unsold: self.won.is_some(),
            now: self.at,
        })
    }
}

impl BatchClosings {
    pub(super) async fn read(
        conn: &mut Connection,
        cache: &BatchCache,
        needs: &[Needs],
        now: Moment,
    ) -> Result<Self, DbError> {
        let mut closings = Self::default();
        for Needs { auction_id, item_id, cancels, .. } in needs {
            if let Some(item_id) = item_id.filter(|_| *cancels) {
                let followers = usage::followers(conn, *auction_id, item_id).await?;
                closings.followers.insert(item_id, followers);
            }
        }
        for Needs { auction_id, closed_by, .. } in needs {
            let (auction_id, Some(user_id)) = (*auction_id, *closed_by) else { continue };
            let Some(seen) = auctions::store::find(conn, auction_id, user_id, now).await? else { continue };
            let (open, is_last) = items::store::bidding::not_closed(conn, auction_id, PART).await?;
            let open: Vec<ItemId> = open.into_iter().map(|(item_id, _)| item_id).collect();
            let others: Vec<ItemId> =
                open.iter().filter(|item_id| !cache.items.contains_key(item_id)).copied().collect();
            for (item_id, item) in items::store::bidding::read(conn, &others).await? {
                closings.uncached.extend(readable(item)?.map(|item| (item_id, item)));
            }
            let item = |item_id: &ItemId| {
                let cached = cache.items.get(item_id).and_then(Option::as_ref).map(|item| item.item());
                cached.or_else(|| closings.uncached.get(item_id))
            };
            let is_apart = |item_id: &ItemId| item(item_id).is_some_and(BidItem::has_bids_apart);
            let apart = open.iter().copied().filter(is_apart).collect();
            let to_close = AuctionToClose { seen, open, apart, is_last };
            closings.auctions.insert((auction_id, user_id), to_close);
        }
        Ok(closings)
    }

    /// The items that are closed with their auctions and whose bids stand apart.
    pub(super) fn items_apart(&self) -> impl Iterator<Item = ItemId> {
        self.auctions.values().flat_map(|auction| &auction.apart).copied()
    }

    /// The items that are closed with auctions that have a book.
    pub(super) fn items_with_book(&self) -> Vec<ItemId> {
        let auctions = self.auctions.values();
        let with_book = auctions.filter(|auction| auction.seen.auction.terms.book_id.is_some());
        with_book.flat_map(|auction| &auction.open).copied().collect()
    }

    /// An auction to be closed, as the user sees it.
    pub(super) fn auction(&self, auction_id: AuctionId, user_id: UserId) -> Option<&AuctionView> {
        self.auctions.get(&(auction_id, user_id)).map(|auction| &auction.seen)
    }

    /// The next items of an auction to be closed that are still open, and whether it has no others.
    pub(super) fn open_items(&self, auction_id: AuctionId, user_id: UserId) -> (Vec<ItemId>, bool) {
        let Some(auction) = self.auctions.get(&(auction_id, user_id)) else { return (Vec::new(), false) };
        let closed: HashSet<ItemId> = self.items.iter().map(|item| item.path.item_id).collect();
        let open = auction.open.iter().filter(|item_id| !closed.contains(item_id));
        (open.copied().collect(), auction.is_last)
    }

    /// Whether the batch has closed the auction.
    pub(super) fn has_closed(&self, auction_id: AuctionId) -> bool {
        self.closed.contains_key(&auction_id)
    }

    pub(super) fn close_auction(&mut self, auction_id: AuctionId, now: Moment) {
        self.closed.insert(auction_id, now);
    }

    pub(super) fn close_item(&mut self, closed: ClosedItem) {
        self.items.push(closed);
    }

    /// Closed items get the outcomes that follow from all bids, those of this batch included.
    pub(super) fn write(&self, writes: &mut WriteBatch) -> Result<(), DbError> {
        if self.closed.is_empty() && self.items.is_empty() {
            return Ok(());
        }
        writes.then();
        items::store::outcomes::close(writes, self.items.iter().flat_map(ClosedItem::others));
        let sold: Vec<SoldCopy> =
            self.items.iter().flat_map(|item| item.won.iter().flatten()).cloned().collect();
        items::store::outcomes::sell(writes, &sold)?;
        for (auction_id, now) in &self.closed {
            auctions::store::close(writes, *auction_id, *now);
        }
        let changed: BTreeSet<AuctionId> = self.items.iter().map(|item| item.path.auction_id).collect();
        let open = changed.into_iter().filter(|auction_id| !self.has_closed(*auction_id));
        auctions::store::raise_revisions(writes, open);
        Ok(())
    }

    pub(super) fn events(&self) -> impl Iterator<Item = ItemEvent> {
        self.items
            .iter()
            .map(|item| ItemEvent::changed(item.path.auction_id, item.path.item_id, ItemChange::Edited))
    }

    /// The notifications about the outcomes, which follow from all bids: of winners and sellers, and of
    /// everyone who follows a cancelled item.
    pub(super) fn notifications(&self, cache: &BatchCache) -> Vec<NewNotification> {
        let of_item = |closed: &ClosedItem| {
            let ItemPath { auction_id, item_id } = &closed.path;
            let cached = cache.items.get(item_id).and_then(Option::as_ref).map(|item| item.item());
            let item = cached.or_else(|| self.uncached.get(item_id))?;
            let followers = self.followers.get(item_id).map(Vec::as_slice).unwrap_or_default();
            Some(of_closing((*auction_id, *item_id), item, closed, followers))
        };
        self.items.iter().filter_map(of_item).flatten().collect()
    }
}

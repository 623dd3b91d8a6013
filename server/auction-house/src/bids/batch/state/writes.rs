//! What a batch writes.

use std::collections::BTreeSet;

use super::BatchState;
use crate::access;
use crate::auctions;
use crate::bids::batch::notifications::of_closing;
use crate::bids::store;
use crate::events;
use crate::events::store::{ItemChange, ItemEvent};
use crate::ids::{AuctionId, ItemId};
use crate::items;
use crate::notifications::Notifier;
use platform::db::{DbError, WriteBatch};
use platform::time::Moment;

impl BatchState {
    /// The writes of the batch: accepted bids with their keys, withdrawals, moved ends, closed auctions, and the events of
    /// all that.
    pub fn writes(&mut self, notifier: Notifier, now: Moment) -> Result<WriteBatch, DbError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut writes = WriteBatch::default();
        if !self.joined.is_empty() {
            access::store::insert_bidders(&mut writes, self.joined.iter().copied(), now);
            // An optimistic batch has not locked the accounts that join. It does not commit a second stage, and is judged
            // again with locks.
            writes.then();
        }
        store::insert(&mut writes, self.accepted.iter().map(|(bid, _)| &**bid))?;
        let bidders = self.cache.bidders.add(self.accepted.iter().map(|(bid, _)| &**bid));
        store::bidders::record(&mut writes, bidders);
        let keyed = self.accepted.iter().filter_map(|(bid, keyed)| Some((&**bid, keyed.as_ref()?)));
        store::insert_keys(&mut writes, keyed);
        store::withdrawals::insert(&mut writes, self.withdrawals.accepted());
        let bids = self.accepted.iter().map(|(bid, _)| &**bid).chain(self.withdrawals.accepted());
        let touched: BTreeSet<ItemId> = bids.map(|bid| bid.item_id).collect();
        let items = &mut self.cache.items;
        for item_id in &touched {
            if let Some(Some(item)) = items.get_mut(item_id) {
                item.take_notifications(*item_id, &mut self.notifications);
            }
        }
        let changes =
            touched.into_iter().filter_map(|id| Some(items.get_mut(&id)?.as_mut()?.take_changes(id)));
        let (ends, mut events): (Vec<Option<Moment>>, Vec<ItemEvent>) = changes.unzip();
        let ends = events.iter().zip(ends).map(|(event, end)| (event.item_id, end));
        // A stage writes no row twice.
        let (withdrawn, bid_on): (Vec<_>, Vec<_>) =
            ends.partition(|(item_id, _)| self.withdrawals.has(*item_id));
        let moved = bid_on.into_iter().filter_map(|(item_id, end)| Some((item_id, end?)));
        items::store::bidding::move_ends(&mut writes, moved);
        items::store::bidding::record_withdrawals(&mut writes, withdrawn.into_iter(), now);
        self.notify_of_closings();
        notifier.write(&mut writes, &self.notifications, now);
        self.write_closings(&mut writes, now);
        events.extend(
            self.closings.iter().map(|(auction_id, item_id, ..)| {
                ItemEvent::changed(*auction_id, *item_id, ItemChange::Edited)
            }),
        );
        self.touched = events.iter().map(|event| (event.auction_id, event.item_id)).collect();
        self.cache.books.write(&mut writes, now)?;
        let taken = events::store::record(&mut writes, &events, now)?;
        self.cache.advance(&taken);
        Ok(writes)
    }

    /// Closed items get the outcomes that follow from all bids, those of this batch included.
    fn write_closings(&self, writes: &mut WriteBatch, now: Moment) {
        if self.closed.is_empty() && self.closings.is_empty() {
            return;
        }
        writes.then();
        let items =
            self.closings.iter().map(|(_, item_id, outcome_id, closing)| (*item_id, *outcome_id, closing));
        items::store::outcomes::close(writes, items, now);
        for (auction_id, now) in &self.closed {
            auctions::store::close(writes, *auction_id, *now);
        }
        let changed: BTreeSet<AuctionId> = self.closings.iter().map(|(auction_id, ..)| *auction_id).collect();
        let open = changed.into_iter().filter(|auction_id| !self.closed.contains_key(auction_id));
        auctions::store::raise_revisions(writes, open);
    }

    /// Winners and sellers learn of the outcomes that follow from all bids.
    fn notify_of_closings(&mut self) {
        for (auction_id, item_id, _, closing) in &self.closings {
            let cached = self.cache.items.get(item_id).and_then(Option::as_ref).map(|item| &item.item);
            let Some(item) = cached.or_else(|| self.uncached.get(item_id)) else { continue };
            self.notifications.extend(of_closing(*auction_id, *item_id, item, closing));
        }
    }
}

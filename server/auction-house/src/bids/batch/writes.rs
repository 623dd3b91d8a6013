//! What a batch writes.

use std::collections::BTreeSet;

use super::notifications::of_withdrawals;
use super::state::BatchState;
use crate::access;
use crate::bids::leads::recent::RecentPart;
use crate::bids::store;
use crate::events;
use crate::events::store::{ItemChange, ItemEvent};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use crate::notifications::{NewNotification, Notifier};
use platform::db::{DbError, WriteBatch};
use platform::time::Moment;

/// What a batch writes, and whom it concerns once it is committed.
pub struct BatchWrites {
    pub writes: WriteBatch,
    /// The items with events in the batch.
    pub touched: Vec<(AuctionId, ItemId)>,
    pub notifications: Vec<NewNotification>,
    /// What bidders may have to be told of.
    pub recent: Vec<RecentPart>,
    /// Users whose balance or commitments in a book the batch has changed.
    pub concerned: Vec<UserId>,
}

impl BatchState {
    /// The writes of the batch: accepted bids with their keys, withdrawals, moved ends, closed auctions, and
    /// the events of all that.
    pub(super) fn writes(&mut self, notifier: Notifier, now: Moment) -> Result<BatchWrites, DbError> {
        let Self { cache, bids, calls, withdrawals, sealed, closings, .. } = self;
        let mut writes = WriteBatch::default();
        if !bids.joined().is_empty() {
            access::store::insert_bidders(&mut writes, bids.joined().iter().copied(), now);
            // An optimistic batch has not locked the accounts that join. It does not commit a second stage,
            // and is judged again with locks.
            writes.then();
        }
        store::insert(&mut writes, bids.accepted_after())?;
        store::mark(&mut writes, bids.accepted());
        store::bidders::record(&mut writes, cache.bidders.add(bids.accepted()));
        store::clerks::insert(&mut writes, bids.accepted())?;
        store::insert_keys(&mut writes, bids.keys().chain(sealed.keys()));
        sealed.write(&mut writes)?;
        calls.write(&mut writes);
        let touched: BTreeSet<ItemId> =
            bids.accepted().chain(withdrawals.accepted()).map(|bid| bid.item_id).collect();
        let mut events = Vec::<ItemEvent>::new();
        let (mut changed, mut moved) = (Vec::new(), Vec::new());
        for item_id in touched.iter().copied() {
            let Some(Some(item)) = cache.items.get_mut(&item_id) else { continue };
            let (end, event) = item.take_changes(item_id);
            events.push(event);
            // A stage writes no row twice.
            if withdrawals.has(item_id) {
                changed.push((item_id, end));
            } else {
                moved.extend(end.map(|end| (item_id, end)));
            }
        }
        for (item_id, auction_id) in sealed.drawn() {
            changed.push((item_id, None));
            events.push(ItemEvent::changed(auction_id, item_id, ItemChange::Edited));
        }
        let head = |id: &ItemId| Some((*id, cache.items.get(id)?.as_ref()?.item()));
        items::store::bidding::record_heads(&mut writes, touched.iter().filter_map(head));
        items::store::bidding::move_ends(&mut writes, moved.into_iter());
        items::store::bidding::record_changes(&mut writes, changed.into_iter(), now);
        let mut notifications = Vec::from_iter(of_withdrawals(withdrawals.accepted()));
        notifications.extend(sealed.notifications());
        notifications.extend(closings.notifications(cache));
        notifications.extend(cache.books.share_notices());
        notifier.write(&mut writes, &notifications, now);
        closings.write(&mut writes)?;
        events.extend(closings.events());
        let concerned = cache.books.write(&mut writes, now)?;
        let taken = events::store::record(&mut writes, &events, now)?;
        cache.advance(&taken);
        let head = |auction_id| cache.last_position(auction_id);
        let taken = taken.into_iter().filter_map(|(auction, taken)| Some((auction, taken, head(auction)?)));
        let recent = bids.recent_parts(taken);
        store::withdrawals::insert(&mut writes, withdrawals.accepted_after(), head)?;
        let touched = events.iter().map(|event| (event.auction_id, event.item_id)).collect();
        Ok(BatchWrites { writes, touched, notifications, recent, concerned })
    }
}

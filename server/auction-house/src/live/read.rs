//! Reads the events past some point, from the ledger and the events table.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::event_batch::{EventBatch, EventBatchBuilder};
use super::snapshot::{DeliveredItem, ItemSnapshot};
use crate::auctions::Auction;
use crate::auctions::document::listed_description;
use crate::bids::store::withdrawals;
use crate::bids::{self, Bid, BidSelection};
use crate::events::store::{self, ItemChange};
use crate::ids::{ItemId, UserId};
use crate::items::store::transitions::TransitionProgress;
use crate::path::ItemPath;
use platform::db::{Connection, DbError, Snapshot};
use platform::time::Moment;

/// Rows of one reading. If there are more, the next reading follows at once.
const ROWS_MAX: i64 = 200;

/// Withdrawn bids that a stream repeats when it resumes. With more it begins anew.
pub const WITHDRAWN_MAX: i64 = 64;

/// Whether there are more than `max`.
pub fn exceeds(count: usize, max: i64) -> bool {
    i64::try_from(count).map_or(true, |count| count > max)
}

/// Where a reading of an item's events begins or has ended.
#[derive(Debug, Clone, Copy)]
pub struct ItemPosition {
    /// The sequence of the last bid.
    pub sequence: i64,
    /// The number of the last withdrawal.
    pub withdrawals: i64,
}

/// The events of one item past `from`: its bids, the withdrawn ones, then the item if it differs from what
/// was delivered.
pub async fn item_events(
    conn: &mut Connection,
    snapshot: &ItemSnapshot,
    from: ItemPosition,
    delivered: &DeliveredItem,
) -> Result<(EventBatch, ItemPosition), DbError> {
    let item = &snapshot.item;
    let at = ItemPath { auction_id: item.auction_id, item_id: item.id };
    let bids = bids::store::select(conn, at, BidSelection::Above(from.sequence), ROWS_MAX).await?;
    let mut upto = from;
    let mut batch = EventBatchBuilder::default();
    for bid in bids {
        upto.sequence = bid.sequence;
        batch.bid(snapshot, bid.sequence, bid)?;
    }
    if item.withdrawals > from.withdrawals {
        let withdrawn = BidSelection::WithdrawnAfter(from.withdrawals);
        for bid in bids::store::select(conn, at, withdrawn, ROWS_MAX).await? {
            upto.withdrawals = bid.withdrawn.as_ref().map_or(upto.withdrawals, |withdrawn| withdrawn.number);
            batch.withdrawn(snapshot, bid)?;
        }
    }
    if *delivered != DeliveredItem::of(snapshot) {
        batch.item(snapshot)?;
        if delivered.is_published() && !item.terms.is_published {
            batch.hidden(snapshot)?;
        }
    }
    Ok((batch.finish(from.sequence, upto.sequence), upto))
}

/// The end of deleted items, of drafts with their creators.
pub fn deleted(
    items: impl IntoIterator<Item = (ItemId, Option<UserId>)>,
    upto: i64,
) -> Result<EventBatch, DbError> {
    let mut batch = EventBatchBuilder::default();
    items.into_iter().try_for_each(|(item_id, draft_of)| batch.deleted(item_id, draft_of))?;
    Ok(batch.finish(upto, upto))
}

/// Where a reading of an auction's events begins or has ended.
#[derive(Debug, Clone, Copy)]
pub struct AuctionPosition {
    /// The position of the last event.
    pub position: i64,
    /// What the clock has done.
    pub transitions: TransitionProgress,
}

/// The events of an auction.
#[derive(Debug)]
pub struct AuctionEvents {
    from: i64,
    pub upto: AuctionPosition,
    /// With their positions, in order.
    bids: Vec<(i64, Bid)>,
    /// Withdrawn bids.
    withdrawn: Vec<Bid>,
    /// Items with a change besides their bids.
    changed: BTreeSet<ItemId>,
    hidden: BTreeSet<ItemId>,
    /// Deleted items; a draft with its creator.
    deleted: BTreeMap<ItemId, Option<UserId>>,
    /// The item on the block.
    block: Option<ItemId>,
    /// Another item was put on the block, or none.
    block_changed: bool,
    /// The running order is another.
    order_changed: bool,
    /// The items that have events and still exist.
    snapshots: HashMap<ItemId, ItemSnapshot>,
    /// More items than streams are told of one by one have changed: they begin anew.
    pub all_changed: bool,
    /// There is more to read at once.
    pub more: bool,
}

/// The events of an auction past `from`. The snapshot is the one that `auction` was read in.
pub async fn auction_events(
    conn: &mut Snapshot,
    auction: &Auction,
    from: AuctionPosition,
    limit: Option<i64>,
    now: Moment,
) -> Result<AuctionEvents, DbError> {
    let limit = limit.unwrap_or(ROWS_MAX);
    let events = store::events(conn, auction.id, from.position, limit).await?;
    let (transitioned, transitions) = from.transitions.read_on(conn, auction.id, now).await?;
    let block_changed = events.iter().any(|event| event.change == Some(ItemChange::Block));
    let order_changed = events.iter().any(|event| event.change == Some(ItemChange::Order));
    let full = i64::try_from(events.len()).is_ok_and(|read| read == limit);
    let mut found = AuctionEvents {
        from: from.position,
        upto: AuctionPosition {
            position: events.last().map_or(from.position, |event| event.position),
            transitions,
        },
        bids: Vec::new(),
        withdrawn: Vec::new(),
        changed: transitioned.into_iter().collect(),
        hidden: BTreeSet::new(),
        deleted: BTreeMap::new(),
        block: auction.block_item_id,
        block_changed,
        order_changed,
        snapshots: HashMap::new(),
        all_changed: events.iter().any(|event| event.change == Some(ItemChange::All)),
        more: full || transitions.has_more(),
    };
    if found.all_changed {
        return Ok(found);
    }
    for event in &events {
        let kinds = match event.change {
            None | Some(ItemChange::Block | ItemChange::Order | ItemChange::All) => continue,
            Some(ItemChange::Edited | ItemChange::Withdrawn(..)) => [Some(&mut found.changed), None],
            Some(ItemChange::Hidden) => [Some(&mut found.changed), Some(&mut found.hidden)],
            Some(ItemChange::Deleted) => {
                found.deleted.insert(event.item_id, None);
                continue;
            }
            Some(ItemChange::DeletedDraft(creator)) => {
                found.deleted.insert(event.item_id, Some(creator));
                continue;
            }
        };
        kinds.into_iter().flatten().for_each(|items| items.extend([event.item_id]));
    }
    let touched: BTreeSet<ItemId> =
        events.iter().map(|event| event.item_id).chain(found.changed.iter().copied()).collect();
    found.read_snapshots(conn, auction, touched, now).await?;
    for event in events {
        let item = ItemPath { auction_id: auction.id, item_id: event.item_id };
        if let Some(ItemChange::Withdrawn(first, last)) = event.change {
            let withdrawn = BidSelection::WithdrawnAfter(first - 1);
            let bids = bids::store::select(conn, item, withdrawn, last - first + 1).await?;
            found.withdrawn.extend(bids);
        }
        let Some((first, last)) = event.bids else { continue };
        // A stream may resume between the bids of the first event.
        let delivered = (from.position - event.before()).max(0);
        let (after, count) = (first - 1 + delivered, last - first + 1 - delivered);
        let bids = bids::store::select(conn, item, BidSelection::Above(after), count).await?;
        let place = |bid: Bid| (event.position - (last - bid.sequence), bid);
        found.bids.extend(bids.into_iter().map(place));
    }
    Ok(found)
}

impl AuctionEvents {
    /// Reads the rest of the transitions, for a stream that resumes.
    pub async fn with_all_transitions(
        mut self,
        conn: &mut Connection,
        auction: &Auction,
        now: Moment,
    ) -> Result<Self, DbError> {
        while self.upto.transitions.has_more() {
            let (transitioned, progress) = self.upto.transitions.read_on(conn, auction.id, now).await?;
            self.changed.extend(&transitioned);
            self.read_snapshots(conn, auction, transitioned, now).await?;
            self.upto.transitions = progress;
        }
        Ok(self)
    }

    /// Adds every withdrawn bid of the auction with its item, for a stream that resumes. False if there are
    /// too many.
    pub async fn add_all_withdrawn(
        &mut self,
        conn: &mut Connection,
        auction: &Auction,
        now: Moment,
    ) -> Result<bool, DbError> {
        let withdrawn = withdrawals::of_auction(conn, auction.id, WITHDRAWN_MAX + 1).await?;
        if exceeds(withdrawn.len(), WITHDRAWN_MAX) {
            return Ok(false);
        }
        self.withdrawn.clear();
        for (item_id, sequence) in withdrawn {
            if !self.snapshots.contains_key(&item_id) {
                self.read_snapshots(conn, auction, [item_id], now).await?;
            }
            let item = ItemPath { auction_id: auction.id, item_id };
            self.withdrawn.extend(bids::store::find(conn, item, sequence).await?);
        }
        Ok(true)
    }

    async fn read_snapshots(
        &mut self,
        conn: &mut Connection,
        auction: &Auction,
        items: impl IntoIterator<Item = ItemId>,
        now: Moment,
    ) -> Result<(), DbError> {
        for item_id in items {
            if let Some(mut snapshot) = ItemSnapshot::read(conn, auction, item_id, now).await? {
                // Many items are read together, and events show no more of a description.
                snapshot.item.terms.description = listed_description(&snapshot.item.terms.description);
                self.snapshots.insert(item_id, snapshot);
            }
        }
        Ok(())
    }

    /// The items that listeners know with these events: changed ones, without those that are deleted.
    pub fn update_items(&self, items: &mut BTreeMap<ItemId, Option<UserId>>) {
        items.extend(self.snapshots.iter().map(|(id, snapshot)| (*id, snapshot.draft_of())));
        items.retain(|item_id, _| !self.deleted.contains_key(item_id));
    }

    /// For listeners that have received everything before: the bids, the withdrawn ones, then the other
    /// changes.
    pub fn in_order(self) -> Result<EventBatch, DbError> {
        let mut batch = EventBatchBuilder::default();
        self.add_bids(&mut batch)?;
        self.add_withdrawn(&mut batch)?;
        for snapshot in self.changed.iter().filter_map(|id| self.snapshots.get(id)) {
            batch.item(snapshot)?;
        }
        self.add_gone(&mut batch)?;
        if self.block_changed {
            batch.block(self.block)?;
        }
        if self.order_changed {
            batch.order()?;
        }
        Ok(batch.finish(self.from, self.upto.position))
    }

    /// For a stream that resumes: every item with an event, the withdrawn bids, then the bids.
    pub fn items_first(self) -> Result<EventBatch, DbError> {
        let mut batch = EventBatchBuilder::default();
        let mut snapshots: Vec<&ItemSnapshot> = self.snapshots.values().collect();
        snapshots.sort_by_key(|snapshot| snapshot.item.id);
        for snapshot in snapshots {
            batch.item(snapshot)?;
        }
        self.add_withdrawn(&mut batch)?;
        self.add_bids(&mut batch)?;
        self.add_gone(&mut batch)?;
        if self.block_changed || self.block.is_some() {
            batch.block(self.block)?;
        }
        if self.order_changed {
            batch.order()?;
        }
        Ok(batch.finish(self.from, self.upto.position))
    }

    fn add_bids(&self, batch: &mut EventBatchBuilder) -> Result<(), DbError> {
        for (position, bid) in &self.bids {
            if let Some(snapshot) = self.snapshots.get(&bid.item_id) {
                batch.bid(snapshot, *position, bid.clone())?;
            }
        }
        Ok(())
    }

    fn add_withdrawn(&self, batch: &mut EventBatchBuilder) -> Result<(), DbError> {
        for bid in &self.withdrawn {
            if let Some(snapshot) = self.snapshots.get(&bid.item_id) {
                batch.withdrawn(snapshot, bid.clone())?;
            }
        }
        Ok(())
    }

    fn add_gone(&self, batch: &mut EventBatchBuilder) -> Result<(), DbError> {
        let hidden = self.hidden.iter().filter_map(|id| self.snapshots.get(id));
        for snapshot in hidden.filter(|snapshot| !snapshot.item.terms.is_published) {
            batch.hidden(snapshot)?;
        }
        self.deleted.iter().try_for_each(|(item_id, draft_of)| batch.deleted(*item_id, *draft_of))
    }
}

//! Events in SQL.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::events::signal::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::usage;
use platform::db::{
    BulkStatement, Connection, DbError, Json, Transaction, WriteBatch, bulk_statement, query, query_scalar,
    row, rows,
};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// Positions of an auction that a stream can resume from. A stream that missed more begins anew.
pub const KEPT: i64 = 1000;

/// Old rows are deleted when the position passes a multiple of this, not with every event.
const SWEEP_EVERY: i64 = 256;

/// What one transaction did to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemEvent {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    /// The first and the last sequence of its new bids.
    pub bids: Option<(i64, i64)>,
    /// What changed besides its bids.
    pub change: Option<ItemChange>,
}

/// A change of an item besides its bids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ItemChange {
    /// Created, edited, published or closed.
    Edited,
    /// Bids were withdrawn: the first and the last of their withdrawals, counted within the item.
    Withdrawn(i64, i64),
    /// Put on the block, or taken from there.
    Block,
    /// Moved in the running order, held, or back.
    Order,
    /// Not published any more.
    Hidden,
    Deleted,
    /// A draft of this user was deleted: nobody but the user and the managers saw it.
    DeletedDraft(UserId),
    /// More items of the auction changed at once than streams are told of one by one. The event names none.
    All,
}

/// An event as it is stored, with its position in the auction.
#[derive(Debug, Clone, Copy)]
pub struct StoredEvent {
    /// Position of its last bid, or of the change if there are no bids.
    pub position: i64,
    pub item_id: ItemId,
    pub bids: Option<(i64, i64)>,
    pub change: Option<ItemChange>,
    pub at: Moment,
}

/// An item's event in the JSON of a row: the first and the last sequence of its new bids, and what changed
/// besides them.
type StoredItem = (ItemId, Option<i64>, Option<i64>, Option<ItemChange>);

impl ItemEvent {
    pub fn changed(auction_id: AuctionId, item_id: ItemId, change: ItemChange) -> Self {
        Self { auction_id, item_id, bids: None, change: Some(change) }
    }

    fn positions(&self) -> i64 {
        positions(self.bids)
    }
}

impl StoredEvent {
    /// The position before its first.
    pub fn before(&self) -> i64 {
        self.position - positions(self.bids)
    }

    /// The events of a row in order. The row has the last position.
    fn of_row((last, Json(items), at): (i64, Json<Vec<StoredItem>>, Moment)) -> impl Iterator<Item = Self> {
        let bids = |first: Option<i64>, last| first.zip(last);
        let mut position =
            last - items.iter().map(|(_, first, last, _)| positions(bids(*first, *last))).sum::<i64>();
        items.into_iter().map(move |(item_id, first, last, change)| {
            position += positions(bids(first, last));
            Self { position, item_id, bids: bids(first, last), change, at }
        })
    }
}

fn positions(bids: Option<(i64, i64)>) -> i64 {
    bids.map_or(1, |(first, last)| last - first + 1)
}

/// Adds events to `writes`, and the signal for other servers. Returns how many positions they take in each
/// auction.
pub fn record(
    writes: &mut WriteBatch,
    happened: &[ItemEvent],
    now: Moment,
) -> Result<Vec<(AuctionId, i64)>, DbError> {
    if happened.is_empty() {
        return Ok(Vec::new());
    }
    let mut by_auction: BTreeMap<AuctionId, Vec<&ItemEvent>> = BTreeMap::new();
    for one in happened {
        by_auction.entry(one.auction_id).or_default().push(one);
    }
    let (mut taken, mut events, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    // In the order of their ids, so that two writers never deadlock.
    for (auction_id, happened) in by_auction {
        if happened.len() > signal::ITEMS_MAX && happened.iter().all(|one| one.bids.is_none()) {
            let all: StoredItem = (ItemId::of(Uuid::nil()), None, None, Some(ItemChange::All));
            taken.push((auction_id, 1));
            events.push(row![auction_id, rows([all])?, now]);
            signal::send_with(writes, &Signal::AllItems(auction_id));
            continue;
        }
        taken.push((auction_id, happened.iter().map(|one| one.positions()).sum::<i64>()));
        let items = happened.iter().map(|one| {
            let (first, last) = one.bids.unzip();
            (one.item_id, first, last, one.change)
        });
        events.push(row![auction_id, rows(items)?, now]);
        changed.extend(happened.iter().map(|one| (auction_id, one.item_id)));
    }
    writes.add(TAKE_POSITIONS, taken.iter().map(|(id, taken)| row![*id, *taken]));
    writes.add(INSERT, events);
    writes.add(SWEEP, taken.iter().map(|(id, taken)| row![*id, *taken, SWEEP_EVERY, KEPT]));
    if !changed.is_empty() {
        signal::send_with(writes, &Signal::Items(changed));
    }
    Ok(taken)
}

/// Adds the head of an auction's events, in the transaction that creates the auction.
pub async fn insert_head(conn: &mut Transaction, auction_id: AuctionId) -> Result<(), DbError> {
    let sql = "INSERT INTO event_heads (auction_id, last_position) VALUES ($1, 0)";
    query(sql).bind(auction_id).execute(conn).await?;
    Ok(())
}

/// Takes positions of each auction.
const TAKE_POSITIONS: BulkStatement = bulk_statement!(
    sqlite: "UPDATE event_heads SET last_position = last_position + ?2 WHERE auction_id = ?1",
    "UPDATE event_heads SET last_position = event_heads.last_position + given.taken FROM",
    [auction_id uuid, taken bigint],
    "WHERE event_heads.auction_id = given.auction_id RETURNING event_heads.auction_id, event_heads.last_position"
)
.returning_as("heads");

/// The events of each auction, at the positions that were just taken.
const INSERT: BulkStatement = bulk_statement!(
    sqlite:
        "INSERT INTO events (auction_id, position, items, created_at)
         VALUES (?1, (SELECT last_position FROM event_heads WHERE auction_id = ?1), ?2, ?3)",
    "INSERT INTO events (auction_id, position, items, created_at)
     SELECT given.auction_id, heads.last_position, given.items, given.created_at FROM",
    [auction_id uuid, items text, created_at bigint],
    "JOIN heads ON heads.auction_id = given.auction_id"
);

/// Removes old events where the position has just passed a multiple of `every`.
const SWEEP: BulkStatement = bulk_statement!(
    sqlite:
        "DELETE FROM events WHERE auction_id = ?1 AND position <= (
             SELECT last_position - ?4 FROM event_heads
             WHERE auction_id = ?1 AND last_position / ?3 > (last_position - ?2) / ?3)",
    "DELETE FROM events USING",
    [auction_id uuid, taken bigint, every bigint, kept bigint],
    "JOIN heads ON heads.auction_id = given.auction_id
          AND heads.last_position / given.every > (heads.last_position - given.taken) / given.every
     WHERE events.auction_id = heads.auction_id AND events.position <= heads.last_position - given.kept"
);

/// Records in the transaction that every item of an auction was edited. Returns the signal to publish after
/// the commit.
pub async fn record_all(
    conn: &mut Transaction,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Signal, DbError> {
    let items = usage::first_item_ids(conn, auction_id, signal::ITEMS_MAX + 1).await?;
    let changed: Vec<ItemEvent> =
        items.iter().map(|id| ItemEvent::changed(auction_id, *id, ItemChange::Edited)).collect();
    let mut writes = WriteBatch::default();
    record(&mut writes, &changed, now)?;
    conn.run(writes).await?;
    Ok(Signal::of_items(auction_id, items))
}

/// Records in the transaction that one item changed.
pub async fn record_change(
    conn: &mut Transaction,
    auction_id: AuctionId,
    item_id: ItemId,
    change: ItemChange,
    now: Moment,
) -> Result<(), DbError> {
    let mut writes = WriteBatch::default();
    record(&mut writes, &[ItemEvent::changed(auction_id, item_id, change)], now)?;
    conn.run(writes).await
}

/// The last position taken; 0 without events, or without the auction.
pub async fn last_position(conn: &mut Connection, auction_id: AuctionId) -> Result<i64, DbError> {
    let last = query_scalar("SELECT last_position FROM event_heads WHERE auction_id = $1")
        .bind(auction_id)
        .fetch_optional(conn)
        .await?;
    Ok(last.unwrap_or(0))
}

/// The event of this position or the first one past it.
pub async fn at_or_past(
    conn: &mut Connection,
    auction_id: AuctionId,
    position: i64,
) -> Result<Option<StoredEvent>, DbError> {
    Ok(events(conn, auction_id, position - 1, 1).await?.into_iter().next())
}

/// Events of an auction that reach past a position, in order.
pub async fn events(
    conn: &mut Connection,
    auction_id: AuctionId,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, DbError> {
    let rows: Vec<(i64, Json<Vec<StoredItem>>, Moment)> = query(
        "SELECT position, items, created_at FROM events
         WHERE auction_id = $1 AND position > $2 ORDER BY position LIMIT $3",
    )
    .bind(auction_id)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    let events = rows.into_iter().flat_map(StoredEvent::of_row).filter(|event| event.position > after);
    Ok(events.take(usize::try_from(limit).unwrap_or(0)).collect())
}

//! Events in SQL.

use std::collections::BTreeMap;

use crate::clock::Moment;
use crate::db::{Connection, DbError, for_each_row, query, query_scalar, rows, stored_id, stored_moment};
use crate::ids::{AuctionId, ItemId};
use crate::instances::{self, Told};
use crate::items;

/// Positions of an auction that a stream can go on from. Who missed more is given the present instead.
pub const KEPT: i64 = 1000;

/// Old rows go when the position passes a multiple of this, not with every event.
const SWEEP_EVERY: i64 = 256;

/// What happened to an item in one transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Happened {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    /// The first and the last sequence of its new bids.
    pub bids: Option<(i64, i64)>,
    /// Something of it changed besides its bids.
    pub item_changed: bool,
}

/// The same, with its place among the auction's events.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Of its last bid, or of the change where there are no bids.
    pub position: i64,
    pub item_id: ItemId,
    pub bids: Option<(i64, i64)>,
    pub item_changed: bool,
    pub at: Moment,
}

type EventRow = (i64, String, Option<i64>, Option<i64>, bool, i64);

impl Happened {
    /// The item was made, edited, published or closed.
    pub fn changed(auction_id: AuctionId, item_id: ItemId) -> Self {
        Self { auction_id, item_id, bids: None, item_changed: true }
    }

    fn positions(&self) -> i64 {
        positions(self.bids)
    }
}

impl Event {
    /// The position before its first.
    pub fn before(&self) -> i64 {
        self.position - positions(self.bids)
    }

    fn read((position, item_id, first, last, item_changed, at): EventRow) -> Result<Self, DbError> {
        Ok(Self {
            position,
            item_id: stored_id(&item_id)?,
            bids: first.zip(last),
            item_changed,
            at: stored_moment(at)?,
        })
    }
}

fn positions(bids: Option<(i64, i64)>) -> i64 {
    bids.map_or(1, |(first, last)| last - first + 1)
}

/// Writes what happened, in the transaction in which it does, and has the other servers wake for it.
pub async fn record(conn: &mut Connection, happened: &[Happened], now: Moment) -> Result<(), DbError> {
    let mut by_auction: BTreeMap<AuctionId, Vec<&Happened>> = BTreeMap::new();
    for one in happened {
        by_auction.entry(one.auction_id).or_default().push(one);
    }
    let mut placed = Vec::with_capacity(happened.len());
    // In the order of their ids, so that two writers never wait for each other.
    for (auction_id, happened) in by_auction {
        let taken = happened.iter().map(|one| one.positions()).sum();
        let last = take_positions(conn, auction_id, taken).await?;
        let mut position = last - taken;
        for one in happened {
            position += one.positions();
            placed.push((position, one));
        }
        if last / SWEEP_EVERY > (last - taken) / SWEEP_EVERY {
            sweep(conn, auction_id, last - KEPT).await?;
        }
    }
    let row = |(position, one): &(i64, &Happened)| {
        let (first, last) = one.bids.unzip();
        (one.auction_id, *position, one.item_id, first, last, one.item_changed, now.millis())
    };
    query(for_each_row!(
        "INSERT INTO events (auction_id, position, item_id, first_sequence, last_sequence, item_changed,
                             created_at)
         SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT), given.value ->> 2,
                CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
                CAST(given.value ->> 5 AS BOOLEAN), CAST(given.value ->> 6 AS BIGINT)
         FROM",
        ""
    ))
    .bind(rows(placed.iter().map(row))?)
    .execute(conn)
    .await?;
    let items = happened.iter().map(|one| (one.auction_id, one.item_id)).collect();
    instances::tell(conn, &Told::Items(items)).await
}

/// Writes that every item of an auction changed, in the transaction in which they do. Hands out what to wake for.
pub async fn record_all(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Vec<(AuctionId, ItemId)>, DbError> {
    let items = items::store::ids(conn, auction_id).await?;
    let changed: Vec<Happened> = items.iter().map(|id| Happened::changed(auction_id, *id)).collect();
    record(conn, &changed, now).await?;
    Ok(items.into_iter().map(|id| (auction_id, id)).collect())
}

/// Takes so many positions, and hands out the last of them.
async fn take_positions(conn: &mut Connection, auction_id: AuctionId, taken: i64) -> Result<i64, DbError> {
    let last = query_scalar(
        "INSERT INTO event_heads (auction_id, last_position) VALUES ($1, $2)
         ON CONFLICT (auction_id) DO UPDATE SET last_position = event_heads.last_position + $2
         RETURNING last_position",
    )
    .bind(auction_id.to_string())
    .bind(taken)
    .fetch_one(conn)
    .await?;
    Ok(last)
}

async fn sweep(conn: &mut Connection, auction_id: AuctionId, upto: i64) -> Result<(), DbError> {
    query("DELETE FROM events WHERE auction_id = $1 AND position <= $2")
        .bind(auction_id.to_string())
        .bind(upto)
        .execute(conn)
        .await?;
    Ok(())
}

/// The position given out last; 0 where nothing has happened yet.
pub async fn last_position(conn: &mut Connection, auction_id: AuctionId) -> Result<i64, DbError> {
    let last = query_scalar("SELECT last_position FROM event_heads WHERE auction_id = $1")
        .bind(auction_id.to_string())
        .fetch_optional(conn)
        .await?;
    Ok(last.unwrap_or(0))
}

/// The event of this position or the first one past it.
pub async fn at_or_past(
    conn: &mut Connection,
    auction_id: AuctionId,
    position: i64,
) -> Result<Option<Event>, DbError> {
    Ok(events(conn, auction_id, position - 1, 1).await?.into_iter().next())
}

/// Events of an auction that reach past a position, in order.
pub async fn events(
    conn: &mut Connection,
    auction_id: AuctionId,
    after: i64,
    limit: i64,
) -> Result<Vec<Event>, DbError> {
    let rows: Vec<EventRow> = query(
        "SELECT position, item_id, first_sequence, last_sequence, item_changed, created_at FROM events
         WHERE auction_id = $1 AND position > $2 ORDER BY position LIMIT $3",
    )
    .bind(auction_id.to_string())
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Event::read).collect()
}

//! What changes the lead on items, read from the ledger in SQL.

use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::{Connection, DbError, for_each_row, query, rows};
use platform::time::Moment;

/// Positions of the ledger of an auction.
#[derive(Debug, Clone, Copy)]
pub struct LedgerPart {
    pub auction_id: AuctionId,
    /// Exclusive.
    pub after: i64,
    /// Inclusive.
    pub up_to: i64,
}

/// A bid, as far as it changes who leads.
#[derive(Debug, Clone, Copy, sqlx_macros::FromRow)]
pub struct LedgerBid {
    pub item_id: ItemId,
    pub position: i64,
    /// The position of the bid before it on the item.
    pub previous: Option<i64>,
    pub sequence: i64,
    pub bidder_id: UserId,
    pub created_at: Moment,
}

/// A withdrawal, as far as it changes who leads.
#[derive(Debug, Clone, Copy, sqlx_macros::FromRow)]
pub struct LedgerWithdrawal {
    pub item_id: ItemId,
    /// The position of the withdrawn bid, and its bidder.
    pub position: i64,
    pub bidder_id: UserId,
    /// The position of the newest bid of the item at that time.
    pub newest: i64,
    /// The last position of the auction's events with those of the withdrawal.
    pub head: i64,
    pub withdrawn_at: Moment,
}

/// Where the standing bids of an item are read from.
#[derive(Debug, Clone, Copy)]
pub struct StandingFrom {
    pub item_id: ItemId,
    /// The position of the newest bid that is read.
    pub position: i64,
    /// How many of the newest standing bids are needed.
    pub most: usize,
}

/// A bid that stood.
#[derive(Debug, Clone, Copy, sqlx_macros::FromRow)]
pub struct StoodBid {
    pub item_id: ItemId,
    pub position: i64,
    pub sequence: i64,
    pub bidder_id: UserId,
}

/// The first `limit` bids of a part of the ledger. Sealed ones outbid nobody.
pub async fn bids(conn: &mut Connection, part: LedgerPart, limit: i64) -> Result<Vec<LedgerBid>, DbError> {
    query(
        "SELECT item_id, position, previous, sequence, bidder_id, created_at FROM bids
         WHERE auction_id = $1 AND position > $2 AND position <= $3
           AND NOT EXISTS (SELECT 1 FROM items i WHERE i.id = bids.item_id AND i.format <> 'OPEN')
         ORDER BY position LIMIT $4",
    )
    .bind(part.auction_id)
    .bind(part.after)
    .bind(part.up_to)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// The first `limit` withdrawals of a part of the ledger: those of an item are in their order.
pub async fn withdrawals(
    conn: &mut Connection,
    part: LedgerPart,
    limit: usize,
) -> Result<Vec<LedgerWithdrawal>, DbError> {
    query(
        "SELECT w.item_id, w.position, b.bidder_id, w.newest, w.head, w.withdrawn_at
         FROM withdrawals w JOIN bids b ON b.auction_id = w.auction_id AND b.position = w.position
         WHERE w.auction_id = $1 AND w.head > $2 AND w.head <= $3
         ORDER BY w.head, w.item_id, w.number LIMIT $4",
    )
    .bind(part.auction_id)
    .bind(part.after)
    .bind(part.up_to)
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(conn)
    .await
}

/// The newest bids of items that stood when the events of the auction had come to `head`. It may be more than
/// is needed.
pub async fn standing(
    conn: &mut Connection,
    auction_id: AuctionId,
    head: i64,
    from: &[StandingFrom],
) -> Result<Vec<StoodBid>, DbError> {
    if from.is_empty() {
        return Ok(Vec::new());
    }
    // As many withdrawn bids are passed over as the item may have had.
    query(for_each_row!(
        "WITH RECURSIVE walk (position, more) AS (
             SELECT given.position, given.most + (
                        SELECT COUNT(*) FROM withdrawals w WHERE w.item_id = given.item_id AND w.head <= $3)
             FROM",
        [item_id id, position bigint, most bigint],
        "UNION ALL
             SELECT b.previous, walk.more - 1
             FROM walk JOIN bids b ON b.auction_id = $2 AND b.position = walk.position
             WHERE walk.more > 1 AND b.previous IS NOT NULL
         ) SELECT b.item_id, b.position, b.sequence, b.bidder_id
         FROM walk JOIN bids b ON b.auction_id = $2 AND b.position = walk.position
         WHERE NOT EXISTS (SELECT 1 FROM withdrawals w
                           WHERE w.item_id = b.item_id AND w.sequence = b.sequence AND w.head <= $3)"
    ))
    .bind(rows(from.iter().map(|from| (from.item_id, from.position, from.most)))?)
    .bind(auction_id)
    .bind(head)
    .fetch_all(conn)
    .await
}

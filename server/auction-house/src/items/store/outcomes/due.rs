//! Items that have ended and have no outcome yet.

use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, query, query_scalar};
use platform::time::Moment;

/// Items of an auction that have ended by their own ends and are not closed yet. Sealed bids are settled in
/// the bid queue alone.
pub async fn ended(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Vec<ItemId>, DbError> {
    query_scalar(
        "SELECT id FROM items WHERE auction_id = $1 AND closed_at IS NULL AND end_date <= $2 AND format = 'OPEN'
         ORDER BY end_date, lot_key",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_all(conn)
    .await
}

/// Items in all auctions whose end has come and that are not closed yet, in the order of their ends.
pub async fn due(
    conn: &mut Connection,
    now: Moment,
    most: usize,
) -> Result<Vec<(AuctionId, ItemId)>, DbError> {
    query(
        "SELECT auction_id, id FROM (
             SELECT i.auction_id, i.id, i.lot_key, i.end_date AS ends_at
             FROM items i JOIN auctions a ON a.id = i.auction_id
             WHERE i.closed_at IS NULL AND i.end_date <= $1 AND a.item_end_mode <> 'NONE' AND a.deleted_at IS NULL
             UNION ALL
             SELECT i.auction_id, i.id, i.lot_key, a.end_date
             FROM auctions a JOIN items i ON i.auction_id = a.id
             WHERE a.closed_at IS NULL AND a.end_date <= $1
               AND i.closed_at IS NULL AND (i.end_date IS NULL OR a.item_end_mode = 'NONE')
         ) AS due ORDER BY ends_at, auction_id, lot_key LIMIT $2",
    )
    .bind(now)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .fetch_all(conn)
    .await
}

/// The next end of an item or an auction after `now`.
pub async fn next_end(conn: &mut Connection, now: Moment) -> Result<Option<Moment>, DbError> {
    query_scalar(
        "SELECT MIN(ends_at) FROM (
             SELECT MIN(end_date) AS ends_at FROM items WHERE closed_at IS NULL AND end_date > $1
             UNION ALL
             SELECT MIN(end_date) FROM auctions WHERE closed_at IS NULL AND end_date > $1
         ) AS ends",
    )
    .bind(now)
    .fetch_one(conn)
    .await
}

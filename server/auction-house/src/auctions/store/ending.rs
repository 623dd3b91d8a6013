//! Auctions that end and close.

use crate::ids::AuctionId;
use platform::db::{BulkStatement, Connection, DbError, WriteBatch, bulk_statement, query_scalar, row};
use platform::time::Moment;

/// Closes an auction; its items are closed apart.
pub fn close(writes: &mut WriteBatch, auction_id: AuctionId, now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE auctions
         SET closed_at = given.now, version = auctions.version + 1, revision = auctions.revision + 1,
             updated_at = given.now
         FROM",
        [id uuid, now bigint],
        "WHERE auctions.id = given.id"
    );
    writes.add(STATEMENT, [row![auction_id, now]]);
}

/// Auctions that have ended with their last item and are not closed yet. Drafts without an end keep no
/// auction open.
pub async fn ended(conn: &mut Connection, now: Moment, limit: i64) -> Result<Vec<AuctionId>, DbError> {
    query_scalar(
        "SELECT a.id FROM auctions a
         WHERE a.closed_at IS NULL AND a.end_date <= $1 AND NOT EXISTS (
             SELECT 1 FROM items i
             WHERE i.auction_id = a.id AND i.closed_at IS NULL
               AND (i.is_published OR a.item_end_mode <> 'NONE'))
         ORDER BY a.end_date, a.id LIMIT $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Whether an auction has ended with its last item and is not closed yet.
pub async fn has_ended(conn: &mut Connection, auction_id: AuctionId, now: Moment) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM auctions a
         WHERE a.id = $1 AND a.closed_at IS NULL AND a.end_date <= $2 AND NOT EXISTS (
             SELECT 1 FROM items i
             WHERE i.auction_id = a.id AND i.closed_at IS NULL
               AND (i.is_published OR a.item_end_mode <> 'NONE')))",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_one(conn)
    .await
}

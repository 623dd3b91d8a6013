//! Auctions whose bidders have not been told yet who leads.

use crate::ids::AuctionId;
use platform::db::{Connection, DbError, query_scalar};

/// The first `limit` auctions past an id with bids or withdrawals past the head of their notices.
pub async fn with_untold_leads(
    conn: &mut Connection,
    after: AuctionId,
    limit: i64,
) -> Result<Vec<AuctionId>, DbError> {
    query_scalar(
        "SELECT h.auction_id FROM notice_heads h
         WHERE h.auction_id > $1 AND (
             EXISTS (SELECT 1 FROM bids b WHERE b.auction_id = h.auction_id AND b.position > h.position)
             OR EXISTS (SELECT 1 FROM withdrawals w WHERE w.auction_id = h.auction_id AND w.head > h.position))
         ORDER BY h.auction_id LIMIT $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await
}

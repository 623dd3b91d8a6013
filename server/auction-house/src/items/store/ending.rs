//! Items that end soon, in SQL.

use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, Transaction, query};
use platform::time::Moment;

/// Open published items that end by `until` and whose followers were not notified of it.
pub async fn due(
    conn: &mut Connection,
    now: Moment,
    until: Moment,
    limit: i64,
) -> Result<Vec<(AuctionId, ItemId)>, DbError> {
    query(
        "SELECT i.auction_id, i.id FROM items i JOIN auctions a ON a.id = i.auction_id
         WHERE i.closed_at IS NULL AND a.closed_at IS NULL AND i.is_published AND a.item_end_mode <> 'NONE'
           AND (i.end_date > $1 AND i.end_date <= $2
                OR i.end_date IS NULL AND a.end_date > $1 AND a.end_date <= $2)
           AND NOT EXISTS (SELECT 1 FROM ending_items e WHERE e.item_id = i.id)
         LIMIT $3",
    )
    .bind(now)
    .bind(until)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Records that the followers of an item are notified. False if another transaction has done so.
pub async fn record(conn: &mut Transaction, item_id: ItemId) -> Result<bool, DbError> {
    let sql = "INSERT INTO ending_items (item_id) SELECT id FROM items WHERE id = $1 ON CONFLICT DO NOTHING";
    Ok(query(sql).bind(item_id).execute(conn).await? == 1)
}

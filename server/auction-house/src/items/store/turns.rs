//! Items whose time comes: the clock opens and closes them, and nothing is written then.

use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, query_scalar, stored_id, stored_moment};
use platform::time::Moment;

/// Items of one reading, at most.
const ITEMS_MAX: i64 = 1000;

/// Items of an auction that began or ended by the clock past `after` and until `until`.
pub async fn turned(
    conn: &mut Connection,
    auction_id: AuctionId,
    after: Moment,
    until: Moment,
) -> Result<Vec<ItemId>, DbError> {
    let ids: Vec<String> = query_scalar(
        "SELECT i.id FROM items i JOIN auctions a ON a.id = i.auction_id
         WHERE i.auction_id = $1 AND i.closed_at IS NULL AND a.closed_at IS NULL
           AND ((i.starts_at > $2 AND i.starts_at <= $3)
                OR (a.item_end_mode <> 'NONE' AND COALESCE(i.end_date, a.end_date) > $2
                    AND COALESCE(i.end_date, a.end_date) <= $3))
         ORDER BY i.id LIMIT $4",
    )
    .bind(auction_id.to_string())
    .bind(after.millis())
    .bind(until.millis())
    .bind(ITEMS_MAX)
    .fetch_all(conn)
    .await?;
    ids.iter().map(|id| stored_id(id)).collect()
}

/// When the next item of an auction begins or ends by the clock.
pub async fn next_turn(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Option<Moment>, DbError> {
    let next: Option<i64> = query_scalar(
        "SELECT MIN(turn) FROM (
             SELECT starts_at AS turn FROM items WHERE auction_id = $1 AND closed_at IS NULL
             UNION ALL
             SELECT COALESCE(i.end_date, a.end_date) FROM items i JOIN auctions a ON a.id = i.auction_id
             WHERE i.auction_id = $1 AND i.closed_at IS NULL AND a.closed_at IS NULL
               AND a.item_end_mode <> 'NONE'
         ) AS turns WHERE turn > $2",
    )
    .bind(auction_id.to_string())
    .bind(now.millis())
    .fetch_one(conn)
    .await?;
    next.map(stored_moment).transpose()
}

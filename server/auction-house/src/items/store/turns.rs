//! Items whose time comes: the clock opens and closes them, and nothing is written then.

use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, query_scalar};
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
    query_scalar(
        "SELECT i.id FROM items_now i
         WHERE i.auction_id = $1 AND i.closed_for_good_at IS NULL
           AND ((i.starts_at > $2 AND i.starts_at <= $3) OR (i.ends_at > $2 AND i.ends_at <= $3))
         ORDER BY i.id LIMIT $4",
    )
    .bind(auction_id)
    .bind(after)
    .bind(until)
    .bind(ITEMS_MAX)
    .fetch_all(conn)
    .await
}

/// When the next item of an auction begins or ends by the clock.
pub async fn next_turn(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Option<Moment>, DbError> {
    query_scalar(
        "SELECT MIN(turn) FROM (
             SELECT starts_at AS turn FROM items WHERE auction_id = $1 AND closed_at IS NULL
             UNION ALL
             SELECT ends_at FROM items_now WHERE auction_id = $1 AND closed_for_good_at IS NULL
         ) AS turns WHERE turn > $2",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_one(conn)
    .await
}

//! Lot numbers in SQL.

use super::super::LOT_NUMBERS;
use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, query_scalar};

/// The number after the greatest of the auction's other items. Once that is past the bound, the least number
/// that is free.
pub async fn next_number(
    conn: &mut Connection,
    auction_id: AuctionId,
    but: Option<ItemId>,
) -> Result<i64, DbError> {
    let greatest: Option<i64> =
        query_scalar("SELECT MAX(lot_number) FROM items WHERE auction_id = $1 AND ($2 IS NULL OR id <> $2)")
            .bind(auction_id)
            .bind(but)
            .fetch_one(conn)
            .await?;
    let next = greatest.map_or(*LOT_NUMBERS.start(), |greatest| greatest + 1);
    if LOT_NUMBERS.contains(&next) {
        return Ok(next);
    }
    query_scalar(
        "SELECT MIN(free.number) FROM (
             SELECT 1 AS number UNION ALL SELECT lot_number + 1 FROM items WHERE auction_id = $1
         ) AS free
         WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.auction_id = $1 AND i.lot_number = free.number)",
    )
    .bind(auction_id)
    .fetch_one(conn)
    .await
}

/// Whether another item of the auction has this number.
pub async fn number_is_taken(
    conn: &mut Connection,
    auction_id: AuctionId,
    number: i64,
    but: Option<ItemId>,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (
             SELECT 1 FROM items WHERE auction_id = $1 AND lot_number = $2 AND ($3 IS NULL OR id <> $3))",
    )
    .bind(auction_id)
    .bind(number)
    .bind(but)
    .fetch_one(conn)
    .await
}

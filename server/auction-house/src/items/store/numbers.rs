//! Lot numbers in SQL.

use rules_engine::LotNumber;

use crate::ids::{AuctionId, ItemId, UserId};
use platform::db::{Connection, DbError, for_each_row, query, query_scalar, rows};

/// The integer after the greatest one of the auction's other items. Once that is past the bound, the least
/// one that is free.
pub async fn next_number(
    conn: &mut Connection,
    auction_id: AuctionId,
    but: Option<ItemId>,
) -> Result<LotNumber, DbError> {
    let integer = next_integer(conn, auction_id, but).await?;
    integer.to_string().parse().map_err(|_| DbError::Corrupt(format!("the lot number {integer}")))
}

async fn next_integer(
    conn: &mut Connection,
    auction_id: AuctionId,
    but: Option<ItemId>,
) -> Result<i64, DbError> {
    let greatest: Option<i64> = query_scalar(
        "SELECT lot_integer FROM items
         WHERE auction_id = $1 AND lot_key < 'a' AND lot_integer IS NOT NULL AND ($2 IS NULL OR id <> $2)
         ORDER BY lot_key DESC LIMIT 1",
    )
    .bind(auction_id)
    .bind(but)
    .fetch_optional(&mut *conn)
    .await?;
    let next = greatest.unwrap_or(0) + 1;
    if next <= LotNumber::MAX_INTEGER {
        return Ok(next);
    }
    let taken: Vec<i64> = query_scalar(
        "SELECT lot_integer FROM items
         WHERE auction_id = $1 AND lot_key < 'a' AND lot_integer IS NOT NULL ORDER BY lot_key",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    let first_gap = (1..).zip(taken).find(|(place, number)| place != number);
    Ok(first_gap.map_or(next, |(place, _)| place))
}

/// All numbers of an auction: their keys, and the values of those that are integers.
pub async fn numbers(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Vec<(String, Option<i64>)>, DbError> {
    let sql = "SELECT lot_key, lot_integer FROM items WHERE auction_id = $1";
    query(sql).bind(auction_id).fetch_all(conn).await
}

/// The keys of the numbers of an auction's items, with the names and the creators of the items.
pub async fn names(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Vec<(String, String, UserId)>, DbError> {
    let sql = "SELECT lot_key, name, creator_id FROM items WHERE auction_id = $1";
    query(sql).bind(auction_id).fetch_all(conn).await
}

/// The items of an auction that have numbers with these keys.
pub async fn with_keys(
    conn: &mut Connection,
    auction_id: AuctionId,
    keys: impl Iterator<Item = String>,
) -> Result<Vec<ItemId>, DbError> {
    query_scalar(for_each_row!(
        "$2" => "SELECT i.id FROM",
        [lot_key text],
        "JOIN items i ON i.auction_id = $1 AND i.lot_key = given.lot_key"
    ))
    .bind(auction_id)
    .bind(rows(keys.map(|key| [key]))?)
    .fetch_all(conn)
    .await
}

/// Whether another item of the auction has this number.
pub async fn number_is_taken(
    conn: &mut Connection,
    auction_id: AuctionId,
    number: &LotNumber,
    but: Option<ItemId>,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (
             SELECT 1 FROM items WHERE auction_id = $1 AND lot_key = $2 AND ($3 IS NULL OR id <> $3))",
    )
    .bind(auction_id)
    .bind(number.sort_key())
    .bind(but)
    .fetch_one(conn)
    .await
}

//! How many items an auction has, all of them and those that are published.

use crate::ids::AuctionId;
use platform::db::{Connection, DbError, Transaction, query, query_scalar};

/// Adds to the number of the auction's published items, in the transaction that publishes or hides them.
pub async fn add_published(conn: &mut Transaction, auction_id: AuctionId, more: i64) -> Result<(), DbError> {
    query("UPDATE auctions SET published_items = published_items + $2 WHERE id = $1")
        .bind(auction_id)
        .bind(more)
        .execute(conn)
        .await?;
    Ok(())
}

/// Adds to the number of all items of the auction, in the transaction that creates or deletes them. `false`
/// if there would be more than `max`.
pub async fn add_items(
    conn: &mut Transaction,
    auction_id: AuctionId,
    more: i64,
    max: i64,
) -> Result<bool, DbError> {
    let sql = "UPDATE auctions SET all_items = all_items + $2 WHERE id = $1 AND all_items + $2 <= $3";
    Ok(query(sql).bind(auction_id).bind(more).bind(max).execute(conn).await? == 1)
}

/// The number of all items of the auction. That of a copy includes the items that are still to be copied.
pub async fn all_items(conn: &mut Connection, auction_id: AuctionId) -> Result<i64, DbError> {
    query_scalar("SELECT all_items FROM auctions WHERE id = $1").bind(auction_id).fetch_one(conn).await
}

//! The books of auctions.

use crate::ids::{AuctionId, BookId};
use platform::db::{Connection, DbError, for_each_row, query, rows};

/// The books of these auctions; `None` for an auction without one.
pub async fn books(
    conn: &mut Connection,
    auction_ids: &[AuctionId],
) -> Result<Vec<(AuctionId, Option<BookId>)>, DbError> {
    if auction_ids.is_empty() {
        return Ok(Vec::new());
    }
    query(for_each_row!("SELECT a.id, a.book_id FROM", [id id], "JOIN auctions a ON a.id = given.id"))
        .bind(rows(auction_ids.iter().map(|id| [id]))?)
        .fetch_all(conn)
        .await
}

//! The auctions of a book, and the books of auctions.

use crate::ids::{AuctionId, BookId, UserId};
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

/// The newest auctions of a book that a user may see, with their names.
pub async fn of_book(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<Vec<(AuctionId, String)>, DbError> {
    query(
        "SELECT a.id, a.name FROM auctions a
         LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2
         WHERE a.book_id = $1 AND (a.join_mode = 'FREE' OR m.role IS NOT NULL) ORDER BY a.id DESC LIMIT 50",
    )
    .bind(book_id)
    .bind(viewer)
    .fetch_all(conn)
    .await
}

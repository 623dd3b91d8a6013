//! Questions about the pots of a book: what was charged in its auctions, and what was shared of them.

use std::collections::HashMap;

use crate::ids::{AuctionId, BookId, ItemId, UserId};
use platform::db::{Connection, DbError, Parsed, for_each_row, query, query_scalar, rows};
use platform::time::Moment;
use rules_engine::money::Normalized;

/// The book of an auction.
pub async fn book_of_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Option<BookId>, DbError> {
    let sql = "SELECT book_id FROM auctions WHERE id = $1 AND deleted_at IS NULL AND book_id IS NOT NULL";
    query_scalar(sql).bind(auction_id).fetch_optional(conn).await
}

/// Whether a user may know of an auction (SPEC, section 1).
pub async fn sees_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    user: UserId,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM auctions a WHERE a.id = $1 AND (a.join_mode = 'FREE' OR a.readable_by = 'ANYONE'
            OR EXISTS (SELECT 1 FROM members m WHERE m.auction_id = a.id AND m.user_id = $2 AND m.role IS NOT NULL)))",
    )
    .bind(auction_id)
    .bind(user)
    .fetch_one(conn)
    .await
}

pub async fn auction_of_item(conn: &mut Connection, item_id: ItemId) -> Result<Option<AuctionId>, DbError> {
    query_scalar("SELECT auction_id FROM items WHERE id = $1").bind(item_id).fetch_optional(conn).await
}

/// The numbers of the members of an auction who have one.
pub async fn numbers_of_members(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<HashMap<UserId, i64>, DbError> {
    let sql = "SELECT user_id, number FROM members WHERE auction_id = $1 AND number IS NOT NULL";
    let found: Vec<(UserId, i64)> = query(sql).bind(auction_id).fetch_all(conn).await?;
    Ok(found.into_iter().collect())
}

/// The users, among these, who are holders of a book and can be granted something: by their numbers in the
/// auction, then in the order in which they have joined the book.
pub async fn holders_in_order(
    conn: &mut Connection,
    book_id: BookId,
    auction_id: AuctionId,
    users: &[UserId],
) -> Result<Vec<UserId>, DbError> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    query_scalar(for_each_row!(
        "SELECT h.user_id FROM",
        [user_id id],
        "CROSS JOIN book_holders h CROSS JOIN users u
         LEFT JOIN members m ON m.auction_id = $3 AND m.user_id = h.user_id
         WHERE h.user_id = given.user_id AND h.book_id = $2 AND h.left_at IS NULL
           AND u.id = h.user_id AND u.erased_at IS NULL
         ORDER BY m.number IS NULL, m.number, h.joined_at, h.user_id"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(book_id)
    .bind(auction_id)
    .fetch_all(conn)
    .await
}

/// The amounts of the charges in an auction and of their reversals, with their items.
pub async fn sales_of_auction(
    conn: &mut Connection,
    book_id: BookId,
    auction_id: AuctionId,
) -> Result<Vec<(ItemId, Normalized)>, DbError> {
    let found: Vec<(ItemId, Parsed<Normalized>)> = query(
        "SELECT e.item_id, e.amount FROM items i CROSS JOIN book_entries e
         WHERE i.auction_id = $1 AND e.item_id = i.id AND e.book_id = $2",
    )
    .bind(auction_id)
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(item, Parsed(amount))| (item, amount)).collect())
}

/// The moments and amounts of all entries that change the pots of the auctions of a book, of sales and of
/// shares.
pub async fn moves_of_book(
    conn: &mut Connection,
    book_id: BookId,
) -> Result<Vec<(Moment, Normalized)>, DbError> {
    let sales: Vec<(Moment, Parsed<Normalized>)> = query(
        "SELECT e.created_at, e.amount FROM auctions a CROSS JOIN items i CROSS JOIN book_entries e
         WHERE a.book_id = $1 AND i.auction_id = a.id AND e.item_id = i.id AND e.book_id = a.book_id",
    )
    .bind(book_id)
    .fetch_all(&mut *conn)
    .await?;
    let shared: Vec<(Moment, Parsed<Normalized>)> = query(
        "SELECT e.created_at, e.amount FROM auctions a CROSS JOIN book_runs r CROSS JOIN book_entries e
         WHERE a.book_id = $1 AND r.auction_id = a.id AND r.book_id = a.book_id
           AND e.book_id = r.book_id AND e.run = r.number",
    )
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    Ok(sales.into_iter().chain(shared).map(|(at, Parsed(amount))| (at, amount)).collect())
}

//! Questions about books: what their holders have committed, which auctions use them, and whom their keepers
//! reach.

use std::collections::HashMap;

use crate::ids::{BookId, UserId};
use platform::db::{Connection, DbError, Parsed, for_each_row, query, query_scalar, rows};
use rules_engine::money::Normalized;

/// The bids of holders that a viewer may learn of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commitments {
    /// Bids that everyone sees, tickets among them: for a viewer of what others have.
    Open,
    /// Sealed bids as well: for the holder alone, and for the rules.
    All,
}

/// What the holders of a book have committed in all its auctions: the standing bids that lead items without
/// an outcome, and all tickets and sealed bids that stand on such items.
pub async fn commitments(
    conn: &mut Connection,
    book_id: BookId,
    which: Commitments,
) -> Result<Vec<(UserId, Normalized)>, DbError> {
    let mut found: Vec<(UserId, Parsed<Normalized>)> = query(
        "SELECT b.bidder_id, b.normalized_amount
         FROM auctions a JOIN items_now i ON i.auction_id = a.id
         JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE a.book_id = $1 AND i.closed_at IS NULL",
    )
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    let apart = query(
        "SELECT s.bidder_id, s.normalized_amount
         FROM auctions a JOIN items i ON i.auction_id = a.id
         JOIN sealed_bids s ON s.item_id = i.id
         WHERE a.book_id = $1 AND i.format <> 'OPEN' AND i.closed_at IS NULL AND s.ended_at IS NULL
           AND (s.tickets IS NOT NULL OR $2)",
    );
    let apart = apart.bind(book_id).bind(which == Commitments::All);
    found.extend(apart.fetch_all::<(UserId, Parsed<Normalized>)>(conn).await?);
    Ok(found.into_iter().map(|(bidder, Parsed(amount))| (bidder, amount)).collect())
}

/// What one holder has committed in each of these books.
pub async fn commitments_of(
    conn: &mut Connection,
    books: &[BookId],
    user_id: UserId,
    which: Commitments,
) -> Result<Vec<(BookId, Normalized)>, DbError> {
    let given = rows(books.iter().map(|id| [id]))?;
    let mut found: Vec<(BookId, Parsed<Normalized>)> = query(for_each_row!(
        "SELECT a.book_id, b.normalized_amount FROM",
        [book_id id],
        "JOIN auctions a ON a.book_id = given.book_id
         JOIN items_now i ON i.auction_id = a.id
         JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE i.closed_at IS NULL AND b.bidder_id = $2"
    ))
    .bind(given.clone())
    .bind(user_id)
    .fetch_all(conn)
    .await?;
    let apart = query(for_each_row!(
        "SELECT a.book_id, s.normalized_amount FROM",
        [book_id id],
        "JOIN auctions a ON a.book_id = given.book_id
         JOIN sealed_bids s ON s.auction_id = a.id
         JOIN items i ON i.id = s.item_id
         WHERE s.bidder_id = $2 AND s.ended_at IS NULL AND i.closed_at IS NULL
           AND (s.tickets IS NOT NULL OR $3)"
    ));
    let apart = apart.bind(given).bind(user_id).bind(which == Commitments::All);
    found.extend(apart.fetch_all::<(BookId, Parsed<Normalized>)>(conn).await?);
    Ok(found.into_iter().map(|(book, Parsed(amount))| (book, amount)).collect())
}

/// Whether an auction of the book is not closed.
pub async fn book_has_open_auction(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM auctions WHERE book_id = $1 AND closed_at IS NULL)";
    query_scalar(sql).bind(book_id).fetch_one(conn).await
}

/// Whether an auction of the book, open or closed, hides its bidders from other members.
pub async fn book_hides_bidders(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM auctions WHERE book_id = $1 AND bidder_visibility <> 'VISIBLE')";
    query_scalar(sql).bind(book_id).fetch_one(conn).await
}

/// Whether the user is a member of an auction of the book that is not closed.
pub async fn is_in_open_auction_of_book(
    conn: &mut Connection,
    book_id: BookId,
    user_id: UserId,
) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (
        SELECT 1 FROM auctions a JOIN members m ON m.auction_id = a.id
        WHERE a.book_id = $1 AND a.closed_at IS NULL AND m.user_id = $2)";
    query_scalar(sql).bind(book_id).bind(user_id).fetch_one(conn).await
}

/// The users, among these, who are holders of the book (true), or are members of an auction of the book or of
/// one that its keeper manages. A user who has left the book is reached by no keeper.
pub async fn reached_by_keeper(
    conn: &mut Connection,
    book_id: BookId,
    keeper: UserId,
    users: &[UserId],
) -> Result<HashMap<UserId, bool>, DbError> {
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<(UserId, bool)> = query(for_each_row!(
        "SELECT given.user_id, h.user_id IS NOT NULL FROM",
        [user_id id],
        "LEFT JOIN book_holders h ON h.book_id = $2 AND h.user_id = given.user_id
         WHERE h.left_at IS NULL AND (h.user_id IS NOT NULL OR EXISTS (
             SELECT 1 FROM members m JOIN members k ON k.auction_id = m.auction_id AND k.user_id = $3
                 JOIN auctions a ON a.id = m.auction_id
             WHERE m.user_id = given.user_id AND (k.role IN ('OWNER', 'ADMIN') OR a.book_id = $2)))"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(book_id)
    .bind(keeper)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// Whether the book has entries or auctions.
pub async fn book_is_used(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM book_entries WHERE book_id = $1)
             OR EXISTS (SELECT 1 FROM auctions WHERE book_id = $1)",
    )
    .bind(book_id)
    .fetch_one(conn)
    .await
}

/// Whether the user is the OWNER of a book.
pub async fn owns_book(conn: &mut Connection, user_id: UserId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM book_holders WHERE user_id = $1 AND role = 'OWNER')";
    query_scalar(sql).bind(user_id).fetch_one(conn).await
}

//! The auctions of a book or a group that a user may see.

use crate::ids::{AuctionId, BookId, GroupId, UserId};
use platform::db::{Connection, DbError, query};

/// The newest auctions whose column is `$1`, with their names, as far as the user `$2` may see them.
macro_rules! seen {
    ($column:literal) => {
        concat!(
            "SELECT a.id, a.name FROM auctions a
             LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2
             WHERE a.",
            $column,
            " = $1 AND (a.join_mode = 'FREE' OR m.role IS NOT NULL) ORDER BY a.id DESC LIMIT 50"
        )
    };
}

/// The newest auctions of a book that a user may see, with their names.
pub async fn seen_of_book(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<Vec<(AuctionId, String)>, DbError> {
    query(seen!("book_id")).bind(book_id).bind(viewer).fetch_all(conn).await
}

/// The newest auctions of a group that a user may see, with their names.
pub async fn seen_of_group(
    conn: &mut Connection,
    group_id: GroupId,
    viewer: UserId,
) -> Result<Vec<(AuctionId, String)>, DbError> {
    query(seen!("group_id")).bind(group_id).bind(viewer).fetch_all(conn).await
}

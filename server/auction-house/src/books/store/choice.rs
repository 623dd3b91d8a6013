//! A book that is to be an auction's, in SQL.

use crate::base_unit::BaseUnit;
use crate::ids::{BookId, UserId};
use platform::db::{Connection, DbError, query, query_scalar};

/// A book as one user may choose it.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct ChosenBook {
    #[sqlx(flatten)]
    pub base_unit: BaseUnit,
    pub is_closed: bool,
    /// The user is OWNER or TELLER.
    pub is_keeper: bool,
}

pub async fn find(
    conn: &mut Connection,
    book_id: BookId,
    user_id: UserId,
) -> Result<Option<ChosenBook>, DbError> {
    query(
        "SELECT b.base_unit_name, b.base_unit_plural, b.base_unit_symbol, (b.closed_at IS NOT NULL) AS is_closed,
                (h.role IS NOT NULL AND h.role <> 'HOLDER') AS is_keeper
         FROM books b LEFT JOIN book_holders h ON h.book_id = b.id AND h.user_id = $2
         WHERE b.id = $1",
    )
    .bind(book_id)
    .bind(user_id)
    .fetch_optional(conn)
    .await
}

pub async fn is_closed(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    query_scalar("SELECT (closed_at IS NOT NULL) AS is_closed FROM books WHERE id = $1")
        .bind(book_id)
        .fetch_one(conn)
        .await
}

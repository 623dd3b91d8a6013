//! The links of books in SQL.

use crate::books::holders::join::BookLinkTarget;
use crate::ids::BookId;
use platform::db::{Connection, DbError, Transaction, query};
use platform::token::LinkToken;

/// The link of a book.
#[derive(sqlx_macros::FromRow)]
pub struct BookLink {
    #[sqlx(rename = "link_token")]
    pub token: LinkToken,
    pub is_closed: bool,
}

pub async fn of(conn: &mut Connection, book_id: BookId) -> Result<Option<BookLink>, DbError> {
    query("SELECT link_token, closed_at IS NOT NULL AS is_closed FROM books WHERE id = $1")
        .bind(book_id)
        .fetch_optional(conn)
        .await
}

/// The book whose link has this token.
pub async fn target(conn: &mut Connection, token: &str) -> Result<Option<BookLinkTarget>, DbError> {
    query(
        "SELECT b.id, b.name, u.name AS owner_name, b.closed_at IS NOT NULL AS is_closed
         FROM books b JOIN book_holders h ON h.book_id = b.id AND h.role = 'OWNER'
         JOIN users u ON u.id = h.user_id WHERE b.link_token = $1",
    )
    .bind(token)
    .fetch_optional(conn)
    .await
}

pub async fn replace(conn: &mut Transaction, book_id: BookId, token: &LinkToken) -> Result<(), DbError> {
    let sql = "UPDATE books SET link_token = $2 WHERE id = $1";
    query(sql).bind(book_id).bind(token.as_str()).execute(conn).await?;
    Ok(())
}

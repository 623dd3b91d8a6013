//! Books in SQL.

pub mod automatic;
pub mod batch;
pub mod charges;
pub mod choice;
pub mod entries;
pub mod holders;
pub mod links;
pub mod runs;

use rules_engine::money::Normalized;

use super::caps::BookCaps;
use super::share::BookShare;
use super::{Book, BookRole, BookStatus, BookTerms, BookView, BookVisibility, NamedBook};
use crate::base_unit::BaseUnit;
use crate::ids::{BookId, UserId};
use platform::db::{
    self, Connection, DbError, Json, Parsed, Transaction, concatcp, query, query_scalar, table_columns,
};
use platform::time::Moment;
use platform::token::LinkToken;

table_columns! {
    book_columns;
    /// The columns that only an INSERT writes.
    fn inserted(book: &Book) {
        id: book.id,
        link_token: book.link_token.as_str(),
        created_at: book.created_at,
    }
    /// The columns that a change of a book writes.
    fn changed(book: &Book) {
        name: &book.terms.name,
        base_unit_name: &book.terms.base_unit.name,
        base_unit_plural: book.terms.base_unit.plural.as_ref(),
        base_unit_symbol: &book.terms.base_unit.symbol,
        starting_balance: book.terms.starting_balance.to_string(),
        credit_limit: book.terms.credit_limit.to_string(),
        visibility: book.terms.visibility,
        caps: book.terms.caps.as_ref().map(db::json).transpose()?,
        share: book.terms.share.as_ref().map(db::json).transpose()?,
        closed_at: book.closed_at,
        version: book.version,
        updated_at: book.updated_at,
    }
}

/// Reads a [`BookRow`] from the book `b` and the membership `h` of its viewer.
const SELECT_BOOKS: &str = concat!(
    "SELECT ",
    book_columns!("b."),
    ", h.user_id, h.role FROM book_holders h JOIN books b ON b.id = h.book_id AND h.left_at IS NULL "
);

#[derive(sqlx_macros::FromRow)]
struct BookRow {
    id: BookId,
    name: String,
    #[sqlx(flatten)]
    base_unit: BaseUnit,
    starting_balance: Parsed<Normalized>,
    credit_limit: Parsed<Normalized>,
    visibility: BookVisibility,
    link_token: LinkToken,
    caps: Option<Json<BookCaps>>,
    share: Option<Json<BookShare>>,
    closed_at: Option<Moment>,
    version: i64,
    created_at: Moment,
    updated_at: Moment,
    user_id: UserId,
    role: BookRole,
}

impl From<BookRow> for BookView {
    fn from(row: BookRow) -> Self {
        let terms = BookTerms {
            name: row.name,
            base_unit: row.base_unit,
            starting_balance: row.starting_balance.0,
            credit_limit: row.credit_limit.0,
            visibility: row.visibility,
            caps: row.caps.map(|caps| caps.0),
            share: row.share.map(|share| share.0),
            status: if row.closed_at.is_some() { BookStatus::Closed } else { BookStatus::Open },
        };
        let book = Book {
            id: row.id,
            terms,
            link_token: row.link_token,
            closed_at: row.closed_at,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
        };
        Self { book, viewer: row.user_id, role: row.role, hides_bidders: false }
    }
}

/// A book with the role of one of its holders.
pub async fn find(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<Option<BookView>, DbError> {
    let row: Option<BookRow> = query(concatcp!(SELECT_BOOKS, "WHERE b.id = $1 AND h.user_id = $2"))
        .bind(book_id)
        .bind(viewer)
        .fetch_optional(conn)
        .await?;
    Ok(row.map(BookView::from))
}

/// Up to `limit` books in which the user is a holder, newest first, older than `before`.
pub async fn list(
    conn: &mut Connection,
    user: UserId,
    before: Option<BookId>,
    limit: i64,
) -> Result<Vec<BookView>, DbError> {
    let rows: Vec<BookRow> = query(concatcp!(
        SELECT_BOOKS,
        "WHERE h.user_id = $1 AND ($2 IS NULL OR b.id < $2) ORDER BY b.id DESC LIMIT $3"
    ))
    .bind(user)
    .bind(before)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(BookView::from).collect())
}

/// The name of a book, and its unit.
pub async fn named(conn: &mut Connection, book_id: BookId) -> Result<NamedBook, DbError> {
    let sql = "SELECT name, base_unit_name, base_unit_plural, base_unit_symbol FROM books WHERE id = $1";
    let found = query(sql).bind(book_id).fetch_optional(conn).await?;
    found.ok_or_else(|| DbError::Corrupt(format!("no book `{book_id}`")))
}

pub async fn name(conn: &mut Connection, book_id: BookId) -> Result<String, DbError> {
    query_scalar("SELECT name FROM books WHERE id = $1").bind(book_id).fetch_one(conn).await
}

/// What a new holder gets in an open book, if that is anything.
pub async fn grant(conn: &mut Connection, book_id: BookId) -> Result<Option<Normalized>, DbError> {
    let sql = "SELECT starting_balance FROM books WHERE id = $1 AND closed_at IS NULL";
    let found: Option<Parsed<Normalized>> = query_scalar(sql).bind(book_id).fetch_optional(conn).await?;
    Ok(found.map(|Parsed(grant)| grant).filter(|grant| *grant > Normalized::ZERO))
}

/// The open books that the user keeps, by name.
pub async fn kept(conn: &mut Connection, user: UserId) -> Result<Vec<(BookId, String)>, DbError> {
    query(
        "SELECT b.id, b.name FROM book_holders h JOIN books b ON b.id = h.book_id
         WHERE h.user_id = $1 AND h.role <> 'HOLDER' AND h.left_at IS NULL AND b.closed_at IS NULL ORDER BY b.name, b.id LIMIT 200",
    )
    .bind(user)
    .fetch_all(conn)
    .await
}

/// Whether the user is the OWNER of `count` books or more.
pub async fn owns(conn: &mut Connection, user: UserId, count: i64) -> Result<bool, DbError> {
    let sql = "SELECT COUNT(*) >= $2 FROM
        (SELECT 1 FROM book_holders WHERE user_id = $1 AND role = 'OWNER' LIMIT $2) AS owned";
    query_scalar(sql).bind(user).bind(count).fetch_one(conn).await
}

pub async fn insert(conn: &mut Transaction, book: &Book) -> Result<(), DbError> {
    let mut columns = inserted(book)?;
    columns.extend(changed(book)?);
    db::insert(conn, "books", columns).await
}

pub async fn update(conn: &mut Transaction, book: &Book) -> Result<(), DbError> {
    db::update(conn, "books", book.id, changed(book)?).await
}

/// Removes a book without entries, with its holders.
pub async fn delete(conn: &mut Transaction, book_id: BookId) -> Result<(), DbError> {
    query("DELETE FROM books WHERE id = $1").bind(book_id).execute(conn).await?;
    Ok(())
}

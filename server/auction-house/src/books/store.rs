//! Books in SQL.

pub mod batch;
pub mod choice;
pub mod entries;
pub mod holders;

use super::{Book, BookRole, BookStatus, BookTerms, BookView, BookVisibility};
use crate::base_unit::BaseUnit;
use crate::ids::{BookId, UserId};
use platform::db::{self, Columns, Connection, DbError, Transaction, columns, query, query_scalar, stored};
use platform::time::Moment;

/// The columns of a [`BookRow`] from the book `b` and the membership `h` of its viewer.
macro_rules! select_books {
    () => {
        "SELECT b.id, b.name, b.base_unit_name, b.base_unit_symbol, b.starting_balance, b.credit_limit, b.visibility,
                b.closed_at, b.version, b.created_at, b.updated_at, h.role
         FROM book_holders h JOIN books b ON b.id = h.book_id "
    };
}

#[derive(sqlx_macros::FromRow)]
struct BookRow {
    id: BookId,
    name: String,
    base_unit_name: String,
    base_unit_symbol: String,
    starting_balance: String,
    credit_limit: String,
    visibility: String,
    closed_at: Option<Moment>,
    version: i64,
    created_at: Moment,
    updated_at: Moment,
    role: String,
}

impl BookRow {
    fn read(self, viewer: UserId) -> Result<BookView, DbError> {
        let corrupt = |what: &str| DbError::Corrupt(format!("book `{}` with a strange {what}", self.id));
        let terms = BookTerms {
            visibility: BookVisibility::named(&self.visibility).ok_or_else(|| corrupt("visibility"))?,
            starting_balance: stored("starting_balance", &self.starting_balance)?,
            credit_limit: stored("credit_limit", &self.credit_limit)?,
            status: if self.closed_at.is_some() { BookStatus::Closed } else { BookStatus::Open },
            name: self.name,
            base_unit: BaseUnit { name: self.base_unit_name, symbol: self.base_unit_symbol },
        };
        let book = Book {
            id: self.id,
            terms,
            closed_at: self.closed_at,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
        };
        Ok(BookView { book, viewer, role: read_role(&self.role)? })
    }
}

/// A role as a row holds it.
pub(super) fn read_role(name: &str) -> Result<BookRole, DbError> {
    BookRole::named(name).ok_or_else(|| DbError::Corrupt(format!("the role `{name}` in a book")))
}

/// A book with the role of one of its holders.
pub async fn find(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<Option<BookView>, DbError> {
    let row: Option<BookRow> = query(concat!(select_books!(), "WHERE b.id = $1 AND h.user_id = $2"))
        .bind(book_id)
        .bind(viewer)
        .fetch_optional(conn)
        .await?;
    row.map(|row| row.read(viewer)).transpose()
}

/// Up to `limit` books in which the user is a holder, newest first, older than `before`.
pub async fn list(
    conn: &mut Connection,
    user: UserId,
    before: Option<BookId>,
    limit: i64,
) -> Result<Vec<BookView>, DbError> {
    let rows: Vec<BookRow> = query(concat!(
        select_books!(),
        "WHERE h.user_id = $1 AND ($2 IS NULL OR b.id < $2) ORDER BY b.id DESC LIMIT $3"
    ))
    .bind(user)
    .bind(before)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| row.read(user)).collect()
}

pub async fn name(conn: &mut Connection, book_id: BookId) -> Result<String, DbError> {
    query_scalar("SELECT name FROM books WHERE id = $1").bind(book_id).fetch_one(conn).await
}

/// The open books that the user keeps, by name.
pub async fn kept(conn: &mut Connection, user: UserId) -> Result<Vec<(BookId, String)>, DbError> {
    query(
        "SELECT b.id, b.name FROM book_holders h JOIN books b ON b.id = h.book_id
         WHERE h.user_id = $1 AND h.role <> 'HOLDER' AND b.closed_at IS NULL ORDER BY b.name, b.id LIMIT 200",
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

/// The columns that a change of a book writes.
fn changing(book: &Book) -> Columns {
    let terms = &book.terms;
    columns! {
        name: &terms.name,
        base_unit_name: &terms.base_unit.name,
        base_unit_symbol: &terms.base_unit.symbol,
        starting_balance: terms.starting_balance.to_string(),
        credit_limit: terms.credit_limit.to_string(),
        visibility: terms.visibility.as_str(),
        closed_at: book.closed_at,
        version: book.version,
        updated_at: book.updated_at,
    }
}

pub async fn insert(conn: &mut Transaction, book: &Book) -> Result<(), DbError> {
    let mut columns = columns! { id: book.id, created_at: book.created_at };
    columns.extend(changing(book));
    db::insert(conn, "books", columns).await
}

pub async fn update(conn: &mut Transaction, book: &Book) -> Result<(), DbError> {
    db::update(conn, "books", book.id, changing(book)).await
}

/// Removes a book without entries, with its holders.
pub async fn delete(conn: &mut Transaction, book_id: BookId) -> Result<(), DbError> {
    query("DELETE FROM books WHERE id = $1").bind(book_id).execute(conn).await?;
    Ok(())
}

//! Holders in SQL.

use std::collections::HashSet;

use rules_engine::money::Normalized;

use crate::books::{BookRole, Holder};
use crate::ids::{BookId, UserId};
use accounts::Person;
use platform::db::{
    Connection, DbError, Parsed, Transaction, concatcp, for_each_row, query, query_scalar, rows,
};
use platform::time::Moment;

/// The columns of a [`HolderRow`] from the holder `h` and the user `u`.
const COLUMNS: &str = "h.user_id, u.name, h.role,
         (SELECT e.balance FROM book_entries e WHERE e.book_id = h.book_id AND e.holder_id = h.user_id
          ORDER BY e.sequence DESC LIMIT 1) AS balance ";

#[derive(sqlx_macros::FromRow)]
struct HolderRow {
    user_id: UserId,
    name: String,
    role: BookRole,
    balance: Option<Parsed<Normalized>>,
}

impl From<HolderRow> for Holder {
    fn from(row: HolderRow) -> Self {
        let person = Person { id: row.user_id, name: row.name };
        Self { person, role: row.role, balance: row.balance.map(|balance| balance.0).unwrap_or_default() }
    }
}

/// Ends the part of a user in a book. The entries stay.
pub async fn leave(
    conn: &mut Transaction,
    book_id: BookId,
    user_id: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query("UPDATE book_holders SET left_at = $3, role = 'HOLDER' WHERE book_id = $1 AND user_id = $2")
        .bind(book_id)
        .bind(user_id)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the user was none before.
pub async fn insert(
    conn: &mut Transaction,
    book_id: BookId,
    user_id: UserId,
    role: BookRole,
    now: Moment,
) -> Result<bool, DbError> {
    let inserted = query(
        "INSERT INTO book_holders (book_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (book_id, user_id) DO NOTHING",
    )
    .bind(book_id)
    .bind(user_id)
    .bind(role)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(inserted == 1)
}

/// Makes `heir` the owner of the books that a user owns. The user stays a HOLDER everywhere.
pub async fn hand_over(
    conn: &mut Transaction,
    user: UserId,
    heir: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO book_holders (book_id, user_id, role, joined_at)
         SELECT book_id, $2, 'OWNER', $3 FROM book_holders WHERE user_id = $1 AND role = 'OWNER'
         ON CONFLICT (book_id, user_id) DO UPDATE SET role = 'OWNER', left_at = NULL",
    )
    .bind(user)
    .bind(heir)
    .bind(now)
    .execute(&mut *conn)
    .await?;
    let sql = "UPDATE book_holders SET role = 'HOLDER' WHERE user_id = $1 AND role <> 'HOLDER'";
    query(sql).bind(user).execute(conn).await?;
    Ok(())
}

/// Users who have left the book.
pub async fn left(conn: &mut Connection, book_id: BookId) -> Result<HashSet<UserId>, DbError> {
    let sql = "SELECT user_id FROM book_holders WHERE book_id = $1 AND left_at IS NOT NULL";
    let found: Vec<UserId> = query_scalar(sql).bind(book_id).fetch_all(conn).await?;
    Ok(found.into_iter().collect())
}

pub async fn set_role(
    conn: &mut Transaction,
    book_id: BookId,
    user_id: UserId,
    role: BookRole,
) -> Result<(), DbError> {
    query("UPDATE book_holders SET role = $3 WHERE book_id = $1 AND user_id = $2")
        .bind(book_id)
        .bind(user_id)
        .bind(role)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn find(
    conn: &mut Connection,
    book_id: BookId,
    user_id: UserId,
) -> Result<Option<Holder>, DbError> {
    let row: Option<HolderRow> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        "FROM book_holders h JOIN users u ON u.id = h.user_id
         WHERE h.book_id = $1 AND h.user_id = $2 AND h.left_at IS NULL"
    ))
    .bind(book_id)
    .bind(user_id)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Holder::from))
}

/// The users, among these, who have left the book.
pub async fn left_among(
    conn: &mut Connection,
    book_id: BookId,
    users: &[UserId],
) -> Result<HashSet<UserId>, DbError> {
    let found: Vec<UserId> = query_scalar(for_each_row!(
        "SELECT h.user_id FROM",
        [user_id id],
        "CROSS JOIN book_holders h
         WHERE h.user_id = given.user_id AND h.book_id = $2 AND h.left_at IS NOT NULL"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// The holders who can be granted something: those whose accounts were not deleted.
pub async fn all(conn: &mut Connection, book_id: BookId) -> Result<Vec<UserId>, DbError> {
    query_scalar(
        "SELECT h.user_id FROM book_holders h JOIN users u ON u.id = h.user_id
         WHERE h.book_id = $1 AND h.left_at IS NULL AND u.erased_at IS NULL ORDER BY h.user_id",
    )
    .bind(book_id)
    .fetch_all(conn)
    .await
}

/// A holder with the balance.
#[derive(Debug, Clone)]
pub struct Has {
    pub person: Person,
    pub balance: Normalized,
}

/// The holders who can be granted something, with what they have, in the order in which they have joined.
pub async fn having(conn: &mut Connection, book_id: BookId) -> Result<Vec<Has>, DbError> {
    let found: Vec<HolderRow> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        "FROM book_holders h JOIN users u ON u.id = h.user_id
         WHERE h.book_id = $1 AND h.left_at IS NULL AND u.erased_at IS NULL ORDER BY h.joined_at, h.user_id"
    ))
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    let has = |row: HolderRow| {
        let Holder { person, balance, .. } = row.into();
        Has { person, balance }
    };
    Ok(found.into_iter().map(has).collect())
}

/// Up to `limit` holders by id, after the one with the id `after`.
pub async fn list(
    conn: &mut Connection,
    book_id: BookId,
    after: Option<UserId>,
    limit: i64,
) -> Result<Vec<Holder>, DbError> {
    let rows: Vec<HolderRow> = query(concatcp!(
        "SELECT ",
        COLUMNS,
        "FROM book_holders h JOIN users u ON u.id = h.user_id
         WHERE h.book_id = $1 AND h.left_at IS NULL AND ($2 IS NULL OR h.user_id > $2)
         ORDER BY h.user_id LIMIT $3"
    ))
    .bind(book_id)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Holder::from).collect())
}

/// The names of the holders by id, after the one with the id `after`.
pub async fn names(
    conn: &mut Connection,
    book_id: BookId,
    after: Option<UserId>,
) -> Result<Vec<(UserId, String)>, DbError> {
    query(
        "SELECT h.user_id, u.name FROM book_holders h JOIN users u ON u.id = h.user_id
         WHERE h.book_id = $1 AND h.left_at IS NULL AND ($2 IS NULL OR h.user_id > $2) ORDER BY h.user_id",
    )
    .bind(book_id)
    .bind(after)
    .fetch_all(conn)
    .await
}

/// The users, among these, who are holders.
pub async fn among(conn: &mut Connection, book_id: BookId, users: &[UserId]) -> Result<Vec<Holder>, DbError> {
    let found: Vec<HolderRow> = query(for_each_row!(
        concatcp!("SELECT ", COLUMNS, "FROM"),
        [user_id id],
        // SQLite reads these users first, not all holders of the book.
        "CROSS JOIN book_holders h JOIN users u ON u.id = h.user_id
         WHERE h.user_id = given.user_id AND h.book_id = $2 AND h.left_at IS NULL"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(Holder::from).collect())
}

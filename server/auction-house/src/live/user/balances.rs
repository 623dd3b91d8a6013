//! What users have in their books, as their streams have delivered it.

use std::collections::HashMap;

use super::feed::UserEvent;
use crate::books::funds::{self, Funds};
use crate::books::store::batch as store;
use crate::ids::{BookId, UserId};
use crate::members::document::BalanceDocument;
use crate::usage::Commitments;
use platform::db::{Connection, DbError};
use platform::http::sse;

/// The books of one user, each with the revision at which it was read.
pub type Balances = HashMap<BookId, (i64, Funds)>;

/// What one user has in all books.
pub async fn of_user(conn: &mut Connection, user: UserId) -> Result<Balances, DbError> {
    // The revisions come first: what changes after them is read again.
    let revisions = store::revisions(conn, &[user]).await?;
    let books: Vec<BookId> = revisions.iter().map(|(_, book_id, _)| *book_id).collect();
    let mut funds = funds::of_books(conn, &books, user).await?;
    let balance = |(_, book_id, revision)| Some((book_id, (revision, funds.remove(&book_id)?)));
    Ok(revisions.into_iter().filter_map(balance).collect())
}

/// What is different from `known`, which has an entry for each of these users: a book is read again if its
/// revision has changed.
pub async fn changes(
    conn: &mut Connection,
    known: &HashMap<UserId, Balances>,
) -> Result<Vec<(UserId, BookId, i64, Funds)>, DbError> {
    let users: Vec<UserId> = known.keys().copied().collect();
    let mut changed: HashMap<(BookId, i64), Vec<UserId>> = HashMap::new();
    for (user, book_id, revision) in store::revisions(conn, &users).await? {
        let had = known.get(&user).and_then(|balances| balances.get(&book_id));
        if had.is_none_or(|(had, _)| *had != revision) {
            changed.entry((book_id, revision)).or_default().push(user);
        }
    }
    let mut changes = Vec::new();
    for ((book_id, revision), users) in changed {
        let funds = funds::of_all(conn, book_id, &users, Commitments::All).await?.into_iter();
        changes.extend(funds.map(|(user, funds)| (user, book_id, revision, funds)));
    }
    Ok(changes)
}

impl UserEvent {
    pub fn of_balance(user: UserId, book_id: BookId, funds: &Funds) -> Result<Self, DbError> {
        let event = sse::event("balance", None, &BalanceDocument::of(book_id, funds));
        let text = event.map_err(|error| DbError::Corrupt(error.to_string()))?;
        Ok(Self { user, id: None, text: text.into() })
    }
}

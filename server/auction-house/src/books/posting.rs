//! Appends entries in a transaction outside of the bid queue.

use super::state::{BookChanges, BookState};
use super::store::batch as store;
use crate::ids::{BookId, UserId};
use crate::locks;
use platform::db::{DbError, Transaction, WriteBatch};
use platform::time::Moment;

/// A book that a transaction has locked, with what some users have in it.
#[derive(Debug)]
pub struct Posting {
    id: BookId,
    pub book: BookState,
}

impl Posting {
    /// Locks the book, after the auctions of the transaction, and reads what these users have. Their commitments are not
    /// read.
    pub async fn begin(
        db: &mut Transaction,
        id: BookId,
        users: impl IntoIterator<Item = UserId>,
    ) -> Result<Self, DbError> {
        locks::lock_book(db, id).await?;
        let terms = store::read(db, &[id]).await?.remove(&id);
        let terms = terms.ok_or_else(|| DbError::Corrupt(format!("no book `{id}`")))?;
        let mut book = BookState::new(terms, []);
        let users: Vec<(BookId, UserId)> = users.into_iter().map(|user| (id, user)).collect();
        let balances = store::balances(db, &users).await?;
        for (_, user) in users {
            book.learn(user, balances.get(&(id, user)).copied());
        }
        Ok(Self { id, book })
    }

    /// Writes what has changed.
    pub async fn write(mut self, db: &mut Transaction, now: Moment) -> Result<(), DbError> {
        let Some(changes) = self.book.take_changes()? else { return Ok(()) };
        let mut writes = WriteBatch::default();
        write(&mut writes, self.id, &changes, now);
        db.run(writes).await
    }
}

/// Adds the writes of the changes of a book.
pub fn write(writes: &mut WriteBatch, id: BookId, changes: &BookChanges, now: Moment) {
    store::raise_revisions(writes, [(id, changes.last_sequence)].into_iter());
    store::insert_holders(writes, changes.joined.iter().map(|user| (id, *user)), now);
    store::append(writes, id, &changes.entries, now);
}

/// Makes users holders of a book, each with the starting balance. Holders keep what they have.
pub async fn join(
    db: &mut Transaction,
    id: BookId,
    users: impl IntoIterator<Item = UserId>,
    now: Moment,
) -> Result<(), DbError> {
    let users: Vec<UserId> = users.into_iter().collect();
    let mut posting = Posting::begin(db, id, users.iter().copied()).await?;
    users.into_iter().for_each(|user| posting.book.join(user));
    posting.write(db, now).await
}

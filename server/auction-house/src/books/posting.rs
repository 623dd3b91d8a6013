//! Appends entries in a transaction: the one place that writes them. The bid queue adds them to the writes of
//! its batch.

use std::collections::BTreeSet;

use super::state::{BookChanges, BookState};
use super::store::automatic;
use super::store::batch as store;
use super::store::batch::PostedEntry;
use crate::ids::{BookId, UserId};
use crate::locks;
use platform::db::{DbError, Transaction, WriteBatch};
use platform::ids::{Id, Uuid};
use platform::time::Moment;
use platform::verb::VerbError;

/// Holders of one book, at most.
pub const HOLDERS_MAX: i64 = 10_000;

/// Sequences of the entries of one request. An idempotency key remembers both as one id. Without entries the
/// first is above the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryRange {
    pub first: i64,
    pub last: i64,
}

impl EntryRange {
    const EMPTY: Self = Self { first: i64::MAX, last: 0 };
}

impl Id for EntryRange {
    fn of(uuid: Uuid) -> Self {
        let (first, last) = uuid.as_u64_pair();
        Self { first: first.cast_signed(), last: last.cast_signed() }
    }

    fn uuid(self) -> Uuid {
        Uuid::from_u64_pair(self.first.cast_unsigned(), self.last.cast_unsigned())
    }
}

/// Entries that a transaction has appended.
#[derive(Debug)]
pub struct Posted {
    pub range: EntryRange,
    pub entries: Vec<PostedEntry>,
}

impl Posted {
    const NOTHING: Self = Self { range: EntryRange::EMPTY, entries: Vec::new() };
}

/// A book that a transaction has locked, with what some users have in it.
#[derive(Debug)]
pub struct Posting {
    id: BookId,
    pub book: BookState,
}

impl Posting {
    /// Locks the book, after the auctions of the transaction, and reads what these users have. Their
    /// commitments are not read.
    pub async fn begin(
        db: &mut Transaction,
        id: BookId,
        users: impl IntoIterator<Item = UserId>,
    ) -> Result<Self, DbError> {
        locks::lock_book(db, id).await?;
        Self::locked(db, id, users).await
    }

    /// Reads what these users have in a book that the transaction has locked.
    pub async fn locked(
        db: &mut Transaction,
        id: BookId,
        users: impl IntoIterator<Item = UserId>,
    ) -> Result<Self, DbError> {
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

    /// Makes users holders again who had left: by their own act.
    pub async fn rejoin(&self, db: &mut Transaction, users: &BTreeSet<UserId>) -> Result<(), DbError> {
        let mut writes = WriteBatch::default();
        store::rejoin(&mut writes, users.iter().map(|user| (self.id, *user)));
        db.run(writes).await
    }

    /// Makes users holders, each with the starting balance. Holders keep what they have, and those who have
    /// left stay away. Their balances were read.
    pub async fn join(&mut self, db: &mut Transaction, users: BTreeSet<UserId>) -> Result<(), JoinError> {
        let joining = users.iter().filter(|user| !self.book.is_holder(**user)).count();
        let joining = i64::try_from(joining).unwrap_or(i64::MAX);
        if joining > 0 && store::holders(db, self.id).await?.saturating_add(joining) > HOLDERS_MAX {
            return Err(JoinError::NoRoom);
        }
        users.into_iter().for_each(|user| self.book.join(user));
        Ok(())
    }

    /// Writes what has changed, and returns the entries.
    pub async fn write(mut self, db: &mut Transaction, now: Moment) -> Result<Posted, DbError> {
        write_changes(db, self.id, self.book.take_changes()?, now).await
    }
}

/// Writes what has changed in a book, if anything has, and returns the entries.
pub async fn write_changes(
    db: &mut Transaction,
    id: BookId,
    changes: Option<BookChanges>,
    now: Moment,
) -> Result<Posted, DbError> {
    let Some(changes) = changes else { return Ok(Posted::NOTHING) };
    let mut writes = WriteBatch::default();
    write(&mut writes, id, &changes, now)?;
    db.run(writes).await?;
    let first = changes.entries.first().map_or(EntryRange::EMPTY.first, |entry| entry.sequence);
    let range = EntryRange { first, last: changes.last_sequence };
    Ok(Posted { range, entries: changes.entries })
}

/// Adds the writes of the changes of a book.
pub fn write(writes: &mut WriteBatch, id: BookId, changes: &BookChanges, now: Moment) -> Result<(), DbError> {
    store::raise_revisions(writes, [(id, changes.last_sequence)].into_iter());
    store::insert_holders(writes, changes.joined.iter().map(|user| (id, *user)), now);
    store::append(writes, id, &changes.entries, now);
    automatic::write(writes, id, &changes.shares, now)
}

/// Why users do not become holders.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    #[error("a book has at most 10,000 holders")]
    NoRoom,
    #[error(transparent)]
    Db(#[from] DbError),
}

impl JoinError {
    /// The error of a verb that refuses it for this reason.
    pub fn or<R>(self, no_room: R) -> VerbError<R> {
        match self {
            Self::NoRoom => VerbError::Refused(no_room),
            Self::Db(error) => error.into(),
        }
    }
}

/// Makes users holders of a book by an act of others, each with the starting balance. Holders keep what they
/// have, and those who have left stay away until they return by themselves.
pub async fn admit(
    db: &mut Transaction,
    id: BookId,
    users: impl IntoIterator<Item = UserId>,
    now: Moment,
) -> Result<(), JoinError> {
    let users: BTreeSet<UserId> = users.into_iter().collect();
    let mut posting = Posting::begin(db, id, users.iter().copied()).await?;
    posting.join(db, users).await?;
    posting.write(db, now).await?;
    Ok(())
}

/// Makes users holders of a book by their own act, each with the starting balance. Holders, and those who had
/// left, keep what they have.
pub async fn join(
    db: &mut Transaction,
    id: BookId,
    users: impl IntoIterator<Item = UserId>,
    now: Moment,
) -> Result<(), JoinError> {
    let users: BTreeSet<UserId> = users.into_iter().collect();
    let mut posting = Posting::begin(db, id, users.iter().copied()).await?;
    posting.rejoin(db, &users).await?;
    posting.join(db, users).await?;
    posting.write(db, now).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_keeps_both_sequences() {
        for (first, last) in [(1, 1), (7, 5_006), (i64::MAX - 1, i64::MAX)] {
            let range = EntryRange { first, last };
            assert_eq!(EntryRange::of(range.uuid()), range);
        }
    }
}

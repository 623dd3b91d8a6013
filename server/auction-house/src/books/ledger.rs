//! Appends entries to a book.

use std::collections::HashMap;

use rules_engine::money::Normalized;

use super::amount::SIGNED;
use super::{EntryKind, store};
use crate::ids::{BookId, UserId};
use platform::db::{DbError, Transaction};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// An entry that is to be written.
#[derive(Debug, Clone)]
pub struct NewEntry {
    pub holder: UserId,
    pub amount: Normalized,
    pub kind: EntryKind,
    pub reason: Option<String>,
    /// The sequence of the entry that a REVERSAL reverses.
    pub reverses: Option<i64>,
}

/// Sequences of the entries of one request. An idempotency key remembers both as one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryRange {
    pub first: i64,
    pub last: i64,
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

/// Why no entry was written.
#[derive(Debug)]
pub enum AppendError {
    /// The balance after this entry, counted from 0, would be out of bounds.
    Balance(usize),
    Db(DbError),
}

impl From<DbError> for AppendError {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

/// Writes the entries in this order. The transaction has locked the book.
pub async fn append(
    db: &mut Transaction,
    book_id: BookId,
    entries: &[NewEntry],
    by: Option<UserId>,
    now: Moment,
) -> Result<EntryRange, AppendError> {
    let before = store::last_sequence(db, book_id).await?;
    let mut holders: Vec<_> = entries.iter().map(|entry| (book_id, entry.holder)).collect();
    holders.sort_unstable();
    holders.dedup();
    let found = store::batch::balances(db, &holders).await?;
    let mut balances: HashMap<UserId, Normalized> =
        found.into_iter().map(|((_, holder), balance)| (holder, balance)).collect();
    let mut rows = Vec::with_capacity(entries.len());
    for ((at, entry), sequence) in entries.iter().enumerate().zip(before + 1..) {
        let balance = balances.entry(entry.holder).or_default();
        let after = balance.checked_add(entry.amount).filter(|after| SIGNED.contains(after));
        *balance = after.ok_or(AppendError::Balance(at))?;
        rows.push(store::entries::NewRow { sequence, entry, balance: *balance });
    }
    let last = store::entries::insert(db, book_id, &rows, by, now).await?;
    Ok(EntryRange { first: before + 1, last: last.unwrap_or(before) })
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

//! Entries of runs that are drawn up before their transaction begins, for which bids wait: all that is read,
//! judged and put into words comes from a snapshot, and counts if the book is still the same.

use rules_engine::money::Normalized;

use crate::books::entries::notify::notices;
use crate::books::posting::{self, EntryRange, Posted};
use crate::books::state::{BookChanges, BookState};
use crate::books::store::batch::PostedEntry;
use crate::books::{BookView, store};
use crate::context::Context;
use crate::events::Signal;
use crate::ids::{BookId, UserId};
use crate::notifications::NewNotification;
use platform::db::{Connection, DbError, Transaction};
use platform::time::Moment;

/// What a run is computed from. While it is the same, so is the run. It can't change once a transaction has
/// locked the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Basis {
    pub version: i64,
    pub last_sequence: i64,
    /// The number of the newest run.
    pub last_run: i64,
    pub holders: i64,
    /// Holders who have left.
    pub left_holders: i64,
    pub last_left: Option<Moment>,
    /// Holders who have deleted their account.
    pub erased_holders: i64,
}

/// Entries of one book, with the notifications of their holders.
#[derive(Debug)]
pub struct Draft {
    book_id: BookId,
    basis: Basis,
    /// None without entries: of an import all of whose grants wait.
    changes: Option<BookChanges>,
    notices: Vec<NewNotification>,
}

/// A book at its newest entry, before entries are drawn up.
#[derive(Debug)]
pub struct Opened {
    pub basis: Basis,
    pub book: BookState,
}

impl Opened {
    /// Reads a book whose holders have these balances.
    pub async fn read(
        conn: &mut Connection,
        book_id: BookId,
        balances: impl IntoIterator<Item = (UserId, Normalized)>,
    ) -> Result<Self, DbError> {
        let basis = store::runs::basis(conn, book_id).await?;
        let terms = store::batch::read(conn, &[book_id]).await?.remove(&book_id);
        let terms = terms.ok_or_else(|| DbError::Corrupt(format!("no book `{book_id}`")))?;
        let mut book = BookState::new(terms, []);
        balances.into_iter().for_each(|(user, balance)| book.learn(user, Some(balance)));
        Ok(Self { basis, book })
    }

    /// The number of the next run.
    pub fn next_run(&self) -> i64 {
        self.basis.last_run + 1
    }

    /// The entries that were appended, with the notifications of their holders except `by`.
    pub async fn draft(
        mut self,
        conn: &mut Connection,
        seen: &BookView,
        by: UserId,
        now: Moment,
    ) -> Result<Draft, DbError> {
        let changes = self.book.take_changes()?;
        let entries = changes.as_ref().map_or(&[][..], |changes| &changes.entries);
        let notices = notices(conn, &seen.book, entries, by, now).await?;
        Ok(Draft { book_id: seen.book.id, basis: self.basis, changes, notices })
    }
}

impl Draft {
    pub fn book_id(&self) -> BookId {
        self.book_id
    }

    /// Whether the book, which the transaction has locked, is still the same.
    pub async fn is_current(&self, db: &mut Transaction) -> Result<bool, DbError> {
        Ok(store::runs::basis(db, self.book_id).await? == self.basis)
    }

    /// Writes the entries and the notifications. The signal is to be published after the commit.
    pub async fn write(
        self,
        context: &Context,
        db: &mut Transaction,
        now: Moment,
    ) -> Result<(EntryRange, Signal), DbError> {
        let Posted { range, .. } = posting::write_changes(db, self.book_id, self.changes, now).await?;
        Ok((range, context.notifier.notify(db, &self.notices, now).await?))
    }

    /// Writes the entries alone, and returns them.
    pub async fn write_entries(self, db: &mut Transaction, now: Moment) -> Result<Vec<PostedEntry>, DbError> {
        Ok(posting::write_changes(db, self.book_id, self.changes, now).await?.entries)
    }
}

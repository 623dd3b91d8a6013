//! A book with the bids of a batch in it: what its holders have, and what they have committed.

use std::collections::HashMap;

use rules_engine::money::Normalized;

use crate::books::funds::{Committed, Funds};
use crate::books::store::batch::{BatchBook, BatchEntry, Sale};
use crate::ids::UserId;
use crate::items::bidding::LeadingBid;
use platform::db::DbError;

/// A book as the entries of a batch before have left it.
#[derive(Debug)]
pub struct BookState {
    book: BatchBook,
    /// Of every holder who leads an item without an outcome.
    committed: HashMap<UserId, Committed>,
    /// Of the users that batches have asked for; `None` for a user who is not a holder.
    balances: HashMap<UserId, Option<Normalized>>,
    changes: BookChanges,
}

/// What a batch has changed about a book.
#[derive(Debug, Default)]
pub(super) struct BookChanges {
    /// Another bid leads, or none: the commitments differ.
    commitments: bool,
    pub(super) joined: Vec<UserId>,
    pub(super) entries: Vec<BatchEntry>,
    pub(super) last_sequence: i64,
    /// A user whose balance was changed and not read.
    unread: Option<UserId>,
}

impl BookState {
    /// A book without changes of a batch, with the bids that lead items without an outcome.
    pub(super) fn new(book: BatchBook, leading: impl IntoIterator<Item = (UserId, Normalized)>) -> Self {
        let mut committed: HashMap<UserId, Committed> = HashMap::new();
        for (bidder, bid) in leading {
            committed.entry(bidder).or_default().add(bid);
        }
        Self { book, committed, balances: HashMap::new(), changes: BookChanges::default() }
    }

    pub(super) fn revision(&self) -> i64 {
        self.book.revision
    }

    /// How many balances are cached.
    pub(super) fn len(&self) -> usize {
        self.balances.len() + self.committed.len()
    }

    pub(super) fn knows(&self, user: UserId) -> bool {
        self.balances.contains_key(&user)
    }

    /// Takes note of a balance that was read; `None` for a user who is not a holder.
    pub(super) fn learn(&mut self, user: UserId, balance: Option<Normalized>) {
        self.balances.insert(user, balance);
    }

    /// What a user has. A user who is not a holder yet becomes one with the first bid, and has the starting balance.
    ///
    /// # Errors
    /// `Corrupt` for a user whose balance was not read.
    pub(super) fn funds(&self, user: UserId) -> Result<Funds, DbError> {
        let balance = self.balances.get(&user).ok_or_else(|| unread(user))?;
        Ok(Funds {
            balance: balance.unwrap_or(self.starting_balance()),
            credit_limit: self.book.credit_limit,
            committed: self.committed.get(&user).copied().unwrap_or_default(),
        })
    }

    /// What a user has available for an item with this leading bid.
    pub(super) fn available_for(
        &self,
        user: UserId,
        leading: Option<LeadingBid>,
    ) -> Result<Normalized, DbError> {
        let own = leading.filter(|leading| leading.bidder_id == user).map(|leading| leading.normalized);
        Ok(self.funds(user)?.available_for(own))
    }

    /// Commits an accepted bid, in place of the bid that led before. Its bidder becomes a holder.
    pub(super) fn place(&mut self, had: Option<LeadingBid>, bid: LeadingBid) {
        self.lead(had, Some(bid));
        self.join(bid.bidder_id);
    }

    /// Replaces the bid that leads an item.
    pub(super) fn lead(&mut self, had: Option<LeadingBid>, has: Option<LeadingBid>) {
        self.changes.commitments = true;
        if let Some(had) = had {
            self.committed.entry(had.bidder_id).or_default().remove(had.normalized);
        }
        if let Some(has) = has {
            self.committed.entry(has.bidder_id).or_default().add(has.normalized);
        }
    }

    /// Ends the commitment of an item that is closed, and charges its winner if it is sold.
    pub(super) fn close(&mut self, leading: Option<LeadingBid>, sale: Option<Sale>) {
        let Some(leading) = leading else { return };
        self.lead(Some(leading), None);
        if let (Some(sale), Some(charge)) = (sale, Normalized::ZERO.checked_sub(leading.normalized)) {
            self.join(leading.bidder_id);
            self.append(leading.bidder_id, charge, Some(sale));
        }
    }

    fn join(&mut self, user: UserId) {
        match self.balances.get(&user) {
            Some(Some(_)) => return,
            Some(None) => {}
            None => self.changes.unread = Some(user),
        }
        self.changes.joined.push(user);
        self.balances.insert(user, Some(Normalized::ZERO));
        let starting = self.starting_balance();
        if starting > Normalized::ZERO {
            self.append(user, starting, None);
        }
    }

    fn append(&mut self, holder_id: UserId, amount: Normalized, sale: Option<Sale>) {
        let had = self.balances.get(&holder_id).copied().flatten().unwrap_or_default();
        // A balance of 10^18 takes a thousand entries of the greatest amount.
        let balance = had.checked_add(amount).unwrap_or(had);
        self.book.last_sequence += 1;
        self.balances.insert(holder_id, Some(balance));
        self.changes.entries.push(BatchEntry {
            sequence: self.book.last_sequence,
            holder_id,
            amount,
            balance,
            sale,
        });
    }

    /// A GRANT on joining is above zero.
    fn starting_balance(&self) -> Normalized {
        self.book.starting_balance.max(Normalized::ZERO)
    }

    /// What the batch has changed, if anything. The next batch begins without changes, and with the next revision.
    ///
    /// # Errors
    /// `Corrupt` if a balance was changed that was not read.
    pub(super) fn take_changes(&mut self) -> Result<Option<BookChanges>, DbError> {
        let changes = std::mem::take(&mut self.changes);
        if let Some(user) = changes.unread {
            return Err(unread(user));
        }
        // Whoever joins has placed a bid, and an entry is a bid that leads no more.
        Ok(changes.commitments.then(|| {
            self.book.revision += 1;
            BookChanges { last_sequence: self.book.last_sequence, ..changes }
        }))
    }
}

fn unread(user: UserId) -> DbError {
    DbError::Corrupt(format!("no balance was read for user `{user}`"))
}

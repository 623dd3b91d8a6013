//! A book while a transaction changes it: what its holders have, what they have committed, and the entries to
//! be appended.
//!
//! What is committed is never stored. It is the sum of the standing bids that lead items without an outcome,
//! in all auctions of the book: the bid queue adds it up when it first reads the book, and follows it from
//! then on.

use std::collections::{BTreeSet, HashMap};

use rules_engine::money::Normalized;

use super::Entry;
use super::amount::SIGNED;
use super::funds::{Committed, Funds};
use super::runs::automatic::{SharesToWrite, Sharing, TakenBack};
pub use super::store::batch::RunEntry;
use super::store::batch::{Automatic, BatchBook, EntryCause, PostedEntry, Sale};
use super::store::charges::Charge;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::notifications::NewNotification;
use platform::db::DbError;

/// Entries of a transaction after which no further item is closed whose price is shared.
const SHARED_MAX: usize = 5_000;

/// A bid that leads an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commitment {
    pub holder_id: UserId,
    pub amount: Normalized,
}

/// A GRANT, or an entry of a run, that is taken back.
#[derive(Debug, Clone, Copy)]
pub struct Reversible {
    pub sequence: i64,
    pub holder_id: UserId,
    pub amount: Normalized,
    pub run: Option<i64>,
}

impl From<&Entry> for Reversible {
    fn from(entry: &Entry) -> Self {
        let Entry { sequence, holder, amount, run, .. } = entry;
        Self { sequence: *sequence, holder_id: holder.id, amount: *amount, run: *run }
    }
}

/// The balance would be beyond 10^15.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfBounds;

/// A book, with the changes so far.
#[derive(Debug)]
pub struct BookState {
    book: BatchBook,
    /// Commitments by holder, of holders who lead an item that has no outcome.
    committed: HashMap<UserId, Committed>,
    /// Balances of the users that batches have needed; `None` for a user who is not a holder.
    balances: HashMap<UserId, Option<Normalized>>,
    /// How many more users can become holders; unknown outside of the bid queue.
    room: Option<i64>,
    /// What shares of this transaction depend on, if it may charge in an auction whose book shares at once.
    sharing: Option<Box<Sharing>>,
    changes: BookChanges,
}

/// What a batch has changed about a book.
#[derive(Debug, Default)]
pub struct BookChanges {
    /// Another bid leads, or none: the commitments differ.
    commitments: bool,
    pub joined: Vec<UserId>,
    pub entries: Vec<PostedEntry>,
    pub shares: SharesToWrite,
    pub last_sequence: i64,
    /// Users whose balance or commitments differ.
    pub concerned: BTreeSet<UserId>,
    /// A user whose balance can't be changed.
    unread: Option<UserId>,
}

impl BookState {
    /// A book without changes of a batch, with the bids that lead items without an outcome.
    pub fn new(book: BatchBook, leading: impl IntoIterator<Item = Commitment>) -> Self {
        let mut committed: HashMap<UserId, Committed> = HashMap::new();
        for Commitment { holder_id, amount } in leading {
            committed.entry(holder_id).or_default().add(amount);
        }
        Self {
            book,
            committed,
            balances: HashMap::new(),
            room: None,
            sharing: None,
            changes: BookChanges::default(),
        }
    }

    /// A book in which so many more users can become holders.
    pub fn with_room(self, room: i64) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Whether a user, whose balance was read, is a holder or can become one.
    pub fn takes(&self, user: UserId) -> bool {
        self.is_holder(user) || self.room.is_none_or(|room| room > 0)
    }

    /// Whether a user, whose balance was read, is a holder.
    pub fn is_holder(&self, user: UserId) -> bool {
        matches!(self.balances.get(&user), Some(Some(_)))
    }

    pub fn revision(&self) -> i64 {
        self.book.revision
    }

    /// How many balances are cached.
    pub fn cached_balances(&self) -> usize {
        self.balances.len() + self.committed.len()
    }

    pub fn knows(&self, user: UserId) -> bool {
        self.balances.contains_key(&user)
    }

    /// Takes note of a balance that was read; `None` for a user who is not a holder.
    pub fn learn(&mut self, user: UserId, balance: Option<Normalized>) {
        self.balances.insert(user, balance);
    }

    /// What a user has. A user who is not a holder yet becomes one with the first bid, and has the starting
    /// balance.
    ///
    /// # Errors
    /// `Corrupt` for a user whose balance was not read.
    pub fn funds(&self, user: UserId) -> Result<Funds, DbError> {
        let balance = self.balances.get(&user).ok_or_else(|| unread(user))?;
        Ok(Funds {
            balance: balance.unwrap_or(self.starting_balance()),
            credit_limit: self.book.credit_limit,
            committed: self.committed.get(&user).copied().unwrap_or_default(),
        })
    }

    /// What a user has available for an item with this leading bid.
    pub fn available_for(&self, user: UserId, leading: Option<Commitment>) -> Result<Normalized, DbError> {
        let own = leading.filter(|leading| leading.holder_id == user).map(|leading| leading.amount);
        Ok(self.funds(user)?.available_for(own))
    }

    /// Commits an accepted bid, in place of the bid that led before. Its bidder becomes a holder.
    pub fn place(&mut self, had: Option<Commitment>, bid: Commitment) {
        self.lead(had, Some(bid));
        self.join(bid.holder_id);
    }

    /// Replaces the bid that leads an item.
    pub fn lead(&mut self, had: Option<Commitment>, has: Option<Commitment>) {
        self.changes.commitments = true;
        self.changes.concerned.extend(had.iter().chain(&has).map(|bid| bid.holder_id));
        if let Some(had) = had {
            self.committed.entry(had.holder_id).or_default().remove(had.amount);
        }
        if let Some(has) = has {
            self.committed.entry(has.holder_id).or_default().add(has.amount);
        }
    }

    /// Ends the commitment of an item that is closed, and charges its winner if it is sold.
    pub fn close(&mut self, leading: Option<Commitment>, sale: Option<Sale>) {
        let Some(leading) = leading else { return };
        self.lead(Some(leading), None);
        if let Some(sale) = sale {
            self.charge(leading, sale);
        }
    }

    /// Grants or takes an amount.
    ///
    /// # Errors
    /// [`OutOfBounds`], and nothing is appended.
    pub fn grant(
        &mut self,
        holder: UserId,
        amount: Normalized,
        reason: String,
        by: UserId,
        run: Option<i64>,
    ) -> Result<(), OutOfBounds> {
        self.append_within_bounds(holder, amount, EntryCause::Grant { reason, by, run, asked: None })
    }

    /// Grants what the caps of the book have left of an amount.
    ///
    /// # Errors
    /// [`OutOfBounds`], and nothing is appended.
    pub fn grant_capped(
        &mut self,
        holder: UserId,
        (asked, amount): (Normalized, Normalized),
        reason: String,
        by: UserId,
        run: Option<i64>,
    ) -> Result<(), OutOfBounds> {
        let asked = (asked != amount).then_some(asked);
        self.append_within_bounds(holder, amount, EntryCause::Grant { reason, by, run, asked })
    }

    /// Appends an entry of a run.
    ///
    /// # Errors
    /// [`OutOfBounds`], and nothing is appended.
    pub fn run(&mut self, holder: UserId, amount: Normalized, entry: RunEntry) -> Result<(), OutOfBounds> {
        self.append_within_bounds(holder, amount, EntryCause::Run(entry))
    }

    /// Takes back a GRANT, or an entry of a run.
    ///
    /// # Errors
    /// [`OutOfBounds`], and nothing is appended.
    pub fn reverse_entry(
        &mut self,
        entry: Reversible,
        reason: String,
        by: UserId,
    ) -> Result<(), OutOfBounds> {
        let Reversible { sequence: reverses, holder_id, amount, run } = entry;
        let cause = EntryCause::EntryReversal { reverses, reason, by: Some(by), run };
        self.append_within_bounds(holder_id, negative(amount), cause)
    }

    /// Charges the winner of a sold item.
    pub fn charge(&mut self, winner: Commitment, sale: Sale) {
        self.join(winner.holder_id);
        self.append(winner.holder_id, negative(winner.amount), EntryCause::Charge(sale));
    }

    /// Charges a holder for tickets of a draw that have won nothing.
    pub fn charge_lost_tickets(&mut self, holder: Commitment, item_id: ItemId, by: Option<UserId>) {
        self.join(holder.holder_id);
        self.append(holder.holder_id, negative(holder.amount), EntryCause::LostTickets { item_id, by });
    }

    /// Takes back a CHARGE.
    pub fn reverse_charge(&mut self, charge: &Charge, by: UserId) {
        let Charge { sequence: reverses, item_id, sale, .. } = *charge;
        let cause = EntryCause::ChargeReversal { reverses, item_id, sale, by };
        self.append(charge.holder_id, negative(charge.amount), cause);
    }

    /// How the book shares what is spent at once, if it does.
    pub fn automatic(&self) -> Option<&Automatic> {
        self.book.automatic.as_ref()
    }

    /// What shares of the transaction depend on, once it was read.
    pub fn sharing(&mut self) -> &mut Option<Box<Sharing>> {
        &mut self.sharing
    }

    /// Whether so many entries are to be written that further shares wait for the next transaction.
    pub fn is_full_of_shares(&self) -> bool {
        self.sharing.is_some() && self.changes.entries.len() >= SHARED_MAX
    }

    /// Shares what an item was sold for among the holders who are present, if that was read.
    pub fn share(&mut self, auction_id: AuctionId, sale: Sale, winner: Commitment) {
        let Some(mut sharing) = self.sharing.take() else { return };
        let balance = |user: UserId| self.balances.get(&user).copied().flatten().unwrap_or_default();
        if let Some(shared) = sharing.share(auction_id, sale, winner, balance) {
            for (holder, amount, entry) in shared.entries {
                self.append(holder, amount, EntryCause::Run(entry));
            }
            self.changes.shares.runs.push(shared.run);
        }
        self.sharing = Some(sharing);
    }

    /// Takes back what an outcome has shared that is not in force any more.
    pub fn take_back_share(&mut self, taken: TakenBack) {
        for entry in &taken.entries {
            let (reverses, reason) = (entry.sequence, taken.reason.clone());
            let cause = EntryCause::EntryReversal { reverses, reason, by: None, run: Some(taken.run) };
            self.append(entry.holder.id, negative(entry.amount), cause);
        }
        self.changes.shares.taken_back.push((taken.run, taken.reason));
    }

    /// Notifications of holders of what the shares of the transaction give and take.
    pub fn share_notices(&self) -> Vec<NewNotification> {
        let notices = self.sharing.as_ref().map(|sharing| sharing.notices(&self.changes.entries));
        notices.unwrap_or_default()
    }

    /// Makes a user a HOLDER, with the starting balance. A holder keeps what they have.
    pub fn join(&mut self, user: UserId) {
        match self.balances.get(&user) {
            Some(Some(_)) => return,
            Some(None) => {}
            None => self.changes.unread = Some(user),
        }
        self.changes.joined.push(user);
        self.room = self.room.map(|room| room.saturating_sub(1));
        self.balances.insert(user, Some(Normalized::ZERO));
        let starting = self.starting_balance();
        if starting > Normalized::ZERO {
            self.append(user, starting, EntryCause::Joining);
        }
    }

    fn append_within_bounds(
        &mut self,
        holder: UserId,
        amount: Normalized,
        cause: EntryCause,
    ) -> Result<(), OutOfBounds> {
        let had = self.balances.get(&holder).copied().flatten().unwrap_or_default();
        let within = had.checked_add(amount).is_some_and(|after| SIGNED.contains(&after));
        within.then(|| self.append(holder, amount, cause)).ok_or(OutOfBounds)
    }

    fn append(&mut self, holder_id: UserId, amount: Normalized, cause: EntryCause) {
        let had = self.balances.get(&holder_id).copied().flatten();
        if had.is_none() {
            self.changes.unread = Some(holder_id);
        }
        // Out of range after a thousand entries of the greatest amount.
        let Some(balance) = had.unwrap_or_default().checked_add(amount) else {
            self.changes.unread = Some(holder_id);
            return;
        };
        self.book.last_sequence += 1;
        self.changes.concerned.insert(holder_id);
        self.balances.insert(holder_id, Some(balance));
        self.changes.entries.push(PostedEntry {
            sequence: self.book.last_sequence,
            holder_id,
            amount,
            balance,
            cause,
        });
    }

    /// A GRANT on joining is above zero.
    fn starting_balance(&self) -> Normalized {
        self.book.starting_balance.max(Normalized::ZERO)
    }

    /// What the batch has changed, if anything. The next batch begins without changes, and with the next
    /// revision.
    ///
    /// # Errors
    /// `Corrupt` if a balance was changed that was not read, or is out of range.
    pub fn take_changes(&mut self) -> Result<Option<BookChanges>, DbError> {
        let changes = std::mem::take(&mut self.changes);
        self.sharing = None;
        if let Some(user) = changes.unread {
            return Err(unread(user));
        }
        let any = changes.commitments || !changes.joined.is_empty() || !changes.entries.is_empty();
        Ok(any.then(|| {
            self.book.revision += 1;
            BookChanges { last_sequence: self.book.last_sequence, ..changes }
        }))
    }
}

fn negative(amount: Normalized) -> Normalized {
    Normalized::ZERO.checked_sub(amount).unwrap_or_default()
}

fn unread(user: UserId) -> DbError {
    DbError::Corrupt(format!("the balance of user `{user}` was not read, or is out of range"))
}

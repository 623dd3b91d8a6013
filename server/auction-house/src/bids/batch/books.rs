//! The books of the auctions in a batch. What is read of a book is valid while its `revision` is unchanged,
//! on both databases: every batch with bids in its auctions and every transaction with entries raises it
//! under the lock of the book's row. A batch that finds another revision at its commit is judged again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::auctions;
use crate::books::posting::{self, HOLDERS_MAX};
use crate::books::runs::automatic;
use crate::books::state::{BookState, Commitment};
use crate::books::store::batch as store;
use crate::ids::{AuctionId, BookId, ItemId, UserId};
use crate::locks;
use crate::notifications::NewNotification;
use crate::usage::{self, Commitments};
use platform::db::{Batch, Connection, DbError, WriteBatch};
use platform::time::Moment;

/// The books that batches have read.
#[derive(Debug, Default)]
pub struct BatchBooks {
    /// `None` for an auction without a book.
    of_auctions: HashMap<AuctionId, Option<BookId>>,
    states: HashMap<BookId, BookState>,
    /// Books whose revision is known to be in force; of the others it is read again.
    current: HashSet<BookId>,
}

impl BatchBooks {
    /// How many balances are cached.
    pub(super) fn len(&self) -> usize {
        self.states.values().map(BookState::cached_balances).sum()
    }

    /// Whether no auction with a book was read.
    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The book of an auction, if it has one: the outer `None` for an auction that is not cached.
    pub(super) fn of_auction(&self, auction_id: AuctionId) -> Option<Option<BookId>> {
        self.of_auctions.get(&auction_id).copied()
    }

    /// The revision of a cached book.
    pub(super) fn revision(&self, id: BookId) -> Option<i64> {
        Some(self.states.get(&id)?.revision())
    }

    /// Forgets which book an auction has.
    pub(super) fn forget_auction(&mut self, auction_id: AuctionId) {
        self.of_auctions.remove(&auction_id);
    }

    /// Reads all revisions again, except those that the commit of the batch compares.
    pub(super) fn keep_current(&mut self, is_compared: impl Fn(BookId, i64) -> bool) {
        let states = &self.states;
        self.current = states
            .iter()
            .filter(|(id, book)| is_compared(**id, book.revision()))
            .map(|(id, _)| *id)
            .collect();
    }

    /// Forgets the books of all auctions, and reads all revisions again.
    pub(super) fn invalidate(&mut self) {
        self.of_auctions.clear();
        self.current.clear();
    }

    pub(super) fn get(&self, id: BookId) -> Option<&BookState> {
        self.states.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: BookId) -> Option<&mut BookState> {
        self.states.get_mut(&id)
    }

    /// Locks the books of these auctions, and reads what has changed in them.
    pub(super) async fn load(
        &mut self,
        conn: &mut Batch,
        auctions: &BTreeSet<AuctionId>,
    ) -> Result<(), DbError> {
        let unknown: Vec<_> =
            auctions.iter().filter(|id| !self.of_auctions.contains_key(id)).copied().collect();
        self.of_auctions.extend(auctions::store::books(conn, &unknown).await?);
        let books: BTreeSet<BookId> = auctions.iter().filter_map(|id| self.of_auction(*id)?).collect();
        let outdated: BTreeSet<BookId> = books.into_iter().filter(|id| !self.current.contains(id)).collect();
        if outdated.is_empty() {
            return Ok(());
        }
        locks::lock_books_of_batch(conn, &outdated).await?;
        for (id, book) in store::read(conn, &Vec::from_iter(outdated)).await? {
            if self.revision(id) != Some(book.revision) {
                let leading = usage::commitments(conn, id, Commitments::All).await?.into_iter();
                let leading = leading.map(|(holder_id, amount)| Commitment { holder_id, amount });
                let room = HOLDERS_MAX.saturating_sub(store::holders(conn, id).await?);
                self.states.insert(id, BookState::new(book, leading).with_room(room));
            }
            self.current.insert(id);
        }
        Ok(())
    }

    /// Reads the balances of these users that are not cached.
    pub(super) async fn load_balances(
        &mut self,
        conn: &mut Connection,
        users: BTreeSet<(BookId, UserId)>,
    ) -> Result<(), DbError> {
        let is_unknown =
            |(id, user): &(BookId, UserId)| self.states.get(id).is_some_and(|book| !book.knows(*user));
        let unknown = Vec::from_iter(users.into_iter().filter(is_unknown));
        let found = store::balances(conn, &unknown).await?;
        for (id, user) in unknown {
            if let Some(book) = self.states.get_mut(&id) {
                book.learn(user, found.get(&(id, user)).copied());
            }
        }
        Ok(())
    }

    /// Reads what shares of these items need, which the batch may close, in auctions whose books share at
    /// once.
    pub(super) async fn load_sharing(
        &mut self,
        conn: &mut Connection,
        closing: BTreeMap<(BookId, AuctionId), Vec<ItemId>>,
        now: Moment,
    ) -> Result<(), DbError> {
        for ((id, auction_id), items) in closing {
            if let Some(book) = self.states.get_mut(&id) {
                automatic::prepare(conn, id, book, (auction_id, &items), now).await?;
            }
        }
        Ok(())
    }

    /// Notifications of holders of what the batch shares.
    pub(super) fn share_notices(&self) -> Vec<NewNotification> {
        self.states.values().flat_map(BookState::share_notices).collect()
    }

    /// Writes the entries, the holders and the revisions that the batch has changed. Returns the users whose
    /// balance or commitments differ.
    pub(super) fn write(&mut self, writes: &mut WriteBatch, now: Moment) -> Result<Vec<UserId>, DbError> {
        let mut concerned = BTreeSet::new();
        for (id, book) in &mut self.states {
            if let Some(changes) = book.take_changes()? {
                posting::write(writes, *id, &changes, now)?;
                // Also a user who had left and bids again, for example in a FREE auction.
                store::rejoin(writes, changes.concerned.iter().map(|user| (*id, *user)));
                concerned.extend(changes.concerned);
            }
        }
        Ok(concerned.into_iter().collect())
    }
}

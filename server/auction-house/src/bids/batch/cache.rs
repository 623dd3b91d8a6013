//! What a batch has read, kept for the next one. An entry is valid while the version of its auction is unchanged.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::books::BatchBooks;
use super::item::ItemState;
use super::withdrawals::BatchWithdrawals;
use crate::access::{self, Role};
use crate::auctions::access::AuctionView;
use crate::bids::entry::{Entry, QueueError};
use crate::bids::pricing::PricingRules;
use crate::books::state::BookState;
use crate::ids::{AuctionId, BookId, ItemId, UserId};
use crate::{items, locks};
use platform::db::{Batch, Connection, DbError, LockedVersions, VersionCheck};
use platform::ids::Id;

/// Cached items, roles and balances, at most. A full cache is emptied.
const ENTRIES_MAX: usize = 20_000;

/// The cache of one [`Committer`](super::Committer).
#[derive(Default)]
pub struct BatchCache {
    /// The version of the whole database that was read, on SQLite.
    database: Option<VersionCheck>,
    /// Otherwise the version of each auction.
    versions: HashMap<AuctionId, i64>,
    pub(super) roles: HashMap<(AuctionId, UserId), Role>,
    /// Users who are no members, and can't join by a bid. Read again for each batch: the lock on their accounts ends with it.
    pub(super) excluded: HashSet<(AuctionId, UserId)>,
    /// `None` for an item that can't be read: only its own bids fail.
    pub(super) items: HashMap<ItemId, Option<ItemState>>,
    pricing: HashMap<AuctionId, Option<Arc<PricingRules>>>,
    pub(super) books: BatchBooks,
}

impl BatchCache {
    /// The cached versions of `auctions` and of their books, if all are cached. While these are current, what is read now is consistent with
    /// the cache.
    pub fn expected_versions(&self, auctions: &BTreeSet<AuctionId>) -> Option<LockedVersions> {
        if let Some(check) = self.database {
            return Some(LockedVersions::Database(check));
        }
        let mut versions = HashMap::new();
        for id in auctions {
            versions.insert(id.uuid(), *self.versions.get(id)?);
            if let Some(book) = self.books.of_auction(*id)? {
                versions.insert(book.uuid(), self.books.revision(book)?);
            }
        }
        Some(LockedVersions::Rows(versions))
    }

    /// Drops what has changed since it was read: `locked` has the current versions of the locked auctions.
    pub fn invalidate_changed(&mut self, auctions: &BTreeSet<AuctionId>, locked: &LockedVersions) {
        if self.roles.len() + self.items.len() + self.books.len() > ENTRIES_MAX {
            *self = Self::default();
        }
        match locked {
            LockedVersions::Database(check) => {
                if self.database.is_none_or(|known| known.version != check.version) {
                    // What was read of a book has a version of its own.
                    let mut books = std::mem::take(&mut self.books);
                    books.invalidate();
                    *self = Self { books, ..Self::default() };
                }
                self.database = Some(*check);
            }
            LockedVersions::Rows(versions) => {
                for id in auctions {
                    self.invalidate_unless(*id, versions.get(&id.uuid()).copied());
                }
                // An optimistic batch compares the revisions of books, too; another one reads them under their locks.
                self.books.keep_current(|id, revision| versions.get(&id.uuid()) == Some(&revision));
            }
        }
    }

    /// To be called with the event positions that a batch has taken in each auction.
    pub(super) fn advance(&mut self, taken: &[(AuctionId, i64)]) {
        for (auction, taken) in taken {
            if let Some(version) = self.versions.get_mut(auction) {
                *version += taken;
            }
        }
    }

    /// Drops an auction whose version is not `version`.
    fn invalidate_unless(&mut self, auction: AuctionId, version: Option<i64>) {
        if version.is_some() && self.versions.get(&auction).copied() == version {
            return;
        }
        self.roles.retain(|(of, _), _| *of != auction);
        self.items.retain(|_, item| item.as_ref().is_some_and(|item| item.item.auction_id != auction));
        self.pricing.remove(&auction);
        self.books.forget_auction(auction);
        self.versions.remove(&auction);
        self.versions.extend(version.map(|version| (auction, version)));
    }

    /// Reads what the entries need and is not cached.
    pub(super) async fn load(&mut self, conn: &mut Batch, entries: &[Entry]) -> Result<(), DbError> {
        self.books.load(conn, &entries.iter().map(Entry::auction_id).collect()).await?;
        let members = entries.iter().filter_map(|entry| Some((entry.auction_id(), entry.user_id()?)));
        let members: BTreeSet<_> = members.filter(|member| !self.roles.contains_key(member)).collect();
        let members = Vec::from_iter(members);
        let found = access::store::roles(conn, &members).await?;
        let others = Vec::from_iter(members.into_iter().filter(|member| !found.contains_key(member)));
        locks::keep_accounts(conn, &others.iter().map(|(_, user)| *user).collect()).await?;
        self.excluded = access::store::removed::excluded(conn, &others).await?;
        self.roles.extend(found);
        self.load_items(conn, entries.iter().filter_map(Entry::item_id)).await
    }

    /// Reads those of these items that are not cached.
    pub(super) async fn load_items(
        &mut self,
        conn: &mut Connection,
        ids: impl Iterator<Item = ItemId>,
    ) -> Result<(), DbError> {
        let ids = Vec::from_iter(ids.filter(|id| !self.items.contains_key(id)).collect::<BTreeSet<_>>());
        for (item_id, loaded) in items::store::bidding::read(conn, &ids).await? {
            let item = match readable(loaded)? {
                Some(item) => {
                    let pricing = self.pricing(conn, item.auction_id).await?;
                    pricing.map(|pricing| ItemState::new(item, pricing))
                }
                None => None,
            };
            self.items.insert(item_id, item);
        }
        Ok(())
    }

    /// Reads what the users have whose bids this batch places, charges or may let lead again. In an auction with a book the
    /// items that are closed with it are read, too.
    pub(super) async fn load_balances<'a>(
        &mut self,
        conn: &mut Connection,
        entries: &[Entry],
        withdrawals: &BatchWithdrawals,
        to_close: impl Iterator<Item = &'a (AuctionView, Vec<ItemId>)>,
    ) -> Result<(), DbError> {
        if self.books.is_empty() {
            return Ok(());
        }
        let with_book = |(seen, _): &&(AuctionView, Vec<ItemId>)| seen.auction.terms.book_id.is_some();
        let closing: Vec<ItemId> = to_close.filter(with_book).flat_map(|(_, items)| items).copied().collect();
        self.load_items(conn, closing.iter().copied()).await?;
        let item = |id: ItemId| self.items.get(&id)?.as_ref().map(|item| &item.item);
        let book = |id: ItemId| item(id)?.book_id;
        let bidders = entries.iter().filter_map(|entry| Some((book(entry.item_id()?)?, entry.user_id()?)));
        let leader = |id: ItemId| Some((book(id)?, item(id)?.leading?.bidder_id));
        let leaders =
            entries.iter().filter_map(Entry::item_id).chain(closing.iter().copied()).filter_map(leader);
        let standing = withdrawals.bidders().filter_map(|(id, bidder)| Some((book(id)?, bidder)));
        let users: BTreeSet<(BookId, UserId)> = bidders.chain(leaders).chain(standing).collect();
        self.books.load_balances(conn, users).await
    }

    /// A book that the batch has read.
    ///
    /// # Errors
    /// `NotKept` if it is not there.
    pub(super) fn book(&mut self, id: BookId) -> Result<&mut BookState, QueueError> {
        self.books.get_mut(id).ok_or(QueueError::NotKept)
    }

    async fn pricing(
        &mut self,
        conn: &mut Connection,
        auction_id: AuctionId,
    ) -> Result<Option<Arc<PricingRules>>, DbError> {
        if let Some(cached) = self.pricing.get(&auction_id) {
            return Ok(cached.clone());
        }
        let pricing = readable(PricingRules::read(conn, auction_id).await)?.map(Arc::new);
        self.pricing.insert(auction_id, pricing.clone());
        Ok(pricing)
    }
}

/// `None` for a corrupt row, which is logged.
pub(super) fn readable<T>(read: Result<T, DbError>) -> Result<Option<T>, DbError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error @ DbError::Corrupt(_)) => {
            tracing::error!(error = &error as &dyn std::error::Error, "an item takes no bids");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

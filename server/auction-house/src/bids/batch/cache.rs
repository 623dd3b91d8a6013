//! What a batch has read, compiled rules included, kept for the next one.
//!
//! On SQLite the cache is valid until another connection writes. On PostgreSQL it is valid while two numbers
//! of the auction are unchanged: its `revision`, which every change in the auction except a bid increments,
//! and the last position of its events, which every bid increments. After bids of another server only the
//! items are read again. SQL by hand must increment `revision`, too, also that of a book.
//!
//! A batch whose auctions are all cached is judged without a lock. Its commit compares the versions under the
//! lock; if one differs, nothing is written, and the batch is judged again from the database.

use accounts::groups::PersonNumber;
use accounts::locks::keep_accounts;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::bidders::KnownBidders;
use super::books::BatchBooks;
use super::item::ItemState;
use super::needs::Needs;
use super::recency::Recency;
use crate::access::{self, Membership, Role, Standing};
use crate::bids::pricing::PricingRules;
use crate::bids::queue_error::QueueError;
use crate::books::state::BookState;
use crate::events;
use crate::ids::{AuctionId, BookId, ItemId, UserId};
use crate::items;
use crate::locks::{differ_in_bids_alone, position_of};
use platform::db::{Batch, Connection, DbError, LockedVersions, VersionCheck};
use platform::ids::Id;
use platform::time::Moment;

/// Cached items and roles before a batch, at most. The least recently used ones are evicted.
const ENTRIES_MAX: usize = 20_000;
/// Cached balances and commitments, at most. All are read again once there are more.
const BALANCES_MAX: usize = 100_000;

/// The cache of one [`Committer`](super::commit::Committer).
#[derive(Default)]
pub struct BatchCache {
    /// The version of the whole database that was read, on SQLite.
    database: Option<VersionCheck>,
    auctions: HashMap<AuctionId, CachedAuction>,
    members: HashMap<(AuctionId, UserId), Membership>,
    /// Users who are no members, and can't join by a bid. Read again for each batch: the lock on their
    /// accounts ends with it.
    removed: HashSet<(AuctionId, UserId)>,
    /// `None` for an item that can't be read: only its own bids fail.
    pub(super) items: HashMap<ItemId, Option<ItemState>>,
    /// Items on which another server may have taken bids. They are read again, their rules are not.
    outdated: HashMap<ItemId, ItemState>,
    pub(super) books: BatchBooks,
    /// Never invalid: no other transaction deletes a bidder.
    pub(super) bidders: KnownBidders,
    /// The items that can't be read. Read again for each batch.
    unreadable: Vec<ItemId>,
    recency: Recency<CacheKey>,
}

/// An auction with cached items or roles.
#[derive(Default)]
struct CachedAuction {
    /// The version that was read, unless the version of the whole database is cached.
    version: Option<i64>,
    /// The last position of its events, unless it is a part of the version.
    head: Option<i64>,
    /// Bids of the current batch.
    placed: i64,
    pricing: Option<Option<Arc<PricingRules>>>,
    users: HashSet<UserId>,
    items: HashSet<ItemId>,
}

/// What is evicted at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum CacheKey {
    Role(AuctionId, UserId),
    Item(AuctionId, ItemId),
}

impl BatchCache {
    /// The cached versions of `auctions` and of their books, if all are cached. While these are current, what
    /// is read now is consistent with the cache.
    pub fn expected_versions(&self, auctions: &BTreeSet<AuctionId>) -> Option<LockedVersions> {
        if let Some(check) = self.database {
            return Some(LockedVersions::Database(check));
        }
        let mut versions = HashMap::new();
        for id in auctions {
            versions.insert(id.uuid(), self.auctions.get(id)?.version?);
            if let Some(book) = self.books.of_auction(*id)? {
                versions.insert(book.uuid(), self.books.revision(book)?);
            }
        }
        Some(LockedVersions::Rows(versions))
    }

    /// Drops what has changed since it was read: `locked` has the current versions of the locked auctions.
    pub fn invalidate_changed(&mut self, auctions: &BTreeSet<AuctionId>, locked: &LockedVersions) {
        if self.books.len() > BALANCES_MAX {
            self.books = BatchBooks::default();
        }
        for item_id in self.unreadable.drain(..) {
            self.items.remove(&item_id);
        }
        match locked {
            LockedVersions::Database(check) => {
                if self.database.is_none_or(|known| known.version != check.version) {
                    self.clear();
                }
                self.database = Some(*check);
            }
            LockedVersions::Rows(versions) => {
                for id in auctions {
                    self.invalidate_unless(*id, versions.get(&id.uuid()).copied());
                }
                // An optimistic batch compares the revisions of books, too; another one reads them under
                // their locks.
                self.books.keep_current(|id, revision| versions.get(&id.uuid()) == Some(&revision));
            }
        }
        while self.recency.len() > ENTRIES_MAX {
            self.evict_oldest();
        }
    }

    /// Drops everything that other transactions change.
    fn clear(&mut self) {
        // What was read of a book has a version of its own.
        let mut books = std::mem::take(&mut self.books);
        books.invalidate();
        *self = Self { books, bidders: std::mem::take(&mut self.bidders), ..Self::default() };
    }

    /// To be called with the event positions that a batch has taken in each auction.
    pub(super) fn advance(&mut self, taken: &[(AuctionId, i64)]) {
        for (auction, taken) in taken {
            if let Some(cached) = self.auctions.get_mut(auction) {
                let versions = [&mut cached.version, &mut cached.head];
                versions.into_iter().flatten().for_each(|version| *version += taken);
                cached.placed = 0;
            }
        }
    }

    /// The place in the ledger of the next bid in an auction that the batch has read.
    pub(super) fn next_position(&self, auction: AuctionId) -> Option<i64> {
        Some(self.last_position(auction)? + self.auctions.get(&auction)?.placed + 1)
    }

    /// The last position of the events of an auction that the batch has read.
    pub(super) fn last_position(&self, auction: AuctionId) -> Option<i64> {
        let cached = self.auctions.get(&auction)?;
        cached.version.map(position_of).or(cached.head)
    }

    /// Counts an accepted bid.
    pub(super) fn count_bid(&mut self, auction: AuctionId) {
        if let Some(cached) = self.auctions.get_mut(&auction) {
            cached.placed += 1;
        }
    }

    /// Drops an auction whose version is not `version`.
    fn invalidate_unless(&mut self, auction: AuctionId, version: Option<i64>) {
        let cached = self.auctions.get(&auction).and_then(|cached| cached.version);
        if version.is_some() && cached == version {
            return;
        }
        if let (Some(cached), Some(version)) = (cached, version)
            && differ_in_bids_alone(cached, version)
        {
            return self.outdate_items(auction, version);
        }
        let CachedAuction { users, items, .. } = self.auctions.remove(&auction).unwrap_or_default();
        for user in users {
            self.members.remove(&(auction, user));
            self.recency.remove(&CacheKey::Role(auction, user));
        }
        for item in items {
            self.items.remove(&item);
            self.outdated.remove(&item);
            self.recency.remove(&CacheKey::Item(auction, item));
        }
        if version.is_some() {
            self.auctions.insert(auction, CachedAuction { version, ..CachedAuction::default() });
        }
        self.books.forget_auction(auction);
    }

    /// Keeps of the items of an auction what bids do not change.
    fn outdate_items(&mut self, auction: AuctionId, version: i64) {
        let Some(cached) = self.auctions.get_mut(&auction) else { return };
        cached.version = Some(version);
        for item in &cached.items {
            if let Some(Some(state)) = self.items.remove(item) {
                self.outdated.insert(*item, state);
            }
        }
    }

    /// Evicts the least recently used entry, and its auction with the last of its entries.
    fn evict_oldest(&mut self) {
        let Some(key) = self.recency.pop_oldest() else { return };
        let (CacheKey::Role(auction, _) | CacheKey::Item(auction, _)) = key;
        let Some(cached) = self.auctions.get_mut(&auction) else { return };
        match key {
            CacheKey::Role(_, user) => {
                self.members.remove(&(auction, user));
                cached.users.remove(&user);
            }
            CacheKey::Item(_, item) => {
                self.items.remove(&item);
                self.outdated.remove(&item);
                cached.items.remove(&item);
            }
        }
        self.remove_if_unused(auction);
    }

    fn remove_if_unused(&mut self, auction: AuctionId) {
        let is_unused = |cached: &CachedAuction| cached.users.is_empty() && cached.items.is_empty();
        if self.auctions.get(&auction).is_some_and(is_unused) {
            self.auctions.remove(&auction);
        }
    }

    pub(super) fn role(&self, auction: AuctionId, user: UserId) -> Option<Role> {
        self.members.get(&(auction, user)).map(|member| member.role)
    }

    /// The number of a member in the group of the auction.
    pub(super) fn number(&self, auction: AuctionId, user: UserId) -> Option<PersonNumber> {
        self.members.get(&(auction, user))?.number
    }

    pub(super) fn standing(&self, auction: AuctionId, user: UserId) -> Standing {
        Standing::of(self.role(auction, user), self.removed.contains(&(auction, user)))
    }

    pub(super) fn insert_member(&mut self, auction: AuctionId, user: UserId, member: Membership) {
        self.members.insert((auction, user), member);
        self.auctions.entry(auction).or_default().users.insert(user);
        self.recency.touch(CacheKey::Role(auction, user));
    }

    fn insert_item(&mut self, item_id: ItemId, state: Option<ItemState>) {
        match &state {
            Some(state) => {
                let auction = state.item().auction_id;
                self.auctions.entry(auction).or_default().items.insert(item_id);
                self.recency.touch(CacheKey::Item(auction, item_id));
            }
            None => self.unreadable.push(item_id),
        }
        self.items.insert(item_id, state);
    }

    /// Makes cached entries the most recently used ones.
    fn touch(&mut self, roles: &BTreeSet<(AuctionId, UserId)>, items: &BTreeSet<ItemId>) {
        for (auction, user) in roles {
            if self.members.contains_key(&(*auction, *user)) {
                self.recency.touch(CacheKey::Role(*auction, *user));
            }
        }
        for item_id in items {
            if let Some(Some(state)) = self.items.get(item_id) {
                self.recency.touch(CacheKey::Item(state.item().auction_id, *item_id));
            }
        }
    }

    /// Reads the books, roles and items that the requests need and that are not cached.
    pub(super) async fn load(&mut self, conn: &mut Batch, needs: &[Needs]) -> Result<(), DbError> {
        self.books.load(conn, &needs.iter().map(|needs| needs.auction_id).collect()).await?;
        let users = |needs: &Needs| needs.user_id.into_iter().chain(needs.clerk_id);
        let members = needs.iter().flat_map(|needs| users(needs).map(|user| (needs.auction_id, user)));
        let members = members.collect::<BTreeSet<_>>();
        let ids = needs.iter().filter_map(|needs| needs.item_id).collect::<BTreeSet<_>>();
        self.touch(&members, &ids);
        let members = Vec::from_iter(members.into_iter().filter(|member| !self.members.contains_key(member)));
        let found = access::store::memberships(conn, &members).await?;
        let others = Vec::from_iter(members.into_iter().filter(|member| !found.contains_key(member)));
        keep_accounts(conn, &others.iter().map(|(_, user)| *user).collect()).await?;
        self.removed = access::store::removed::among(conn, &others).await?;
        for ((auction, user), member) in found {
            self.insert_member(auction, user, member);
        }
        self.load_items(conn, ids.into_iter()).await?;
        for needs in needs {
            self.remove_if_unused(needs.auction_id);
            self.load_head(conn, needs.auction_id).await?;
        }
        Ok(())
    }

    /// Reads the last position of the events of a cached auction.
    async fn load_head(&mut self, conn: &mut Connection, auction: AuctionId) -> Result<(), DbError> {
        if let Some(cached) = self.auctions.get_mut(&auction)
            && cached.version.or(cached.head).is_none()
        {
            cached.head = Some(events::store::last_position(conn, auction).await?);
        }
        Ok(())
    }

    /// Reads items whose bids stand apart and may be opened, with the places in the ledger that these will
    /// have.
    pub(super) async fn load_apart(
        &mut self,
        conn: &mut Connection,
        ids: impl Iterator<Item = ItemId>,
    ) -> Result<(), DbError> {
        let ids = Vec::from_iter(ids);
        self.load_items(conn, ids.iter().copied()).await?;
        let item = |id: &ItemId| self.items.get(id)?.as_ref().map(ItemState::item);
        let auctions: BTreeSet<AuctionId> = ids.iter().filter_map(item).map(|item| item.auction_id).collect();
        for auction in auctions {
            self.load_head(conn, auction).await?;
        }
        Ok(())
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
                Some(item) => match self.outdated.remove(&item_id) {
                    Some(outdated) => Some(outdated.renewed(item)),
                    None => {
                        let pricing = self.pricing(conn, item.auction_id).await?;
                        pricing.map(|pricing| ItemState::new(item, pricing))
                    }
                },
                None => None,
            };
            self.insert_item(item_id, item);
        }
        Ok(())
    }

    /// Reads the balances of the users whose bids this batch places, charges (with the items that are
    /// `closing` with their auctions) or may let lead again (`standing`).
    pub(super) async fn load_balances(
        &mut self,
        conn: &mut Connection,
        needs: &[Needs],
        standing: impl Iterator<Item = (ItemId, UserId)> + Send,
        closing: &[ItemId],
    ) -> Result<(), DbError> {
        if self.books.is_empty() {
            return Ok(());
        }
        self.load_items(conn, closing.iter().copied()).await?;
        let item = |id: ItemId| self.items.get(&id)?.as_ref().map(ItemState::item);
        let book = |id: ItemId| item(id)?.book_id;
        let bidders = needs.iter().filter_map(|needs| Some((book(needs.item_id?)?, needs.user_id?)));
        let leader = |id: ItemId| Some((book(id)?, item(id)?.leading?.bidder_id));
        let items = needs.iter().filter_map(|needs| needs.item_id);
        let leaders = items.chain(closing.iter().copied()).filter_map(leader);
        let standing = standing.filter_map(|(id, bidder)| Some((book(id)?, bidder)));
        let users: BTreeSet<(BookId, UserId)> = bidders.chain(leaders).chain(standing).collect();
        self.books.load_balances(conn, users).await
    }

    /// Reads what shares of the items need that the requests may close, or that are `closing` with their
    /// auctions.
    pub(super) async fn load_sharing(
        &mut self,
        conn: &mut Connection,
        needs: &[Needs],
        closing: &[ItemId],
        now: Moment,
    ) -> Result<(), DbError> {
        let mut sold: BTreeMap<(BookId, AuctionId), Vec<ItemId>> = BTreeMap::new();
        let closed = needs.iter().filter(|needs| needs.closes).filter_map(|needs| needs.item_id);
        for item_id in closed.chain(closing.iter().copied()) {
            if let Some(Some(item)) = self.items.get(&item_id).map(|item| item.as_ref().map(ItemState::item))
                && let Some(book_id) = item.book_id
            {
                sold.entry((book_id, item.auction_id)).or_default().push(item_id);
            }
        }
        self.books.load_sharing(conn, sold, now).await
    }

    /// A book that the batch has read.
    ///
    /// # Errors
    /// `NotKept` if it is not there.
    pub(super) fn book(&self, id: BookId) -> Result<&BookState, QueueError> {
        self.books.get(id).ok_or(QueueError::NotKept)
    }

    /// # Errors
    /// `NotKept` if it is not there.
    pub(super) fn book_mut(&mut self, id: BookId) -> Result<&mut BookState, QueueError> {
        self.books.get_mut(id).ok_or(QueueError::NotKept)
    }

    async fn pricing(
        &mut self,
        conn: &mut Connection,
        auction_id: AuctionId,
    ) -> Result<Option<Arc<PricingRules>>, DbError> {
        if let Some(cached) = self.auctions.get(&auction_id).and_then(|cached| cached.pricing.as_ref()) {
            return Ok(cached.clone());
        }
        let pricing = readable(PricingRules::read(conn, auction_id).await)?.map(Arc::new);
        self.auctions.entry(auction_id).or_default().pricing = Some(pricing.clone());
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

#[cfg(test)]
mod tests;

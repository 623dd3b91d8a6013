//! What a batch has read, kept for the next one. An entry is valid while the version of its auction is unchanged.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::bidders::KnownBidders;
use super::item::ItemState;
use crate::access::{self, Role};
use crate::bids::entry::Entry;
use crate::bids::pricing::PricingRules;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::{items, locks};
use platform::db::{Batch, Connection, DbError, LockedVersions, VersionCheck};
use platform::ids::Id;

/// Cached items and roles, at most. A full cache is emptied.
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
    /// Never invalid: no other transaction deletes a bidder.
    pub(super) bidders: KnownBidders,
}

impl BatchCache {
    /// The cached versions of `auctions`, if all are cached. While these are current, what is read now is consistent with
    /// the cache.
    pub fn expected_versions(&self, auctions: &BTreeSet<AuctionId>) -> Option<LockedVersions> {
        if let Some(check) = self.database {
            return Some(LockedVersions::Database(check));
        }
        let versions = auctions.iter().map(|id| Some((id.uuid(), *self.versions.get(id)?)));
        Some(LockedVersions::Rows(versions.collect::<Option<_>>()?))
    }

    /// Drops what has changed since it was read: `locked` has the current versions of the locked auctions.
    pub fn invalidate_changed(&mut self, auctions: &BTreeSet<AuctionId>, locked: &LockedVersions) {
        if self.roles.len() + self.items.len() > ENTRIES_MAX {
            self.clear();
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
            }
        }
    }

    /// Drops everything that other transactions change.
    fn clear(&mut self) {
        *self = Self { bidders: std::mem::take(&mut self.bidders), ..Self::default() };
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
        self.versions.remove(&auction);
        self.versions.extend(version.map(|version| (auction, version)));
    }

    /// Reads what the entries need and is not cached.
    pub(super) async fn load(&mut self, conn: &mut Batch, entries: &[Entry]) -> Result<(), DbError> {
        let members = entries.iter().filter_map(|entry| Some((entry.auction_id(), entry.user_id()?)));
        let members: BTreeSet<_> = members.filter(|member| !self.roles.contains_key(member)).collect();
        let members = Vec::from_iter(members);
        let found = access::store::roles(conn, &members).await?;
        let others = Vec::from_iter(members.into_iter().filter(|member| !found.contains_key(member)));
        locks::keep_accounts(conn, &others.iter().map(|(_, user)| *user).collect()).await?;
        self.excluded = access::store::removed::excluded(conn, &others).await?;
        self.roles.extend(found);
        let ids = entries.iter().filter_map(Entry::item_id).filter(|id| !self.items.contains_key(id));
        let ids = Vec::from_iter(ids.collect::<BTreeSet<_>>());
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

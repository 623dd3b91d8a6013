//! What a round leaves to the next one, so that nothing is read twice while nobody else changes it.

use crate::access;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::access::Role;
use crate::bids::market::Market;
use crate::bids::place::PlaceBid;
use crate::bids::round_item::RoundItem;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use platform::db::{Connection, DbError, LockedVersions, VersionCheck};

/// Items and roles that are worth knowing from one round to the next, at most.
const KNOWN_MAX: usize = 20_000;

/// See the module.
#[derive(Default)]
pub struct Known {
    /// The version of the whole database when this was read, on SQLite.
    database: Option<VersionCheck>,
    /// Otherwise the version of each auction.
    versions: HashMap<AuctionId, i64>,
    /// Nothing where somebody is no member.
    pub(super) roles: HashMap<(AuctionId, UserId), Option<Role>>,
    /// Nothing where an item can't be read: that is the trouble of its own bids alone.
    pub(super) items: HashMap<ItemId, Option<RoundItem>>,
    markets: HashMap<AuctionId, Option<Arc<Market>>>,
}

impl Known {
    /// The versions of `auctions`, if all of them are known. As long as they are the same, what is read of them now
    /// goes with what was read before.
    pub fn expected(&self, auctions: &BTreeSet<AuctionId>) -> Option<LockedVersions> {
        if let Some(check) = self.database {
            return Some(LockedVersions::Database(check));
        }
        let versions = auctions.iter().map(|id| Some((id.uuid(), *self.versions.get(id)?)));
        Some(LockedVersions::Rows(versions.collect::<Option<_>>()?))
    }

    /// Forgets what is locked now and has changed since it was read, and everything if it has become too much.
    pub fn forget_changed(&mut self, auctions: &BTreeSet<AuctionId>, locked: &LockedVersions) {
        if self.roles.len() + self.items.len() > KNOWN_MAX {
            *self = Self::default();
        }
        match locked {
            LockedVersions::Database(check) => {
                if self.database.is_none_or(|known| known.version != check.version) {
                    *self = Self::default();
                }
                self.database = Some(*check);
            }
            LockedVersions::Rows(versions) => {
                for id in auctions {
                    self.forget_unless(*id, versions.get(&id.uuid()).copied());
                }
            }
        }
    }

    /// To be called with the positions that a round has taken in each auction.
    pub(super) fn advance(&mut self, taken: &[(AuctionId, i64)]) {
        for (auction, taken) in taken {
            if let Some(version) = self.versions.get_mut(auction) {
                *version += taken;
            }
        }
    }

    /// Forgets an auction, unless it has this version.
    fn forget_unless(&mut self, auction: AuctionId, version: Option<i64>) {
        if version.is_some() && self.versions.get(&auction).copied() == version {
            return;
        }
        self.roles.retain(|(of, _), _| *of != auction);
        self.items.retain(|_, item| item.as_ref().is_some_and(|item| item.loaded.auction_id != auction));
        self.markets.remove(&auction);
        self.versions.remove(&auction);
        self.versions.extend(version.map(|version| (auction, version)));
    }

    /// Reads what `bids` need beyond this.
    pub(super) async fn learn<'a>(
        &mut self,
        conn: &mut Connection,
        bids: impl Iterator<Item = &'a PlaceBid> + Clone,
    ) -> Result<(), DbError> {
        let members = bids.clone().map(|bid| (bid.auction_id, bid.bidder.id));
        let members: BTreeSet<_> = members.filter(|member| !self.roles.contains_key(member)).collect();
        let members = Vec::from_iter(members);
        let found = access::store::roles(conn, &members).await?;
        self.roles.extend(members.into_iter().map(|member| (member, found.get(&member).copied())));
        let ids = bids.map(|bid| bid.item_id).filter(|id| !self.items.contains_key(id));
        let ids = Vec::from_iter(ids.collect::<BTreeSet<_>>());
        for (item_id, loaded) in items::store::bidding::read(conn, &ids).await? {
            let item = match readable(loaded)? {
                Some(loaded) => {
                    let market = self.market(conn, loaded.auction_id).await?;
                    market.map(|market| RoundItem::new(loaded, market))
                }
                None => None,
            };
            self.items.insert(item_id, item);
        }
        Ok(())
    }

    async fn market(
        &mut self,
        conn: &mut Connection,
        auction_id: AuctionId,
    ) -> Result<Option<Arc<Market>>, DbError> {
        if let Some(known) = self.markets.get(&auction_id) {
            return Ok(known.clone());
        }
        let market = readable(Market::read(conn, auction_id).await)?.map(Arc::new);
        self.markets.insert(auction_id, market.clone());
        Ok(market)
    }
}

/// What was read, or nothing where the database holds what can't be; the log says so.
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

//! What a round leaves to the next one, so that nothing is read twice while nobody else changes it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::bids::market::Market;
use crate::bids::place::PlaceBid;
use crate::bids::round_item::RoundItem;
use crate::db::{Connection, DbError, Held, Hold, Holds, Rows, Stand};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::members::Role;
use crate::{items, members};

/// Items and roles that are worth knowing from one round to the next, at most.
const KNOWN_MAX: usize = 20_000;

/// See the module.
#[derive(Default)]
pub struct Known {
    /// How the database stood when it was read, where that can be said of all of it.
    stand: Option<Stand>,
    /// Otherwise how often each auction had been changed. An item says so itself.
    revisions: HashMap<AuctionId, i64>,
    /// Nothing where somebody is no member.
    pub(super) roles: HashMap<(AuctionId, UserId), Option<Role>>,
    /// Nothing where an item can't be read: that is the trouble of its own bids alone.
    pub(super) items: HashMap<ItemId, Option<RoundItem>>,
    markets: HashMap<AuctionId, Option<Arc<Market>>>,
}

impl Known {
    /// How that stands which a batch has to hold, where all of it is known. Bids share it.
    pub fn believed(&self, holds: &Holds) -> Option<Held> {
        if let Some(stand) = self.stand {
            return Some(Held::All(stand));
        }
        if holds.hold == Hold::Alone {
            return None;
        }
        let auctions = holds.auctions.iter().map(|id| Some((*id, *self.revisions.get(id)?)));
        let items = holds.items.iter().map(|id| Some((*id, self.items.get(id)?.as_ref()?.loaded.version)));
        Some(Held::Rows(Rows {
            auctions: auctions.collect::<Option<_>>()?,
            items: items.collect::<Option<_>>()?,
        }))
    }

    /// Forgets what is held now and has changed since it was read, and everything where it has become too much.
    pub fn forget_changed(&mut self, holds: &Holds, held: &Held) {
        if self.roles.len() + self.items.len() > KNOWN_MAX {
            *self = Self::default();
        }
        match held {
            Held::All(stand) if self.stand == Some(*stand) => {}
            Held::All(stand) => *self = Self { stand: Some(*stand), ..Self::default() },
            Held::Rows(Rows { auctions, items }) => {
                for id in &holds.auctions {
                    self.stand_at(*id, auctions.get(id).copied());
                }
                for id in &holds.items {
                    let known = self.items.get(id).and_then(Option::as_ref).map(|item| item.loaded.version);
                    if known != items.get(id).copied() {
                        self.items.remove(id);
                    }
                }
            }
        }
    }

    /// Forgets an auction, unless it has been changed just so often.
    fn stand_at(&mut self, auction: AuctionId, revision: Option<i64>) {
        if revision.is_some() && self.revisions.get(&auction).copied() == revision {
            return;
        }
        self.roles.retain(|(of, _), _| *of != auction);
        self.items.retain(|_, item| item.as_ref().is_some_and(|item| item.loaded.auction_id != auction));
        self.markets.remove(&auction);
        self.revisions.remove(&auction);
        self.revisions.extend(revision.map(|revision| (auction, revision)));
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
        let found = members::store::roles(conn, &members).await?;
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

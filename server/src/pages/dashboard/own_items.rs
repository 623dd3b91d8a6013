//! The viewer's items in all auctions as page data.

use crate::pages::items::facts::LeastBid;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use app::model::{ItemSummary, Listing};
use auction_house::auctions::access::AuctionView;
use auction_house::bids::own::Position;
use auction_house::bids::own::list::{OwnBid, own_bids};
use auction_house::bids::pricing::PricingRules;
use auction_house::books::funds;
use auction_house::engine::Normalized;
use auction_house::ids::{AuctionId, BookId, ItemId, UserId};
use auction_house::items::access::ItemView;
use auction_house::items::outcomes::Outcome;
use auction_house::items::own::views::{ItemInAuction, view_items};
use auction_house::usage;
use platform::db::Connection;
use platform::paging::Paged;
use platform::time::Moment;

use crate::pages::auctions::facts::item_summary;
use crate::pages::cache::PageCache;
use crate::pages::error::Loaded;
use crate::pages::items::facts;
use crate::pages::items::least_first_bid::least_first_bid;
use crate::pages::money_style::MoneyStyle;
use crate::pages::request::PageRequest;

/// An item of the viewer with its auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnItemEntry {
    pub auction_id: String,
    pub auction_name: String,
    pub item: ItemSummary,
    /// Absent if the viewer has not bid on it.
    pub bid: Option<OwnBidEntry>,
}

/// The viewer's newest standing bid on an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBidEntry {
    pub position: Position,
    /// The amount in words, in the pieces in which it was entered.
    pub entered: String,
    /// The least bid that leads again. Absent if the viewer leads, may not bid, or there is none.
    pub least: Option<LeastBid>,
    /// What is left to be done about an item that the viewer has won. Absent before its outcome is written.
    pub dues: Option<Dues>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dues {
    pub is_paid: bool,
    pub is_collected: bool,
}

/// Currencies and rules by auction.
struct Pricing(HashMap<AuctionId, Arc<PricingRules>>);

impl Pricing {
    fn of(&self, auction: &AuctionView) -> Arc<PricingRules> {
        self.0.get(&auction.auction.id).cloned().unwrap_or_default()
    }
}

/// What the pages of a viewer's items are made of.
pub struct OwnItems<'a> {
    pub conn: Connection,
    pub cache: &'a PageCache,
    pub viewer: UserId,
    pub style: MoneyStyle,
    pub now: Moment,
    /// In the books that were read.
    available: HashMap<BookId, Normalized>,
}

impl<'a> OwnItems<'a> {
    pub async fn of(request: &'a PageRequest) -> Loaded<Self> {
        Ok(Self {
            viewer: request.user_id()?,
            conn: request.db().await?,
            cache: &request.state.pages,
            style: request.money_style(),
            now: request.now,
            available: HashMap::new(),
        })
    }

    /// Items by their ids, with the viewer's bids.
    pub async fn items(&mut self, ids: HashSet<ItemId>) -> Loaded<HashMap<ItemId, OwnItemEntry>> {
        let bids =
            usage::items_bid_on_among(&mut self.conn, self.viewer, ids.iter().copied(), self.now).await?;
        let own = own_bids(&mut self.conn, self.viewer, &bids, self.now).await?;
        let others: Vec<ItemId> = ids.into_iter().filter(|id| !own.contains_key(id)).collect();
        let others = view_items(&mut self.conn, self.viewer, &others, self.now).await?;
        let seen = own.values().map(|own| &own.seen).chain(others.values());
        let pricing = self.pricing(seen).await?;
        let mut items = HashMap::new();
        for (id, own) in own {
            items.insert(id, self.with_bid(own, &pricing).await?);
        }
        for (id, seen) in others {
            items.insert(id, self.without_bid(seen, &pricing)?);
        }
        Ok(items)
    }

    /// One page of a list of items.
    pub async fn listing(&mut self, found: Paged<ItemInAuction>) -> Loaded<Listing<OwnItemEntry>> {
        let pricing = self.pricing(found.entries.iter()).await?;
        let entries = found.entries.into_iter().map(|seen| self.without_bid(seen, &pricing));
        Ok(Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: found.next_cursor })
    }

    /// One page of a list of items with the viewer's bids.
    pub async fn listing_of_bids(&mut self, found: Paged<OwnBid>) -> Loaded<Listing<OwnItemEntry>> {
        let pricing = self.pricing(found.entries.iter().map(|own| &own.seen)).await?;
        let mut entries = Vec::with_capacity(found.entries.len());
        for own in found.entries {
            entries.push(self.with_bid(own, &pricing).await?);
        }
        Ok(Listing { entries, next_cursor: found.next_cursor })
    }

    /// The currencies and rules of the auctions of items.
    async fn pricing(&mut self, seen: impl Iterator<Item = &ItemInAuction>) -> Loaded<Pricing> {
        let auctions = seen.map(|seen| &seen.auction.auction);
        Ok(Pricing(self.cache.pricing_of(&mut self.conn, auctions, self.now).await?))
    }

    fn without_bid(&self, seen: ItemInAuction, pricing: &Pricing) -> Loaded<OwnItemEntry> {
        let ItemInAuction { auction, item } = seen;
        self.own_item(&auction, item, &pricing.of(&auction), None)
    }

    async fn with_bid(&mut self, own: OwnBid, pricing: &Pricing) -> Loaded<OwnItemEntry> {
        let OwnBid { seen: ItemInAuction { auction, item }, bid, position } = own;
        let pricing = pricing.of(&auction);
        let least = if position == Position::Outbid {
            // The viewer does not lead the item, so that all that is available is available for it.
            let available = match auction.auction.terms.book_id {
                Some(book_id) => Some(self.available(book_id).await?),
                None => None,
            };
            let preferred = bid.currency_profile_id();
            facts::least_bid(&auction, &item, &pricing, preferred, available, self.style, self.now)
        } else {
            None
        };
        let is_own = |outcome: &&Outcome| outcome.sold().is_some_and(|sold| sold.winner.id == self.viewer);
        let sold: Vec<&Outcome> = item.item.outcomes().filter(is_own).collect();
        let is_won = position == Position::Won && !sold.is_empty();
        let bid = OwnBidEntry {
            position,
            entered: facts::entered(&auction, &item, &pricing, &bid, self.style),
            least,
            dues: is_won.then(|| Dues {
                is_paid: sold.iter().all(|outcome| outcome.paid_at.is_some()),
                is_collected: sold.iter().all(|outcome| outcome.collected_at.is_some()),
            }),
        };
        self.own_item(&auction, item, &pricing, Some(bid))
    }

    async fn available(&mut self, book_id: BookId) -> Loaded<Normalized> {
        if let Some(known) = self.available.get(&book_id) {
            return Ok(*known);
        }
        let funds = funds::of(&mut self.conn, book_id, self.viewer).await?;
        self.available.insert(book_id, funds.available());
        Ok(funds.available())
    }

    fn own_item(
        &self,
        auction: &AuctionView,
        item: ItemView,
        pricing: &PricingRules,
        bid: Option<OwnBidEntry>,
    ) -> Loaded<OwnItemEntry> {
        let terms = &auction.auction.terms;
        let least = least_first_bid(&item, pricing);
        Ok(OwnItemEntry {
            auction_id: auction.auction.id.to_string(),
            auction_name: terms.name.clone(),
            item: item_summary(
                item,
                least,
                (terms.base_unit.as_ref(), pricing.currencies()),
                self.style,
                self.now,
            )?,
            bid,
        })
    }
}

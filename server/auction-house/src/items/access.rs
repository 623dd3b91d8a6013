//! Authorization for items: which ones a user may see, and what of them.

use accounts::person::PersonDocument;
use rules_engine::ItemTerms as EngineTerms;

use super::outcomes::{Outcome, SoldBid};
use super::price::legacy_terms;
use super::{Item, LegacyPrice, store};
use crate::access::Action;
use crate::auctions::access::{AccessError, AuctionView};
use crate::auctions::people::PeopleShown;
use crate::auctions::visibility::{BidFacts, ItemViewer, shows_bidder};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::usage;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// An item as one viewer sees it.
#[derive(Debug, Clone)]
pub struct ItemView {
    pub item: Item,
    pub viewer: ItemViewer,
    pub people: PeopleShown,
    /// The auction has no currency profiles.
    pub is_legacy: bool,
    /// The viewer watches the item.
    pub watched: bool,
    /// How many sealed bids stand, for OWNER, ADMIN and CLERK where one item is read.
    pub sealed_bids: Option<i64>,
}

impl ItemView {
    /// The item as the auction's viewer sees it. A draft is visible to its creator and the managers only.
    pub fn authorize(item: Item, auction: &AuctionView, watched: bool) -> Result<Self, AccessError> {
        let seen = Self::of(item, auction, watched);
        if seen.item.terms.is_published || seen.manages() {
            Ok(seen)
        } else {
            Err(AccessError::hidden_from(auction.viewer))
        }
    }

    /// The item without authorization.
    pub(super) fn of(item: Item, auction: &AuctionView, watched: bool) -> Self {
        let is_seller = item.seller.id == auction.viewer;
        let is_outsider = auction.is_outsider();
        let viewer = ItemViewer { user: auction.viewer, role: auction.role, is_seller, is_outsider };
        Self {
            item,
            viewer,
            people: PeopleShown::to(auction),
            is_legacy: auction.auction.is_legacy,
            watched,
            sealed_bids: None,
        }
    }

    /// Counts the sealed bids for a viewer who may know how many there are.
    pub async fn with_sealed_bids(self, conn: &mut Connection) -> Result<Self, DbError> {
        let may_know = self.viewer.role.is_some_and(|role| role.may(Action::RunHall));
        if !may_know || !self.item.terms.format.is_sealed() || self.item.closed_at.is_some() {
            return Ok(self);
        }
        let count = usage::sealed_bids(conn, self.item.id).await?;
        Ok(Self { sealed_bids: Some(count), ..self })
    }

    /// Whether the viewer may change the item, publish it, and see it as a draft.
    pub fn manages(&self) -> bool {
        self.item.creator.id == self.viewer.user
            || self.viewer.role.is_some_and(|role| role.may(Action::ManageItems))
    }

    /// The leader, as far as the viewer may know them.
    pub fn highest_bidder(&self, now: Moment) -> Option<PersonDocument> {
        let bid = self.item.highest_bid.as_ref()?;
        let is_known = self.shows_bidder(bid.bidder.id, bid.is_anonymous, bid.sequence, now);
        self.people.person(bid.bidder.clone(), is_known)
    }

    /// Whether the viewer may know the bidder of one of the item's bids.
    pub fn shows_bidder(&self, bidder: UserId, is_anonymous: bool, sequence: i64, now: Moment) -> bool {
        let won = self.item.is_won_by(sequence, now);
        let facts = BidFacts { bidder: Some(bidder), is_anonymous, won };
        shows_bidder(self.people.visibility, self.viewer, facts)
    }

    /// Whether the viewer may know the people of the item's outcome, of its first copy.
    pub fn shows_winner(&self) -> bool {
        self.shows_winner_of(self.item.outcome.as_ref())
    }

    /// Whether the viewer may know the people of an outcome in force.
    pub fn shows_winner_of(&self, outcome: Option<&Outcome>) -> bool {
        let sold = outcome.and_then(Outcome::sold);
        shows_bidder(self.people.visibility, self.viewer, SoldBid::facts(sold, true))
    }

    /// The price that counts where the auction has no currency profiles.
    pub fn legacy_price(&self) -> Option<&LegacyPrice> {
        self.item.terms.price.legacy.as_ref().filter(|_| self.is_legacy)
    }

    /// The least amounts that the item accepts, in base units: a legacy auction's base unit is the item's
    /// currency.
    pub fn effective_terms(&self) -> EngineTerms {
        let price = &self.item.terms.price;
        if !self.is_legacy {
            return EngineTerms {
                min_bid_normalized: price.minimum.as_ref().map(|minimum| minimum.normalized),
                min_increment_normalized: price.min_increment,
            };
        }
        self.legacy_price().map(legacy_terms).unwrap_or_default()
    }
}

/// Whether the auction's viewer may know that the item exists. A user who was sold an item sees it also after
/// leaving or being removed.
pub fn is_visible(auction: &AuctionView, item: &Item) -> bool {
    auction.is_visible() || item.is_sold_to(auction.viewer)
}

/// One item of an auction that the viewer sees. A draft is visible to its creator and the managers only.
pub async fn view_item(
    conn: &mut Connection,
    auction: &AuctionView,
    item_id: ItemId,
) -> Result<ItemView, AccessError> {
    let item = store::find(conn, auction.auction.id, item_id).await?;
    let item = item.ok_or_else(|| AccessError::hidden_from(auction.viewer))?;
    let watched = store::watches::among(conn, auction.auction.id, auction.viewer, &[item_id]).await?;
    let seen = ItemView::authorize(item, auction, watched.contains(&item_id))?;
    Ok(seen.with_sealed_bids(conn).await?)
}

/// Items of the auction by their ids, as far as the viewer sees them, in the order of the ids.
pub async fn view_items(
    conn: &mut Connection,
    auction: &AuctionView,
    ids: &[ItemId],
) -> Result<Vec<ItemView>, DbError> {
    let items = store::find_among(conn, ids).await?;
    let watched = store::watches::among(conn, auction.auction.id, auction.viewer, ids).await?;
    let seen = items.into_iter().filter_map(|item| {
        let is_watched = watched.contains(&item.id);
        ItemView::authorize(item, auction, is_watched).ok()
    });
    Ok(seen.collect())
}

/// An item with its auction, for a viewer who sees both.
pub async fn view_in_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
    now: Moment,
) -> Result<(AuctionView, ItemView), AccessError> {
    let found = store::find_in_auction(conn, auction_id, item_id, viewer, now).await?;
    let found = found.filter(|(auction, item, _)| is_visible(auction, item));
    let (auction, item, watched) = found.ok_or_else(|| AccessError::hidden_from(viewer))?;
    let seen = ItemView::authorize(item, &auction, watched)?;
    Ok((auction, seen.with_sealed_bids(conn).await?))
}

/// An item with its auction, for a user who may change it: its creator, OWNER and ADMIN.
pub async fn manage_item(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    user: UserId,
    now: Moment,
) -> Result<(AuctionView, ItemView), AccessError> {
    let (auction, seen) = view_in_auction(conn, auction_id, item_id, user, now).await?;
    if seen.manages() { Ok((auction, seen)) } else { Err(AccessError::Forbidden) }
}

//! An item at the moment of an event, and what its listeners have received of it.

use crate::access::Role;
use crate::auctions::Auction;
use crate::auctions::people::PeopleShown;
use crate::auctions::visibility::{BidFacts, ItemViewer};
use crate::ids::{ItemId, UserId};
use crate::items::access::ItemView;
use crate::items::{self, Item, ItemStatus};
use platform::db::{Connection, DbError};
use platform::time::Moment;
use std::collections::HashSet;

/// An item at the moment of an event.
#[derive(Debug, Clone)]
pub struct ItemSnapshot {
    pub item: Item,
    /// People of the auction, as far as members see them.
    pub people: PeopleShown,
    /// The auction has no currency profiles.
    pub is_legacy: bool,
    /// Members who watch the item.
    pub watchers: HashSet<UserId>,
    pub now: Moment,
}

/// What an item's listeners have received of it, apart from its bids. A difference to it is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredItem {
    item: Item,
    people: PeopleShown,
    status: ItemStatus,
    is_legacy: bool,
}

impl ItemSnapshot {
    pub fn of(seen: &ItemView, now: Moment) -> Self {
        let watchers = seen.watched.then_some(seen.viewer.user).into_iter().collect();
        let people = seen.people.to_members();
        Self { item: seen.item.clone(), people, is_legacy: seen.is_legacy, watchers, now }
    }

    /// The item of an auction, if there is one.
    pub async fn read(
        conn: &mut Connection,
        auction: &Auction,
        item_id: ItemId,
        now: Moment,
    ) -> Result<Option<Self>, DbError> {
        let Some(item) = items::store::find(conn, auction.id, item_id).await? else { return Ok(None) };
        let watchers = items::store::watches::of_item(conn, item_id).await?;
        Ok(Some(Self { item, people: PeopleShown::of(auction), is_legacy: auction.is_legacy, watchers, now }))
    }

    pub fn status(&self) -> ItemStatus {
        self.item.status(self.now)
    }

    /// The creator, if the item is a draft.
    pub fn draft_of(&self) -> Option<UserId> {
        (!self.item.terms.is_published).then_some(self.item.creator.id)
    }

    /// What decides who may see the bidder of one of the item's bids.
    pub fn seen_in_bid(&self, bidder: UserId, is_anonymous: bool, sequence: i64) -> BidFacts {
        let won = self.item.is_won_by(sequence, self.now);
        BidFacts { bidder: Some(bidder), is_anonymous, won }
    }

    /// The view without anything hidden, of a viewer who does not watch the item.
    pub fn unredacted(&self) -> ItemView {
        let viewer = ItemViewer {
            user: self.item.seller.id,
            role: Some(Role::Owner),
            is_seller: true,
            is_outsider: false,
        };
        let (item, people, is_legacy) = (self.item.clone(), self.people.clone(), self.is_legacy);
        ItemView { item, viewer, people, is_legacy, watched: false, sealed_bids: None }
    }
}

impl DeliveredItem {
    pub fn of(snapshot: &ItemSnapshot) -> Self {
        let (mut item, status) = (snapshot.item.clone(), snapshot.status());
        // The event of a closed item repeats with a bid that was judged before the end and committed after
        // it.
        if status != ItemStatus::Closed {
            item.last_sequence = 0;
            item.highest_bid = None;
        }
        item.version = 0;
        item.updated_at = item.created_at;
        Self { item, people: snapshot.people.clone(), status, is_legacy: snapshot.is_legacy }
    }

    pub fn is_published(&self) -> bool {
        self.item.terms.is_published
    }

    /// When the clock opens or closes the item next.
    pub fn next_transition(&self, now: Moment) -> Option<Moment> {
        let moments = [self.item.terms.starts_at, self.item.ends_at];
        moments.into_iter().flatten().filter(|moment| *moment > now).min()
    }
}

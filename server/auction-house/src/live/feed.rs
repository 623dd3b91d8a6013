//! What a topic has delivered, and the reading of what follows.

use std::collections::BTreeMap;

use super::event_batch::{EventBatch, EventBatchBuilder};
use super::read::{self, AuctionPosition, ItemPosition};
use super::snapshot::{DeliveredItem, ItemSnapshot};
use super::topic::Topic;
use crate::auctions::Auction;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::store::transitions;
use crate::usage;
use platform::db::{DbError, Snapshot};
use platform::time::Moment;

/// The events of a topic past the delivered ones.
#[derive(Debug)]
pub enum Feed {
    Item(Box<ItemFeed>),
    Auction(AuctionFeed),
}

/// The feed of one item.
#[derive(Debug)]
pub struct ItemFeed {
    auction_id: AuctionId,
    item_id: ItemId,
    upto: ItemPosition,
    delivered: DeliveredItem,
}

/// The feed of an auction.
#[derive(Debug)]
pub struct AuctionFeed {
    auction_id: AuctionId,
    upto: AuctionPosition,
    /// The items that listeners may know, drafts with their creators, from the first reading on: with their
    /// auction all of them are gone.
    items: Option<BTreeMap<ItemId, Option<UserId>>>,
}

/// One reading of a feed.
#[derive(Debug)]
pub struct FeedReading {
    pub batch: EventBatch,
    pub next: Next,
}

/// What follows a reading.
#[derive(Debug)]
pub enum Next {
    /// There is more to read at once.
    ReadOn,
    /// A wake-up, or the moment when the clock opens or closes an item.
    Wait(Option<Moment>),
    /// The item or the auction is deleted, or streams are to begin anew.
    End,
}

impl Feed {
    pub fn topic(&self) -> Topic {
        match self {
            Self::Item(feed) => Topic::Item(feed.auction_id, feed.item_id),
            Self::Auction(feed) => Topic::Auction(feed.auction_id),
        }
    }

    /// Reads on. `auction` is absent once it is deleted.
    pub async fn read(
        &mut self,
        conn: &mut Snapshot,
        auction: Option<&Auction>,
        now: Moment,
    ) -> Result<FeedReading, DbError> {
        match self {
            Self::Item(feed) => feed.read(conn, auction, now).await,
            Self::Auction(feed) => feed.read(conn, auction, now).await,
        }
    }
}

impl ItemFeed {
    /// Everything after this snapshot.
    pub fn after(snapshot: &ItemSnapshot) -> Self {
        let item = &snapshot.item;
        Self {
            auction_id: item.auction_id,
            item_id: item.id,
            upto: ItemPosition { sequence: item.last_sequence, withdrawals: item.withdrawals },
            delivered: DeliveredItem::of(snapshot),
        }
    }

    async fn read(
        &mut self,
        conn: &mut Snapshot,
        auction: Option<&Auction>,
        now: Moment,
    ) -> Result<FeedReading, DbError> {
        let snapshot = match auction {
            Some(auction) => ItemSnapshot::read(conn, auction, self.item_id, now).await?,
            None => None,
        };
        let Some(snapshot) = snapshot else {
            return FeedReading::end([(self.item_id, None)], self.upto.sequence);
        };
        let (batch, upto) = read::item_events(conn, &snapshot, self.upto, &self.delivered).await?;
        self.upto = upto;
        self.delivered = DeliveredItem::of(&snapshot);
        let item = &snapshot.item;
        let more = upto.sequence < item.last_sequence || upto.withdrawals < item.withdrawals;
        let next = if more { Next::ReadOn } else { Next::Wait(self.delivered.next_transition(now)) };
        Ok(FeedReading { batch, next })
    }
}

impl AuctionFeed {
    /// Everything after this position.
    pub fn after(auction_id: AuctionId, upto: AuctionPosition) -> Self {
        Self { auction_id, upto, items: None }
    }

    async fn read(
        &mut self,
        conn: &mut Snapshot,
        auction: Option<&Auction>,
        now: Moment,
    ) -> Result<FeedReading, DbError> {
        let Some(auction) = auction else {
            return FeedReading::end(self.items.take().unwrap_or_default(), self.upto.position);
        };
        let next_transition = transitions::next(conn, auction.id, now).await?;
        let mut items = match self.items.take() {
            Some(items) => items,
            None => usage::items_with_drafts(conn, auction.id).await?.into_iter().collect(),
        };
        let events = read::auction_events(conn, auction, self.upto, None, now).await;
        if let Ok(events) = &events {
            events.update_items(&mut items);
        }
        self.items = Some(items);
        let events = events?;
        if events.all_changed {
            // The streams end, and their clients resume: each gets `reset`.
            return Ok(FeedReading {
                batch: EventBatchBuilder::default().finish(self.upto.position, self.upto.position),
                next: Next::End,
            });
        }
        let (upto, more) = (events.upto, events.more);
        let batch = events.in_order()?;
        self.upto = upto;
        Ok(FeedReading { batch, next: if more { Next::ReadOn } else { Next::Wait(next_transition) } })
    }
}

impl FeedReading {
    /// The last one.
    fn end(items: impl IntoIterator<Item = (ItemId, Option<UserId>)>, upto: i64) -> Result<Self, DbError> {
        Ok(Self { batch: read::deleted(items, upto)?, next: Next::End })
    }
}

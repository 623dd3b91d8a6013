//! The images of an item: add, describe, order, remove, and the removal of files that no item refers to.

pub mod add;
pub mod change;
pub mod collect;
pub mod document;
pub mod of_new_item;
pub mod order;
pub mod remove;
pub mod routes;

use super::access::{ItemView, manage_item};
use super::{Item, ItemStatus, store};
use crate::auctions::access::AuctionView;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::images::Image;
use crate::locks::LockingWrites;
use platform::db::{DbError, Transaction};
use platform::time::Moment;
use platform::verb::AccessError;

/// An item that its user may change, locked until the transaction ends.
struct ManagedItem {
    db: Transaction,
    auction: AuctionView,
    seen: ItemView,
    now: Moment,
}

impl ManagedItem {
    async fn lock(
        context: &Context,
        auction_id: AuctionId,
        item_id: ItemId,
        user: UserId,
    ) -> Result<Self, AccessError> {
        let now = context.clock.now();
        let mut db = context.db.write_in(&[auction_id]).await?;
        let (auction, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
        Ok(Self { db, auction, seen, now })
    }

    /// The images of a closed item stay as they are.
    fn is_closed(&self) -> bool {
        is_closed(&self.auction, &self.seen, self.now)
    }

    /// Writes other images, with their event. The same ones keep the version.
    async fn write(&mut self, images: Vec<Image>) -> Result<(), DbError> {
        let had = &self.seen.item;
        if images == had.images {
            return Ok(());
        }
        let changed = Item { images, updated_at: self.now, ..had.clone() };
        store::update(&mut self.db, had, &changed).await?;
        let (auction_id, item_id) = (had.auction_id, had.id);
        events::store::record_change(&mut self.db, auction_id, item_id, ItemChange::Edited, self.now).await
    }

    async fn commit(self, context: &Context) -> Result<(), DbError> {
        let item = (self.seen.item.auction_id, self.seen.item.id);
        self.db.commit().await?;
        context.events.publish(&Signal::Items([item].into()));
        Ok(())
    }
}

fn is_closed(auction: &AuctionView, seen: &ItemView, now: Moment) -> bool {
    seen.item.status(now) == ItemStatus::Closed || auction.auction.has_ended(now)
}

//! The item on the block of an auction: the one that is being sold aloud (SPEC, section 15).

use super::ItemStatus;
use super::access::view_item;
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::auctions::{Auction, store};
use crate::codes;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::fields::FieldError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::{AccessError, VerbError};

/// The item that a request puts on the block; none takes the present one from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockBody {
    item_id: Option<ItemId>,
}

impl Shape for BlockBody {
    const NAME: &'static str = "Block";

    fn members(&mut self, members: &mut Members<'_>) {
        members.parsed("itemId", &mut self.item_id).about("Of the auction; null for no item.");
    }
}

refusals! {
    /// Why an item is not put on the block.
    pub enum BlockRefusal {
        Draft => codes::ITEM_NOT_OPEN, "The item is a draft: publish it first.";
        Closed => codes::ITEM_NOT_OPEN, "The item is closed already.";
    }
}

/// Puts an item on the block, in place of the one there. A closed item stays there until then.
pub async fn put_on_block(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<AuctionView, VerbError<BlockRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::RunHall)?;
    let BlockBody { item_id } = shape::parse(body.read()?)?;
    let had = seen.auction.block_item_id;
    if item_id == had {
        return Ok(seen);
    }
    if let Some(item_id) = item_id {
        let item = match view_item(&mut db, &seen, item_id).await {
            Err(AccessError::NotFound) => {
                return Err(
                    vec![FieldError::new("itemId", "must be the id of an item of the auction")].into()
                );
            }
            item => item?.item,
        };
        match item.status(now) {
            ItemStatus::Draft => return Err(BlockRefusal::Draft.into()),
            ItemStatus::Closed => return Err(BlockRefusal::Closed.into()),
            ItemStatus::Scheduled | ItemStatus::Open => {}
        }
    }
    let changed = Auction {
        block_item_id: item_id,
        version: seen.auction.version + 1,
        updated_at: now,
        ..seen.auction.clone()
    };
    store::update_block(&mut db, &changed).await?;
    let touched = item_id.or(had);
    if let Some(item_id) = touched {
        events::store::record_change(&mut db, auction_id, item_id, ItemChange::Block, now).await?;
    }
    db.commit().await?;
    context
        .events
        .publish(&Signal::Items(touched.map(|item_id| (auction_id, item_id)).into_iter().collect()));
    Ok(AuctionView { auction: changed, ..seen })
}

//! The items that come next in a hall.

use std::collections::HashMap;

use auction_house::auctions::access::AuctionView;
use auction_house::ids::ItemId;
use auction_house::items::access::{ItemView, view_items};
use auction_house::items::running_order::CalledItem;
use auction_house::items::running_order::list::next_items;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// The next open items of the running order, besides the one on the block.
pub async fn next(
    db: &mut Connection,
    auction: &AuctionView,
    count: usize,
    now: Moment,
) -> Result<Vec<ItemView>, DbError> {
    let found = next_items(db, auction.auction.id, auction.auction.block_item_id, count, now).await?;
    in_order(db, auction, &found).await
}

/// The items as the viewer sees them, in this order.
pub async fn in_order(
    db: &mut Connection,
    auction: &AuctionView,
    called: &[CalledItem],
) -> Result<Vec<ItemView>, DbError> {
    let ids: Vec<ItemId> = called.iter().map(|item| item.id).collect();
    let mut seen = view_items(db, auction, &ids).await?;
    let places: HashMap<ItemId, usize> = ids.into_iter().zip(0..).collect();
    seen.sort_by_key(|seen| places.get(&seen.item.id).copied());
    Ok(seen)
}

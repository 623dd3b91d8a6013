//! Items of several auctions, each as one viewer sees it.

use std::collections::HashMap;

use crate::auctions::access::AuctionView;
use crate::ids::{ItemId, UserId};
use crate::items::access::{ItemView, is_visible};
use crate::items::store;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// An item with its auction.
#[derive(Debug, Clone)]
pub struct ItemInAuction {
    pub auction: AuctionView,
    pub item: ItemView,
}

/// The items by their ids, without those that the viewer may not see. Their descriptions go no further than
/// lists show.
pub async fn view_items(
    conn: &mut Connection,
    viewer: UserId,
    ids: &[ItemId],
    now: Moment,
) -> Result<HashMap<ItemId, ItemInAuction>, DbError> {
    let found = store::find_all(conn, viewer, ids, now).await?;
    let visible = found.into_iter().filter(|(auction, item, _)| is_visible(auction, item));
    let seen = visible.filter_map(|(auction, item, watched)| {
        let item = ItemView::authorize(item, &auction, watched).ok()?;
        Some((item.item.id, ItemInAuction { auction, item }))
    });
    Ok(seen.collect())
}

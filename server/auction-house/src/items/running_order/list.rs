//! Lists the items that are still to be called.

use super::{CalledItem, OrderPlace};
use crate::ids::{AuctionId, ItemId};
use crate::items::ITEMS_MAX;
use crate::items::store::running_order::{self as store, Listed};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::time::Moment;

/// A page of the published items of the auction that are not closed, in the order in which they are called,
/// with those that are held.
pub async fn running_order(
    conn: &mut Connection,
    auction_id: AuctionId,
    page: Page<OrderPlace>,
    now: Moment,
) -> Result<Paged<CalledItem>, DbError> {
    let listed = Listed {
        with_called: true,
        with_held: true,
        with_scheduled: true,
        after: page.after.clone(),
        limit: page.rows(),
    };
    let found = store::list(conn, auction_id, listed, now).await?;
    Ok(page.paged(found, |item| item.place.to_string()))
}

/// The first items after the one on the block that are open and not held.
pub async fn next_items(
    conn: &mut Connection,
    auction_id: AuctionId,
    on_block: Option<ItemId>,
    limit: usize,
    now: Moment,
) -> Result<Vec<CalledItem>, DbError> {
    // One of them may be on the block.
    let rows = i64::try_from(limit).unwrap_or(0).saturating_add(1);
    let listed =
        Listed { with_called: true, with_held: false, with_scheduled: false, after: None, limit: rows };
    let mut found = store::list(conn, auction_id, listed, now).await?;
    found.retain(|item| Some(item.id) != on_block);
    found.truncate(limit);
    Ok(found)
}

/// All items that are to be called after the one on the block.
pub async fn called_items(
    conn: &mut Connection,
    auction_id: AuctionId,
    on_block: Option<ItemId>,
    now: Moment,
) -> Result<Vec<ItemId>, DbError> {
    let listed =
        Listed { with_called: true, with_held: false, with_scheduled: true, after: None, limit: ITEMS_MAX };
    let found = store::list(conn, auction_id, listed, now).await?;
    Ok(found.into_iter().map(|item| item.id).filter(|id| Some(*id) != on_block).collect())
}

/// The first items that are held.
pub async fn held_items(
    conn: &mut Connection,
    auction_id: AuctionId,
    limit: i64,
    now: Moment,
) -> Result<Vec<CalledItem>, DbError> {
    let listed = Listed { with_called: false, with_held: true, with_scheduled: true, after: None, limit };
    store::list(conn, auction_id, listed, now).await
}

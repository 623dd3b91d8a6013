//! Lists the items that a user has bid on, newest item first.

use std::collections::HashMap;

use super::Position;
use crate::bids::{Bid, store};
use crate::ids::{ItemId, UserId};
use crate::items::own::views::{ItemInAuction, view_items};
use crate::usage::{self, ItemBidOn};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::time::Moment;

/// An item that a user has bid on.
#[derive(Debug, Clone)]
pub struct OwnBid {
    pub seen: ItemInAuction,
    /// The user's newest standing bid.
    pub bid: Bid,
    pub position: Position,
}

/// The items on which the user has a standing bid, with this position or with any.
pub async fn list_own_bids(
    conn: &mut Connection,
    user: UserId,
    position: Option<Position>,
    page: Page<ItemId>,
    now: Moment,
) -> Result<Paged<OwnBid>, DbError> {
    let (found, read_to) = match position {
        None => (usage::items_bid_on(conn, user, page.after, page.rows(), now).await?, None),
        Some(position) => {
            usage::items_bid_on_so(conn, user, position.flags(), page.after, page.rows(), now).await?
        }
    };
    let found = page.paged(found, |row| row.item.item_id.to_string());
    let found = found.continued_after(read_to.map(|last| last.to_string()));
    let mut bids = own_bids(conn, user, &found.entries, now).await?;
    Ok(found.filter_map(|row| bids.remove(&row.item.item_id)))
}

/// These items with the user's newest standing bids. An item is left out if the user may no longer see it, or
/// has withdrawn the last bid on it.
pub async fn own_bids(
    conn: &mut Connection,
    user: UserId,
    found: &[ItemBidOn],
    now: Moment,
) -> Result<HashMap<ItemId, OwnBid>, DbError> {
    let ids: Vec<ItemId> = found.iter().map(|row| row.item.item_id).collect();
    let mut seen = view_items(conn, user, &ids, now).await?;
    let items: Vec<_> = seen.values().map(|seen| (seen.item.item.auction_id, seen.item.item.id)).collect();
    let mut bids = store::bidders::newest_standing(conn, user, &items).await?;
    let own = found.iter().filter_map(|row| {
        let id = row.item.item_id;
        Some((id, OwnBid { seen: seen.remove(&id)?, bid: bids.remove(&id)?, position: Position::of(row) }))
    });
    Ok(own.collect())
}

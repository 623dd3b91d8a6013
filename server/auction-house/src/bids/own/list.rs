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

/// Items that are read at once to find those with a position.
const ROWS: usize = 500;
/// Items that are read for one page, at most: a page may end early.
const ROWS_MAX: usize = 2_000;

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
    let mut found: Vec<ItemBidOn> = Vec::new();
    let (mut read, mut last) = (0, page.after);
    let is_last = loop {
        let rows = i64::try_from(ROWS).unwrap_or(i64::MAX);
        let next = usage::items_bid_on(conn, user, last, rows, now).await?;
        let is_last = next.len() < ROWS;
        read += next.len();
        last = next.last().map(|row| row.item.item_id).or(last);
        let of_position = |row: &ItemBidOn| position.is_none_or(|position| Position::of(row) == position);
        found.extend(next.into_iter().filter(of_position));
        if is_last || found.len() > page.limit || read >= ROWS_MAX {
            break is_last;
        }
    };
    let rest = last.filter(|_| !is_last).map(|last| last.to_string());
    let found = page.paged(found, |row| row.item.item_id.to_string()).continued_after(rest);
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

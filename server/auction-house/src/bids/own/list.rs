//! Lists the items that a user has bid on, newest item first.

use std::collections::HashMap;
use std::sync::Arc;

use super::Position;
use crate::bids::PlacedBid;
use crate::bids::sealed::SealedBid;
use crate::bids::store;
use crate::bids::store::sealed::ApartItems;
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
    pub bid: PlacedBid,
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
    let (after, rows) = (page.after, page.rows());
    let (open, read_to) = match position.map(Position::flags) {
        None => (usage::items_bid_on(conn, user, after, rows, now).await?, None),
        Some(Some(flags)) => usage::items_bid_on_so(conn, user, flags, after, rows, now).await?,
        Some(None) => (Vec::new(), None),
    };
    let mut apart = Vec::new();
    for (of_item, items) in
        [(Position::Standing, ApartItems::NotClosed), (Position::Lost, ApartItems::Cancelled)]
    {
        if position.is_none_or(|position| position == of_item) {
            let bids = store::sealed::newest_of(conn, user, items, after, rows).await?;
            // Those past the last item that was read are on the next page.
            let is_here = |bid: &SealedBid| read_to.is_none_or(|last| bid.item_id >= last);
            apart.extend(bids.into_iter().filter(is_here).map(|bid| Found::Apart(Box::new(bid), of_item)));
        }
    }
    let mut found: Vec<Found> = open.into_iter().map(Found::Open).chain(apart).collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.item_id()));
    found.truncate(usize::try_from(rows).unwrap_or(usize::MAX));
    let found = page.paged(found, |found| found.item_id().to_string());
    let found = found.continued_after(read_to.map(|last| last.to_string()));
    let mut bids = of_found(conn, user, &found.entries, now).await?;
    Ok(found.filter_map(|found| bids.remove(&found.item_id())))
}

/// An item that the user has bid on, as it was found.
enum Found {
    Open(ItemBidOn),
    /// Not in the ledger.
    Apart(Box<SealedBid>, Position),
}

impl Found {
    fn item_id(&self) -> ItemId {
        match self {
            Self::Open(found) => found.item.item_id,
            Self::Apart(bid, _) => bid.item_id,
        }
    }
}

async fn of_found(
    conn: &mut Connection,
    user: UserId,
    found: &[Found],
    now: Moment,
) -> Result<HashMap<ItemId, OwnBid>, DbError> {
    let (mut open, mut apart) = (Vec::new(), Vec::new());
    for found in found {
        match found {
            Found::Open(found) => open.push(*found),
            Found::Apart(bid, position) => apart.push((bid, *position)),
        }
    }
    let mut own = own_bids(conn, user, &open, now).await?;
    let ids: Vec<ItemId> = apart.iter().map(|(bid, _)| bid.item_id).collect();
    let mut seen = view_items(conn, user, &ids, now).await?;
    for (bid, position) in apart {
        if let Some(seen) = seen.remove(&bid.item_id) {
            let bid = PlacedBid::Apart(Arc::new(SealedBid::clone(bid)));
            own.insert(seen.item.item.id, OwnBid { seen, bid, position });
        }
    }
    Ok(own)
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
        let bid = PlacedBid::Open(Arc::new(bids.remove(&id)?));
        Some((id, OwnBid { seen: seen.remove(&id)?, bid, position: Position::of(row) }))
    });
    Ok(own.collect())
}

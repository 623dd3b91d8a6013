//! An item's bids, page by page, as one viewer may see them.

use crate::auctions::visibility::{BidSeen, Onlooker, visible_bidder};
use crate::bids::access::SeenItem;
use crate::bids::{Bid, store};
use crate::clock::Moment;
use crate::db::{Connection, DbError};
use crate::ids::ItemId;
use crate::items::ItemStatus;

/// Bids of one page, at most.
pub const LIMIT_MAX: u32 = 100;
/// Bids of one page where nothing is said.
pub const LIMIT_DEFAULT: u32 = 50;

/// Which page.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// 1 to [`LIMIT_MAX`].
    pub limit: u32,
    /// Only bids of a lower sequence.
    pub before: Option<i64>,
}

/// Bids, newest first, and where the next page begins.
#[derive(Debug)]
pub struct Listed {
    pub bids: Vec<SeenBid>,
    pub next_before: Option<i64>,
}

/// A bid, and whether the viewer may know whose it is.
#[derive(Debug)]
pub struct SeenBid {
    pub bid: Bid,
    pub shows_bidder: bool,
}

/// One page of the bids of an item that `found` says the viewer may see.
pub async fn list(
    conn: &mut Connection,
    item_id: ItemId,
    found: &SeenItem,
    now: Moment,
    page: Page,
) -> Result<Listed, DbError> {
    let before = page.before.unwrap_or(i64::MAX);
    let mut bids = store::newest(conn, found.item.auction_id, item_id, before, page.limit + 1).await?;
    let more = bids.len() > usize::try_from(page.limit).unwrap_or(usize::MAX);
    if more {
        bids.pop();
    }
    let next_before = bids.last().filter(|_| more).map(|bid| bid.sequence);
    let visibility = found.seen.auction.terms.bidder_visibility;
    let viewer = found.seen.viewer;
    let onlooker = Onlooker { viewer, role: found.seen.role, is_creator: found.item.creator_id == viewer };
    let closed = found.item.status(now) == ItemStatus::Closed;
    let see = |bid: Bid| {
        let won = closed && bid.sequence == found.item.last_sequence;
        let bid_seen = BidSeen { bidder: bid.bidder.id, is_anonymous: bid.is_anonymous, won };
        SeenBid { shows_bidder: visible_bidder(visibility, onlooker, bid_seen).is_some(), bid }
    };
    Ok(Listed { bids: bids.into_iter().map(see).collect(), next_before })
}

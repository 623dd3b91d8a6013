//! An item's bids, page by page, as one viewer may see them.

use crate::bids::{Bid, BidSelection, store};
use crate::items::access::ItemView;
use crate::path::ItemPath;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Bids of one page, at most.
pub const LIMIT_MAX: u32 = 100;
/// Bids of one page by default.
pub const LIMIT_DEFAULT: u32 = 50;

/// A page of the list.
#[derive(Debug, Clone, Copy)]
pub struct BidRange {
    /// 1 to [`LIMIT_MAX`].
    pub limit: u32,
    /// Only bids of a lower sequence.
    pub before: Option<i64>,
}

/// Bids, newest first, and where the next page begins.
#[derive(Debug)]
pub struct BidList {
    pub bids: Vec<ListedBid>,
    pub next_before: Option<i64>,
}

/// A bid, and whether the viewer may see the bidder.
#[derive(Debug)]
pub struct ListedBid {
    pub bid: Bid,
    pub shows_bidder: bool,
}

/// One page of the bids of an item that the viewer may see.
pub async fn list(
    conn: &mut Connection,
    seen: &ItemView,
    now: Moment,
    range: BidRange,
) -> Result<BidList, DbError> {
    let item = ItemPath { auction_id: seen.item.auction_id, item_id: seen.item.id };
    let below = BidSelection::Below(range.before.unwrap_or(i64::MAX));
    let mut bids = store::select(conn, item, below, i64::from(range.limit) + 1).await?;
    let more = bids.len() > usize::try_from(range.limit).unwrap_or(usize::MAX);
    if more {
        bids.pop();
    }
    let next_before = bids.last().filter(|_| more).map(|bid| bid.sequence);
    let list = |bid: Bid| ListedBid {
        shows_bidder: seen.shows_bidder(bid.bidder.id, bid.is_anonymous, bid.sequence, now),
        bid,
    };
    Ok(BidList { bids: bids.into_iter().map(list).collect(), next_before })
}

//! An item's bids, page by page, as one viewer may see them.

use crate::access::{Action, Role};
use crate::bids::sealed::SealedBid;
use crate::bids::{Bid, BidSelection, KnownPeople, store};
use crate::ids::UserId;
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

/// A bid, and what the viewer may know of its people.
#[derive(Debug)]
pub struct ListedBid {
    pub bid: Bid,
    pub known: KnownPeople,
}

/// What the viewer of an item may know of the people of a bid on it.
pub fn known_people(seen: &ItemView, bid: &Bid, now: Moment) -> KnownPeople {
    KnownPeople {
        bidder: seen.shows_bidder(bid.bidder.id, bid.is_anonymous, bid.sequence, now),
        clerk: knows_clerk(seen.viewer.user, seen.viewer.role, bid.bidder.id),
    }
}

/// Whether a user may know which clerk has placed a bid for this bidder.
pub fn knows_clerk(user: UserId, role: Option<Role>, bidder: UserId) -> bool {
    user == bidder || role.is_some_and(|role| role.may(Action::SeeBidders))
}

/// The standing sealed bid of the viewer, which is all that the viewer sees of the bids on an item until it
/// is closed. None once the ledger has its bids.
pub async fn own_sealed(conn: &mut Connection, seen: &ItemView) -> Result<Option<SealedBid>, DbError> {
    if !seen.item.terms.format.is_sealed() || seen.item.last_sequence > 0 {
        return Ok(None);
    }
    Ok(own_apart(conn, seen).await?.pop())
}

/// The bids of the viewer that stand apart, in the order of their receipts: the sealed one until the ledger
/// has it, or tickets, also after the draw.
pub async fn own_apart(conn: &mut Connection, seen: &ItemView) -> Result<Vec<SealedBid>, DbError> {
    let is_opened = seen.item.terms.format.is_sealed() && seen.item.last_sequence > 0;
    if !seen.item.terms.format.is_apart() || is_opened {
        return Ok(Vec::new());
    }
    store::sealed::standing_of(conn, &[(seen.viewer.user, seen.item.id)]).await
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
    let rows = i64::from(range.limit) + 1;
    let mut bids = match seen.item.terms.format.draw() {
        // Before the draw, and of one that was cancelled, the tickets stand apart.
        Some(_) if seen.item.last_sequence == 0 => {
            let before = range.before.unwrap_or(i64::MAX);
            let tickets = store::sealed::newest(conn, item.item_id, before, rows).await?;
            tickets.iter().map(|bid| bid.opened(bid.receipt, 0, seen.item.ends_at)).collect()
        }
        _ => store::select(conn, item, below, rows).await?,
    };
    let more = bids.len() > usize::try_from(range.limit).unwrap_or(usize::MAX);
    if more {
        bids.pop();
    }
    let next_before = bids.last().filter(|_| more).map(|bid| bid.sequence);
    let list = |bid: Bid| ListedBid { known: known_people(seen, &bid, now), bid };
    Ok(BidList { bids: bids.into_iter().map(list).collect(), next_before })
}

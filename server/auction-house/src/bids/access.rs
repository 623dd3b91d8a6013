//! Whether a user may bid on an item at all.

use rules_engine::money::Normalized;

use crate::access;
use crate::bids::batch::judge::{BidderStanding, Refusal, authorize};
use crate::books::funds::{self, Funds};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use crate::items::bidding::BidItem;
use platform::db::{Connection, DbError};

/// Why a bid is not judged outside the queue.
#[derive(Debug, thiserror::Error)]
pub enum BidCheckError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// What the page of an item shows of the book of its auction; nothing without a book.
#[derive(Debug, Clone, Default)]
pub struct ItemFunds {
    /// What the viewer has.
    pub own: Option<Funds>,
    /// What of it is available for the item.
    pub available: Option<Normalized>,
    /// The leader, and how much they have available, if they have committed more than they have.
    pub overcommitted: Option<(UserId, Normalized)>,
}

/// Reads what one viewer may see: managers see who is overcommitted.
pub async fn item_funds(
    conn: &mut Connection,
    item_id: ItemId,
    viewer: UserId,
    is_manager: bool,
) -> Result<ItemFunds, DbError> {
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let Some((book_id, item)) = item.and_then(|item| Some((item.book_id?, item))) else {
        return Ok(ItemFunds::default());
    };
    let mut overcommitted = None;
    if let Some(leading) = item.leading
        && is_manager
        && item.closed_at.is_none()
    {
        let left = funds::of(conn, book_id, leading.bidder_id).await?.available();
        overcommitted = left.is_negative().then_some((leading.bidder_id, left));
    }
    let own = funds::of(conn, book_id, viewer).await?;
    Ok(ItemFunds { own: Some(own), available: Some(available_of(&own, &item, viewer)), overcommitted })
}

/// What the bidder has available for the item; `None` in an auction without a book. A user who is not a holder of the book
/// has its starting balance, which comes with the first bid.
pub async fn available(
    conn: &mut Connection,
    item: &BidItem,
    bidder: UserId,
) -> Result<Option<Normalized>, DbError> {
    let Some(book_id) = item.book_id else { return Ok(None) };
    let funds = funds::of(conn, book_id, bidder).await?;
    Ok(Some(available_of(&funds, item, bidder)))
}

/// What of the bidder's funds is available for the item.
fn available_of(funds: &Funds, item: &BidItem, bidder: UserId) -> Normalized {
    let own = item.leading.filter(|leading| leading.bidder_id == bidder).map(|leading| leading.normalized);
    funds.available_for(own)
}

/// The item, if the user may bid on it while it is open.
///
/// # Errors
/// Those of [`authorize`].
pub async fn may_bid(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    bidder: UserId,
) -> Result<BidItem, BidCheckError> {
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let item = item.filter(|item| item.auction_id == auction_id).ok_or(Refusal::NotFound)?;
    let role = access::store::role(conn, auction_id, bidder).await?;
    let is_excluded = role.is_none() && access::store::removed::contains(conn, auction_id, bidder).await?;
    authorize(&item, bidder, BidderStanding::of(role, is_excluded))?;
    Ok(item)
}

//! Whether a user may bid on an item at all.

use rules_engine::money::Normalized;

use crate::access;
use crate::bids::batch::judge::{BidderStanding, Refusal, authorize};
use crate::books::funds;
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

/// What the viewer of an item has available for it, as [`available`].
pub async fn available_to(
    conn: &mut Connection,
    item_id: ItemId,
    viewer: UserId,
) -> Result<Option<Normalized>, DbError> {
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    match item {
        Some(item) => available(conn, &item, viewer).await,
        None => Ok(None),
    }
}

/// What the bidder has available for the item; `None` in an auction without a book. A user who is not a holder of the book
/// has its starting balance, which comes with the first bid.
pub async fn available(
    conn: &mut Connection,
    item: &BidItem,
    bidder: UserId,
) -> Result<Option<Normalized>, DbError> {
    let Some(book_id) = item.book_id else { return Ok(None) };
    let own = item.leading.filter(|leading| leading.bidder_id == bidder).map(|leading| leading.normalized);
    Ok(Some(funds::of(conn, book_id, bidder).await?.available_for(own)))
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

//! Whether a user may bid on an item at all.

use crate::access;
use crate::bids::batch::judge::{BidderStanding, Refusal, authorize};
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

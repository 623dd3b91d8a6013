//! The way to an item that somebody wants to bid on.

use crate::access;
use crate::bids::judge::{Refusal, approach};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use crate::items::bidding::BidItem;
use platform::db::{Connection, DbError};

/// Why somebody does not get at an item to bid on it.
#[derive(Debug, thiserror::Error)]
pub enum BidAccessError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The item, for who may bid on it at some time.
///
/// # Errors
/// As [`approach`] says.
pub async fn may_bid(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    bidder: UserId,
) -> Result<BidItem, BidAccessError> {
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let item = item.filter(|item| item.auction_id == auction_id).ok_or(Refusal::NotFound)?;
    let role = access::store::role(conn, auction_id, bidder).await?;
    approach(&item, bidder, role)?;
    Ok(item)
}

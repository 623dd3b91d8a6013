//! Who may bid on an item at some time: a member, and not its creator.

use crate::auctions::access::{self, AccessError};
use crate::bids::judge::Refusal;
use crate::clock::Moment;
use crate::db::{Connection, DbError};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use crate::items::bidding::BidItem;

/// Why somebody does not get at an item to bid on it.
#[derive(Debug, thiserror::Error)]
pub enum BidAccessError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] DbError),
}

impl From<AccessError> for BidAccessError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::NotFound => Refusal::NotFound.into(),
            AccessError::Forbidden => Refusal::NotAMember.into(),
            AccessError::Db(error) => error.into(),
        }
    }
}

/// The item, read as sparely as the queue reads it: every bid comes by here.
///
/// # Errors
/// `NotFound` where the bidder may not know of the item, a draft among them; then `NotAMember`, `OwnItem`.
pub async fn may_bid(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    bidder: UserId,
    now: Moment,
) -> Result<BidItem, BidAccessError> {
    let seen = access::see(conn, auction_id, bidder, now).await?;
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let item = item.filter(|item| item.auction_id == auction_id).ok_or(Refusal::NotFound)?;
    let is_creator = item.creator_id == bidder;
    if !(item.is_published || is_creator || seen.manages()) {
        return Err(Refusal::NotFound.into());
    }
    if seen.role.is_none() {
        return Err(Refusal::NotAMember.into());
    }
    if is_creator {
        return Err(Refusal::OwnItem.into());
    }
    Ok(item)
}

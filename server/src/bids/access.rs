//! Who may bid on an item, and who may read its bids.

use crate::auctions::access::{self, AccessError, SeenAuction};
use crate::bids::judge::Refusal;
use crate::clock::Moment;
use crate::db::{Connection, DbError};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items;
use crate::items::bidding::BidItem;

/// Why somebody does not get at an item's bids.
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

/// An item whose bids somebody may read.
#[derive(Debug)]
pub struct SeenItem {
    pub seen: SeenAuction,
    pub item: BidItem,
}

/// The item as `viewer` sees it: whoever sees the auction, but a draft only its creator and the managers.
pub async fn see(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
    now: Moment,
) -> Result<SeenItem, BidAccessError> {
    let seen = access::see(conn, auction_id, viewer, now).await?;
    let item = items::store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let item = item.filter(|item| item.auction_id == auction_id).ok_or(Refusal::NotFound)?;
    if item.is_published || item.creator_id == viewer || seen.manages() {
        Ok(SeenItem { seen, item })
    } else {
        Err(Refusal::NotFound.into())
    }
}

/// Goes on only for who may bid on the item at some time: a member, and not its creator.
pub async fn may_bid(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    bidder: UserId,
    now: Moment,
) -> Result<SeenItem, BidAccessError> {
    let seen = see(conn, auction_id, item_id, bidder, now).await?;
    if seen.seen.role.is_none() {
        return Err(Refusal::NotAMember.into());
    }
    if seen.item.creator_id == bidder {
        return Err(Refusal::OwnItem.into());
    }
    Ok(seen)
}

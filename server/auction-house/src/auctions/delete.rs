//! The end of an auction in which nobody has bid.

use super::access::{AccessError, see};
use super::store;
use crate::access::Role;
use crate::context::Context;
use crate::events;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::db::DbError;
use platform::precondition::{Outdated, Precondition};

#[derive(Debug, thiserror::Error)]
pub enum DeleteAuctionError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Outdated(#[from] Outdated),
    /// The record of bids is never erased.
    #[error("items of the auction have bids")]
    HasBids,
}

impl From<DbError> for DeleteAuctionError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

/// Removes the auction with its members, items, currencies and rules.
pub async fn delete_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), DeleteAuctionError> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = see(&mut db, auction_id, user, context.clock.now()).await?.require(&[Role::Owner])?;
    if_match.check(seen.auction.version)?;
    if usage::any_bids(&mut db, auction_id).await? {
        return Err(DeleteAuctionError::HasBids);
    }
    events::store::delete(&mut db, auction_id).await?;
    store::delete(&mut db, auction_id).await?;
    db.commit().await?;
    Ok(())
}

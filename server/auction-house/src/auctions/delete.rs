//! Deleting an auction without bids.

use super::access::{AccessError, see};
use super::store;
use crate::access::Role;
use crate::context::Context;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, UserId};
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

/// Deletes the auction with its members, items, currencies and rules.
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
    let items = usage::item_ids(&mut db, auction_id).await?;
    let gone = Signal::Items(items.into_iter().map(|item_id| (auction_id, item_id)).collect());
    // The events go with the auction: its streams publish the end of its items when the signal wakes them.
    events::signal::send(&mut db, &gone).await?;
    events::store::delete(&mut db, auction_id).await?;
    store::delete(&mut db, auction_id).await?;
    db.commit().await?;
    context.events.publish(&gone);
    Ok(())
}

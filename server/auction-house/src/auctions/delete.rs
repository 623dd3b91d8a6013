//! The end of an auction in which nobody has bid.

use super::access::see;
use super::store;
use crate::access::Role;
use crate::context::Context;
use crate::events;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::precondition::Precondition;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an auction is not deleted.
    pub enum DeleteAuctionRefusal {
        /// The record of bids is never erased.
        HasBids => HasBids, "The auction has bids: their record stays for good.";
    }
}

/// Removes the auction with its members, items, currencies and rules.
pub async fn delete_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<DeleteAuctionRefusal>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = see(&mut db, auction_id, user, context.clock.now()).await?.require(&[Role::Owner])?;
    if_match.check(seen.auction.version)?;
    if usage::any_bids(&mut db, auction_id).await? {
        return Err(DeleteAuctionRefusal::HasBids.into());
    }
    events::store::delete(&mut db, auction_id).await?;
    store::delete(&mut db, auction_id).await?;
    db.commit().await?;
    Ok(())
}

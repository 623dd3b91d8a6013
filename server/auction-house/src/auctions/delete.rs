//! Deleting an auction without bids.

use super::access::authorize;
use super::store;
use crate::access::Action;
use crate::codes;
use crate::context::Context;
use crate::events::{self, Signal};
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
        HasBids => codes::HAS_BIDS, "The auction has bids: their record stays for good.";
    }
}

/// Deletes the auction with its members, items, currencies and rules.
pub async fn delete_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<DeleteAuctionRefusal>> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen =
        authorize(&mut db, auction_id, user, context.clock.now()).await?.require(Action::DeleteAuction)?;
    if_match.check(seen.auction.version)?;
    if usage::any_bids(&mut db, auction_id).await? {
        return Err(DeleteAuctionRefusal::HasBids.into());
    }
    let gone = Signal::AllItems(auction_id);
    // The events are deleted with the auction. Its streams find the items missing when the signal wakes them.
    events::signal::send(&mut db, &gone).await?;
    // They are deleted with the auction.
    let items = usage::item_ids(&mut db, auction_id).await?.len();
    db.touch("items", items as u64);
    store::delete(&mut db, auction_id).await?;
    db.commit().await?;
    context.events.publish(&gone);
    Ok(())
}

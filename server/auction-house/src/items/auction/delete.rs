//! Deletes an auction without bids. One transaction hides it from everybody; its items then go part by part,
//! between which bids of other auctions pass. What a server leaves behind that ends meanwhile, a job deletes.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::access::{self, Action};
use crate::auctions::access::authorize;
use crate::auctions::store as auctions;
use crate::codes;
use crate::context::Context;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, UserId};
use crate::imports;
use crate::items::store;
use crate::locks::LockingWrites;
use crate::usage;
use platform::db::DbError;
use platform::http::request_id::CurrentRequest;
use platform::log_field::logged;
use platform::precondition::Precondition;
use platform::refusals;
use platform::token::LinkToken;
use platform::verb::VerbError;

/// Items that one transaction deletes.
const PART: usize = 200;
/// How often what is left of deletions is looked for.
const ROUND_EVERY: Duration = Duration::from_secs(10 * 60);

refusals! {
    /// Why an auction is not deleted.
    pub enum DeleteAuctionRefusal {
        /// The record of bids is never erased.
        HasBids => codes::HAS_BIDS, "The auction has bids: their record stays for good.";
    }
}

/// Deletes the auction with its members, items, currencies and rules. It is gone for everybody before its
/// items are.
pub async fn delete_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<DeleteAuctionRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize(&mut conn, auction_id, user, now).await?.require(Action::DeleteAuction)?;
    let rows = usage::rows_together(&mut conn, Some(auction_id), None).await?;
    drop(conn);
    let turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::DeleteAuction)?;
    if_match.check(seen.auction.version)?;
    if usage::any_bids(&mut db, auction_id).await? {
        return Err(DeleteAuctionRefusal::HasBids.into());
    }
    let gone = Signal::AllItems(auction_id);
    // The events are deleted with the auction. Its streams end when the signal wakes them.
    events::signal::send(&mut db, &gone).await?;
    auctions::begin_deletion(&mut db, auction_id, &LinkToken::new().map_err(DbError::from)?, now).await?;
    access::store::delete_all_of(&mut db, auction_id).await?;
    db.commit().await?;
    drop(turn);
    context.events.publish(&gone);
    // Goes on if the client does not wait for it.
    let parts = finish(context.clone(), auction_id);
    if let Ok(Err(error)) = tokio::spawn(CurrentRequest::inherit(parts)).await {
        tracing::warn!(error = logged(&error), %auction_id, "the rest of a deleted auction is deleted later");
    }
    Ok(())
}

/// Deletes what is left of auctions that were deleted, until `stopping`.
pub async fn run(context: Context, stopping: CancellationToken) {
    let work = async {
        loop {
            match finish_all(&context).await {
                Err(error) if error.is_paused() || error.is_busy() || error.is_conflict() => {}
                Err(error) => {
                    tracing::error!(error = logged(&error), "can't delete the rest of deleted auctions");
                }
                Ok(()) => {}
            }
            tokio::time::sleep(ROUND_EVERY).await;
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Deletes what is left of auctions that were deleted.
pub async fn finish_all(context: &Context) -> Result<(), DbError> {
    let deleted = auctions::deleted(&mut context.db.read().await?).await?;
    for auction_id in deleted {
        finish(context.clone(), auction_id).await?;
    }
    Ok(())
}

async fn finish(context: Context, auction_id: AuctionId) -> Result<(), DbError> {
    while delete_part(&context, auction_id).await? {}
    Ok(())
}

/// Deletes some items of a deleted auction, and the auction with the last of them. Whether there is more.
async fn delete_part(context: &Context, auction_id: AuctionId) -> Result<bool, DbError> {
    let mut db = context.db.write_beside(auction_id).await?;
    let items = usage::first_item_ids(&mut db, auction_id, PART).await?;
    store::delete_all(&mut db, auction_id, &items).await?;
    let is_last = items.len() < PART && imports::store::delete_part(&mut db, auction_id, PART).await?;
    if is_last {
        auctions::delete(&mut db, auction_id).await?;
    }
    db.commit().await?;
    Ok(!is_last)
}

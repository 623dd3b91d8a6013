//! Closing an auction by hand. Its items go through the bid queue, so that each is closed before or after
//! each bid: part by part in the order of their lot numbers, so that bids of other auctions don't wait for
//! all of them.

use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue::BidQueue;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::codes;
use crate::ids::{AuctionId, UserId};
use platform::http::request_id::CurrentRequest;
use platform::precondition::Precondition;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an auction is not closed.
    pub enum CloseAuctionRefusal {
        Closed => codes::CLOSED, "The auction is closed already.";
    }
    wraps { Queue(QueueError) }
}

/// Closes the auction with all its items. Goes on if the caller does not wait for it.
pub async fn close_auction(
    queue: &BidQueue,
    auction_id: AuctionId,
    user_id: UserId,
    if_match: Precondition,
) -> Result<AuctionView, VerbError<CloseAuctionRefusal>> {
    let queue = queue.clone();
    let parts = async move {
        let mut part = ClosePart { auction_id, user_id, if_match };
        loop {
            if let Some(closed) = queue.submit(part.clone()).await? {
                return Ok(closed);
            }
            part.if_match = Precondition::None;
        }
    };
    tokio::spawn(CurrentRequest::inherit(parts)).await.map_err(|_| QueueError::NotKept)?
}

/// Closes the next items of an auction, and the auction with the last of them. Bids that came before are
/// judged before.
#[derive(Debug, Clone)]
struct ClosePart {
    auction_id: AuctionId,
    user_id: UserId,
    if_match: Precondition,
}

impl QueuedRequest for ClosePart {
    /// The closed auction; `None` if it has more items.
    type Accepted = Option<AuctionView>;
    type Error = VerbError<CloseAuctionRefusal>;

    fn needs(&self) -> Needs {
        Needs { closed_by: Some(self.user_id), ..Needs::of(self.auction_id) }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<Self::Accepted, Self::Error> {
        let seen = batch.auction(self.auction_id, self.user_id).filter(|seen| seen.is_visible());
        let mut seen = seen.cloned().ok_or(VerbError::NotFound)?.require(Action::CloseAuction)?;
        if batch.has_closed(self.auction_id) {
            return Err(CloseAuctionRefusal::Closed.into());
        }
        self.if_match.check(seen.auction.version)?;
        if seen.auction.is_closed(now) {
            return Err(CloseAuctionRefusal::Closed.into());
        }
        if !batch.close_part(self.auction_id, self.user_id, now)? {
            return Ok(None);
        }
        seen.auction.closed_at = Some(now);
        seen.auction.updated_at = now;
        seen.auction.version += 1;
        Ok(Some(seen))
    }
}

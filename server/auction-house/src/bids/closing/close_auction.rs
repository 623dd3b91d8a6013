//! Closing an auction by hand. The request goes through the bid queue, so that it comes before or after each
//! bid.

use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::codes;
use crate::ids::{AuctionId, UserId};
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

/// Closes the auction with all its items. Bids that came before are judged before.
#[derive(Debug, Clone)]
pub struct CloseAuction {
    pub auction_id: AuctionId,
    pub user_id: UserId,
    pub if_match: Precondition,
}

impl QueuedRequest for CloseAuction {
    type Accepted = AuctionView;
    type Error = VerbError<CloseAuctionRefusal>;

    fn needs(&self) -> Needs {
        Needs { closed_by: Some(self.user_id), ..Needs::of(self.auction_id) }
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<AuctionView, Self::Error> {
        let seen = batch.auction(self.auction_id, self.user_id).filter(|seen| seen.is_visible());
        let mut seen = seen.cloned().ok_or(VerbError::NotFound)?.require(Action::CloseAuction)?;
        if batch.has_closed(self.auction_id) {
            return Err(CloseAuctionRefusal::Closed.into());
        }
        self.if_match.check(seen.auction.version)?;
        if seen.auction.is_closed(now) {
            return Err(CloseAuctionRefusal::Closed.into());
        }
        batch.close_auction(self.auction_id, self.user_id, now)?;
        seen.auction.closed_at = Some(now);
        seen.auction.updated_at = now;
        seen.auction.version += 1;
        Ok(seen)
    }
}

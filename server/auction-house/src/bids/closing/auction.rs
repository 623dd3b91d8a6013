//! Closing an auction by hand. The request goes through the bid queue, so that it comes before or after each bid.

use crate::auctions::access::AuctionView;
use crate::bids::batch::state::BatchState;
use crate::bids::entry::{Judged, QueueError};
use crate::ids::{AuctionId, UserId};
use platform::precondition::{Outdated, Precondition};
use platform::time::Moment;

/// Closes the auction with all its items. Bids that came before are judged before.
#[derive(Debug, Clone)]
pub struct CloseAuction {
    pub auction_id: AuctionId,
    pub user_id: UserId,
    pub if_match: Precondition,
}

/// Why an auction was not closed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CloseError {
    /// The auction does not exist, or the user may not see it.
    #[error("there is no such auction")]
    NotFound,
    #[error("the user's role does not allow it")]
    Forbidden,
    #[error(transparent)]
    Outdated(#[from] Outdated),
    #[error("the auction is closed")]
    Closed,
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl Judged for CloseAuction {
    type Accepted = AuctionView;
    type Error = CloseError;

    fn auction_id(&self) -> AuctionId {
        self.auction_id
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<AuctionView, CloseError> {
        batch.close(self, now)
    }
}

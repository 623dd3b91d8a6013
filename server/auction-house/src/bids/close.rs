//! The end of an auction by hand. It goes through the queue of the bids, so that it comes before or after each of
//! them, and never amid one.

use crate::auctions::access::SeenAuction;
use crate::bids::queue::BidQueue;
use crate::ids::{AuctionId, UserId};
use platform::precondition::{Outdated, Precondition};

/// Who closes which auction.
#[derive(Debug, Clone)]
pub struct CloseAuction {
    pub auction_id: AuctionId,
    pub user_id: UserId,
    pub if_match: Precondition,
}

/// Why an auction was not closed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CloseError {
    /// There is none, or none that they may know of.
    #[error("there is no such auction")]
    NotFound,
    #[error("their role does not allow it")]
    Forbidden,
    #[error(transparent)]
    Outdated(#[from] Outdated),
    #[error("the auction is closed")]
    Closed,
    /// Not judged at all: too many bids wait, it waited too long, or the server is on its way out.
    #[error("too many bids wait")]
    Overloaded,
    #[error("writes pause for an update")]
    Paused,
    #[error("the disk is full")]
    StorageFull,
    /// The cause is in the log, where it happened.
    #[error("the database did not keep it")]
    NotKept,
}

/// Closes the auction with every item of it. Bids that came before are judged before; the highest bid of each
/// item stays its hammer price.
///
/// # Errors
/// As [`CloseError`] says. Nothing was changed then.
pub async fn close_auction(queue: &BidQueue, close: CloseAuction) -> Result<SeenAuction, CloseError> {
    let answer = queue.push_close(close).map_err(|_| CloseError::Overloaded)?;
    answer.await.unwrap_or(Err(CloseError::NotKept))
}

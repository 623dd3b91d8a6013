//! Placing a bid: the one way, whoever asks. The JSON API, the page's form and the demo call [`place`].

use std::sync::Arc;

use crate::accounts::Person;
use crate::bids::Bid;
use crate::bids::entered::EnteredBid;
use crate::bids::idempotency::KeyedRequest;
use crate::bids::judge::Refusal;
use crate::bids::queue::BidQueue;
use crate::ids::{AuctionId, ItemId};

/// Who bids what on which item.
#[derive(Debug, Clone)]
pub struct PlaceBid {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    /// The name is for the answer alone.
    pub bidder: Person,
    pub entered: EnteredBid,
    /// With it a repeat gets the first answer, and places no second bid.
    pub keyed: Option<KeyedRequest>,
}

/// A bid that is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub bid: Arc<Bid>,
    /// It was placed by an earlier request with the same key.
    pub replayed: bool,
}

/// Why a bid was not placed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    #[error("the bid was refused: {0}")]
    Refused(#[from] Refusal),
    #[error("the idempotency key stands for another bid")]
    KeyReused,
    /// Not judged at all: too many wait, it waited too long, or the server is on its way out.
    #[error("too many bids wait")]
    Overloaded,
    #[error("writes pause for an update")]
    Paused,
    #[error("the disk is full")]
    StorageFull,
    /// The cause is in the log, where it happened.
    #[error("the database did not keep the bid")]
    NotKept,
}

impl PlaceError {
    /// A bid that can't be judged. The log says why.
    pub(super) fn not_kept(error: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!(error, "a bid could not be judged");
        Self::NotKept
    }
}

/// Waits until the bid is judged and, if it is accepted, on the disk. Dropping the future takes nothing
/// back: a bid that is in the queue is judged.
///
/// # Errors
/// As [`PlaceError`] says. Nothing was changed then.
pub async fn place(queue: &BidQueue, bid: PlaceBid) -> Result<Placed, PlaceError> {
    let answer = queue.push(bid).map_err(|_| PlaceError::Overloaded)?;
    answer.await.unwrap_or(Err(PlaceError::NotKept))
}

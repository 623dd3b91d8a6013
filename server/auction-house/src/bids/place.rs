//! Placing a bid. The JSON API, the page's form and the demo all do it here.

use std::sync::Arc;

use crate::bids::Bid;
use crate::bids::access::{BidCheckError, may_bid};
use crate::bids::batch::judge::Refusal;
use crate::bids::batch::state::BatchState;
use crate::bids::entered::EnteredBid;
use crate::bids::entry::{Judged, QueueError};
use crate::bids::idempotency::KeyedRequest;
use crate::bids::queue::BidQueue;
use crate::ids::{AuctionId, ItemId};
use accounts::Person;
use platform::db::Database;
use platform::time::Moment;

/// A bid to be placed.
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

/// A committed bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub bid: Arc<Bid>,
    /// It was placed by an earlier request with the same key.
    pub replayed: bool,
}

/// Why a bid was not placed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    #[error("the bid was refused: {0}")]
    Refused(#[from] Refusal),
    #[error("the idempotency key stands for another bid")]
    KeyReused,
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl PlaceError {
    /// A bid that can't be judged. The log says why.
    pub(super) fn not_kept(error: &(dyn std::error::Error + 'static)) -> Self {
        Self::Queue(QueueError::not_kept(error))
    }
}

impl Judged for PlaceBid {
    type Accepted = Placed;
    type Error = PlaceError;

    fn auction_id(&self) -> AuctionId {
        self.auction_id
    }

    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<Placed, PlaceError> {
        batch.place(self, now)
    }
}

/// Places the bid of a request, `read` from its body. A bid in the queue is authorized when it is judged. A request that
/// can't be read does not get there, so it is authorized here: a user who may not see the item is not told what is wrong
/// with the request.
pub async fn place<E>(
    database: &Database,
    queue: &BidQueue,
    (auction_id, item_id): (AuctionId, ItemId),
    bidder: Person,
    read: Result<(EnteredBid, Option<KeyedRequest>), E>,
) -> Result<Placed, E>
where
    E: From<PlaceError> + From<BidCheckError>,
{
    match read {
        Ok((entered, keyed)) => {
            Ok(queue.submit(PlaceBid { auction_id, item_id, bidder, entered, keyed }).await?)
        }
        Err(error) => {
            // Boxed, since it is rare: the future of an accepted bid stays small.
            let authorize = async {
                let conn = &mut database.read().await?;
                may_bid(conn, auction_id, item_id, bidder.id).await
            };
            Box::pin(authorize).await?;
            Err(error)
        }
    }
}

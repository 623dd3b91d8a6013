//! A question to the queue: whether it could commit a bid now.

use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue::BidQueue;
use crate::bids::queue_error::QueueError;
use crate::bids::request::QueuedRequest;
use crate::ids::AuctionId;
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// A request that needs what a bid needs, in an auction that does not exist, and writes nothing.
#[derive(Debug, Clone, Copy)]
struct Probe;

impl QueuedRequest for Probe {
    type Accepted = ();
    type Error = QueueError;

    fn needs(&self) -> Needs {
        Needs::of(AuctionId::of(Uuid::nil()))
    }

    fn judge(&self, _: &mut BatchState, _: Moment) -> Result<(), QueueError> {
        Ok(())
    }
}

/// Waits for a batch that goes the way of a bid: through the queue, and to the database on the connection of
/// batches.
pub async fn probe(queue: &BidQueue) -> Result<(), QueueError> {
    queue.submit(Probe).await
}

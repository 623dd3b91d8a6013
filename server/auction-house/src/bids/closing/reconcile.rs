//! The reconciler: closes what the clock has ended, each item with its outcome, whether or not anybody looks.
//! Every server runs one. An item is closed through the queue, which refuses what another server has closed;
//! an auction in a transaction that checks again under its lock. So a round is safe to repeat, and safe on
//! several servers at once.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::close_ended_item::CloseEndedItem;
use crate::auctions;
use crate::bids::batch::closings::PART;
use crate::bids::queue::BidQueue;
use crate::bids::queue_error::QueueError;
use crate::context::Context;
use crate::events::store::{ItemChange, ItemEvent};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, OutcomeId};
use crate::items::outcomes::Closing;
use crate::items::store::outcomes::FirstOutcome;
use crate::items::store::{bidding, outcomes};
use crate::locks::LockingWrites;
use crate::path::ItemPath;
use platform::db::{DbError, WriteBatch};

/// Auctions of one round, at most.
const AUCTIONS_MAX: i64 = 16;
/// How long a round waits for the next end, at most: an end may be set or moved meanwhile.
const WAIT_MAX: Duration = Duration::from_secs(1);
/// How long the next round waits after one that failed.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Why a round was not completed. The next one continues.
#[derive(Debug, thiserror::Error)]
enum RoundError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Queue(#[from] QueueError),
}

/// Closes what has ended, until `stopping`.
pub async fn run(context: Context, queue: BidQueue, stopping: CancellationToken) {
    let work = async {
        loop {
            let wait = match close_ended(&context, &queue).await {
                Ok(()) => until_next_end(&context).await.unwrap_or(RETRY_DELAY),
                Err(error) => {
                    report(&error);
                    RETRY_DELAY
                }
            };
            tokio::time::sleep(wait).await;
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Closes everything whose end has come by now.
pub async fn reconcile(context: &Context, queue: &BidQueue) {
    if let Err(error) = close_ended(context, queue).await {
        report(&error);
    }
}

/// A pause for an update and a full queue pass.
fn report(error: &RoundError) {
    let passes = match error {
        RoundError::Db(error) => error.is_paused() || error.is_busy() || error.is_conflict(),
        RoundError::Queue(error) => matches!(error, QueueError::Paused | QueueError::Overloaded),
    };
    if !passes {
        tracing::error!(error = error as &dyn std::error::Error, "can't close what has ended");
    }
}

async fn close_ended(context: &Context, queue: &BidQueue) -> Result<(), RoundError> {
    while close_items(context, queue).await? {}
    while close_auctions(context).await? {}
    Ok(())
}

/// Closes a bounded number of items: bids find place in the queue between two rounds. Whether any was closed.
async fn close_items(context: &Context, queue: &BidQueue) -> Result<bool, RoundError> {
    let due = outcomes::due(&mut context.db.read().await?, context.clock.now(), PART).await?;
    let mut answers = Vec::with_capacity(due.len());
    for (auction_id, item_id) in due {
        answers.push(queue.push(CloseEndedItem(ItemPath { auction_id, item_id }))?);
    }
    let mut any_closed = false;
    for answer in answers {
        match answer.await {
            Ok(Ok(closed)) => any_closed |= closed,
            // The queue has logged why. Other items are not held up.
            Ok(Err(QueueError::NotKept)) | Err(_) => {}
            Ok(Err(error)) => return Err(error.into()),
        }
    }
    Ok(any_closed)
}

/// Closes a bounded number of auctions whose items are closed. Whether any was closed.
async fn close_auctions(context: &Context) -> Result<bool, RoundError> {
    let now = context.clock.now();
    let ended = auctions::store::ended(&mut context.db.read().await?, now, AUCTIONS_MAX).await?;
    let mut any_closed = false;
    for auction_id in ended {
        any_closed |= close_auction(context, auction_id).await?;
    }
    Ok(any_closed)
}

/// Closes an auction that has ended, with the drafts that it still has: a part of them, if they are many.
async fn close_auction(context: &Context, auction_id: AuctionId) -> Result<bool, DbError> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let now = context.clock.now();
    if !auctions::store::has_ended(&mut db, auction_id, now).await? {
        return Ok(false);
    }
    let (drafts, is_last) = bidding::not_closed(&mut db, auction_id, PART).await?;
    let mut writes = WriteBatch::default();
    let first = |item_id: ItemId, copy: i64| FirstOutcome {
        id: OutcomeId::new(now),
        item_id,
        copy,
        closing: &Closing::Clock,
        is_unsold: false,
        now,
    };
    let copies = |(item_id, copies): &(ItemId, i64)| {
        let item_id = *item_id;
        (1..=*copies).map(move |copy| (item_id, copy))
    };
    let unsold: Vec<_> = drafts.iter().flat_map(copies).map(|(id, copy)| first(id, copy)).collect();
    outcomes::close(&mut writes, unsold.iter().cloned());
    if is_last {
        auctions::store::close(&mut writes, auction_id, now);
    } else {
        auctions::store::raise_revisions(&mut writes, [auction_id]);
    }
    let drafts: Vec<ItemId> = drafts.into_iter().map(|(item_id, _)| item_id).collect();
    let changed = |item_id: &ItemId| ItemEvent::changed(auction_id, *item_id, ItemChange::Edited);
    events::store::record(&mut writes, &drafts.iter().map(changed).collect::<Vec<_>>(), now)?;
    db.run(writes).await?;
    db.commit().await?;
    context.events.publish(&Signal::of_items(auction_id, drafts));
    Ok(true)
}

/// The time until the next end that is known now, at most [`WAIT_MAX`].
async fn until_next_end(context: &Context) -> Result<Duration, DbError> {
    let now = context.clock.now();
    let next = outcomes::next_end(&mut context.db.read().await?, now).await?;
    let left = next.map_or(WAIT_MAX, |next| {
        u64::try_from(next.millis() - now.millis()).map_or(WAIT_MAX, Duration::from_millis)
    });
    Ok(left.min(WAIT_MAX))
}

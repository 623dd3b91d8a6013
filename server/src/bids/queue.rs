//! The queue in front of the database. Bids wait here in the order in which they were received; one task takes
//! what has gathered, has it judged and committed together, and answers. So a busy moment costs one durable
//! commit for many bids instead of one for each, and nobody overtakes.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::bids::commit::Committer;
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::clock::Clock;
use crate::db::Database;
use crate::live::Live;

/// Bids that may wait; the next one is refused.
const WAITING_MAX: usize = 1024;
/// Bids that share one commit.
const BATCH_MAX: usize = 512;
/// A bid that waited longer is refused unjudged: its bidder has given up, or bids by what was true then.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// What a bid is answered with.
pub type Answer = Result<Placed, PlaceError>;

/// The end of the queue where bids come in.
#[derive(Clone)]
pub struct BidQueue {
    sender: mpsc::Sender<Waiting>,
    stop: Arc<Notify>,
    /// Closes when the task that works off the queue has ended.
    ended: watch::Receiver<()>,
}

/// There is no room, or the queue is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the queue takes no bid")]
pub struct NoRoom;

/// A bid in the queue, and who waits for its answer.
#[derive(Debug)]
pub struct Waiting {
    pub bid: PlaceBid,
    since: Instant,
    answer: oneshot::Sender<Answer>,
}

impl Waiting {
    pub fn too_long(&self) -> bool {
        self.since.elapsed() > WAIT_MAX
    }
}

impl BidQueue {
    /// Opens the queue of `database`, and starts the task that works it off.
    pub fn open(database: Database, clock: Arc<dyn Clock>, live: Live) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        let (running, ended) = watch::channel(());
        let stop = Arc::new(Notify::new());
        let (stopped, committer) = (Arc::clone(&stop), Committer::new(database, clock, live));
        tokio::spawn(async move {
            work(receiver, &stopped, committer).await;
            drop(running);
        });
        Self { sender, stop, ended }
    }

    /// Puts a bid at the end of the queue, and hands out where its answer will come.
    pub fn push(&self, bid: PlaceBid) -> Result<oneshot::Receiver<Answer>, NoRoom> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting { bid, since: Instant::now(), answer };
        self.sender.try_send(waiting).map_err(|_| NoRoom)?;
        Ok(answered)
    }

    /// Lets no further bid in, and returns when every bid that waits is answered.
    pub async fn finish(&self) {
        self.stop.notify_one();
        // Nothing is ever sent: this ends with the task.
        let _ = self.ended.clone().changed().await;
    }
}

async fn work(mut receiver: mpsc::Receiver<Waiting>, stopped: &Notify, mut committer: Committer) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            // What is in the queue by now is still handed out below.
            () = stopped.notified() => receiver.close(),
            taken = receiver.recv_many(&mut batch, BATCH_MAX) => {
                if taken == 0 {
                    return;
                }
                answer(std::mem::take(&mut batch), &mut committer).await;
            }
        }
    }
}

/// Commits a batch and answers each of its bids. The queue outlives a bug: a panic costs its batch an error,
/// since whoever waits for an answer that was dropped is told that the bid was not kept.
async fn answer(batch: Vec<Waiting>, committer: &mut Committer) {
    let answers = std::panic::AssertUnwindSafe(committer.commit(&batch)).catch_unwind().await;
    match answers {
        Ok(answers) => {
            for (waiting, answer) in batch.into_iter().zip(answers) {
                // Who has gone away is not told; the bid stands all the same.
                let _ = waiting.answer.send(answer);
            }
        }
        Err(_) => tracing::error!(bids = batch.len(), "judging a batch of bids panicked; none was kept"),
    }
}

//! The queue in front of the database. Bids wait here in the order in which they were received; one thread
//! takes what has gathered, has it judged and committed together, and answers. A busy moment costs one
//! durable commit for many bids instead of one for each, and no bid overtakes another.
//!
//! Each switch between threads costs as much as several bids. So one thread judges, commits and answers, one
//! thread serves a connection from beginning to end, and all answers for one of those are delivered together.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::bids::batch::commit::Committer;
use crate::bids::leads::recent::RecentBids;
use crate::bids::queue_error::QueueError;
use crate::bids::request::{Answer, QueuedRequest, Waiting, waiting};
use crate::events::Events;
use crate::notifications::Notifier;
use platform::db::Database;
use platform::net::reply;
use platform::own_thread::run_on_own_thread;
use platform::time::Clock;

/// Requests that may wait; the next one is refused.
const WAITING_MAX: usize = 1024;
/// How long a request waits for its answer. It may still be executed after that.
const ANSWER_MAX: Duration = Duration::from_secs(10);
/// Requests that share one commit.
const BATCH_MAX: usize = 512;

/// The sending end of the queue.
#[derive(Clone)]
pub struct BidQueue {
    sender: mpsc::Sender<Box<dyn Waiting>>,
    clock: Arc<dyn Clock>,
    stop: Arc<Notify>,
    /// Closes when the queue is empty and its thread ends.
    ended: watch::Receiver<()>,
}

impl BidQueue {
    /// Opens the queue of `database` and starts its thread, which leaves the bids that it commits in
    /// `recent`.
    pub fn open(
        database: Database,
        clock: Arc<dyn Clock>,
        events: Events,
        notifier: Notifier,
        recent: RecentBids,
    ) -> Result<Self, std::io::Error> {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        let (running, ended) = watch::channel(());
        let stop = Arc::new(Notify::new());
        let committer = Committer::new(database, Arc::clone(&clock), events, notifier, recent);
        let stopped = Arc::clone(&stop);
        let work = async move {
            work(receiver, &stopped, committer).await;
            drop(running);
        };
        run_on_own_thread("bids", work)?;
        Ok(Self { sender, clock, stop, ended })
    }

    /// Waits until the request is judged and, if it is accepted, committed, for ten seconds at most: a
    /// database that has frozen answers nothing. Dropping the future cancels nothing: a request in the queue
    /// is judged.
    pub async fn submit<R: QueuedRequest>(&self, request: R) -> Answer<R> {
        let answer = self.push(request)?;
        match tokio::time::timeout(ANSWER_MAX, answer).await {
            Ok(answered) => answered.unwrap_or_else(|_| Err(QueueError::NotKept.into())),
            Err(_) => Err(QueueError::Away.into()),
        }
    }

    /// Puts a request at the end of the queue, and returns where its answer will arrive.
    pub fn push<R: QueuedRequest>(&self, request: R) -> Result<oneshot::Receiver<Answer<R>>, QueueError> {
        let (waiting, answer) = waiting(request, self.clock.now());
        self.sender.try_send(waiting).map_err(|_| QueueError::Overloaded)?;
        Ok(answer)
    }

    /// Refuses further requests, and returns when every waiting one is answered.
    pub async fn finish(&self) {
        self.stop.notify_one();
        // Nothing is ever sent: this ends with the thread.
        let _ = self.ended.clone().changed().await;
    }
}

async fn work(mut receiver: mpsc::Receiver<Box<dyn Waiting>>, stopped: &Notify, mut committer: Committer) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            // A closed channel still delivers what it holds.
            () = stopped.notified() => receiver.close(),
            taken = receiver.recv_many(&mut batch, BATCH_MAX) => {
                if taken == 0 {
                    return committer.end().await;
                }
                process(&mut batch, &mut committer).await;
            }
        }
    }
}

/// Commits a batch and answers each of its requests. The queue outlives a bug: a panic drops the batch
/// unanswered, which its senders read as not kept.
async fn process(batch: &mut Vec<Box<dyn Waiting>>, committer: &mut Committer) {
    let committed = std::panic::AssertUnwindSafe(committer.commit(batch)).catch_unwind().await;
    if committed.is_err() {
        tracing::error!(requests = batch.len(), "judging a batch of bids panicked; none was kept");
        batch.clear();
    }
    reply::send_all(batch.drain(..));
}

//! The queue in front of the database. Bids wait here in the order in which they were received; one thread takes
//! what has gathered, has it judged and committed together, and answers. So a busy moment costs one durable
//! commit for many bids instead of one for each, and nobody overtakes.

use std::sync::Arc;

use futures::FutureExt;
use tokio::runtime::Builder;
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::auctions::access::SeenAuction;
use crate::bids::close::{CloseAuction, CloseError};
use crate::bids::commit::Committer;
use crate::bids::place::{PlaceBid, PlaceError, Placed};
use crate::events::Events;
use crate::ids::AuctionId;
use platform::db::Database;
use platform::net::Inbox;
use platform::time::{Clock, Moment};

/// Bids that may wait; the next one is refused.
const WAITING_MAX: usize = 1024;
/// Bids that share one commit.
const BATCH_MAX: usize = 512;
/// A bid that waited longer is refused unjudged: its bidder has given up, or bids by what was true then.
const WAIT_MAX_SECONDS: i64 = 10;

/// What a bid is answered with.
pub type Answer = Result<Placed, PlaceError>;
/// What the closing of an auction is answered with.
pub type CloseAnswer = Result<SeenAuction, CloseError>;

/// The end of the queue where bids come in.
#[derive(Clone)]
pub struct BidQueue {
    sender: mpsc::Sender<Entry>,
    clock: Arc<dyn Clock>,
    stop: Arc<Notify>,
    /// Closes when the queue is worked off and its thread ends.
    ended: watch::Receiver<()>,
}

/// There is no room, or the queue is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the queue takes no bid")]
pub struct NoRoom;

/// Something in the queue, since when, and who waits for its answer.
#[derive(Debug)]
pub struct Waiting<T, A> {
    pub asked: T,
    since: Moment,
    answer: oneshot::Sender<A>,
    /// Of the thread that waits, where that is one of those that talk to connections.
    inbox: Option<Inbox>,
}

/// What is judged in the order of arrival.
#[derive(Debug)]
pub enum Entry {
    Bid(Waiting<PlaceBid, Answer>),
    Close(Waiting<CloseAuction, CloseAnswer>),
}

/// What came of an entry.
#[derive(Debug)]
pub enum Verdict {
    Bid(Answer),
    Close(CloseAnswer),
}

impl<T, A> Waiting<T, A> {
    pub fn too_long(&self, now: Moment) -> bool {
        now > self.since.plus_seconds(WAIT_MAX_SECONDS)
    }
}

impl Entry {
    pub fn auction_id(&self) -> AuctionId {
        match self {
            Self::Bid(waiting) => waiting.asked.auction_id,
            Self::Close(waiting) => waiting.asked.auction_id,
        }
    }

    fn inbox(&self) -> Option<&Inbox> {
        match self {
            Self::Bid(waiting) => waiting.inbox.as_ref(),
            Self::Close(waiting) => waiting.inbox.as_ref(),
        }
    }

    /// Answers whoever waits. Who has gone away is not told; what was placed stands all the same.
    fn tell(self, verdict: Verdict) {
        match (self, verdict) {
            (Self::Bid(waiting), Verdict::Bid(answer)) => drop(waiting.answer.send(answer)),
            (Self::Close(waiting), Verdict::Close(answer)) => drop(waiting.answer.send(answer)),
            // Each is judged in kind. Where it were not, whoever waits is told that nothing was kept.
            (Self::Bid(_), Verdict::Close(_)) | (Self::Close(_), Verdict::Bid(_)) => {}
        }
    }
}

impl BidQueue {
    /// Opens the queue of `database`, and starts the thread that works it off.
    pub fn open(database: Database, clock: Arc<dyn Clock>, events: Events) -> Result<Self, std::io::Error> {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        let (running, ended) = watch::channel(());
        let stop = Arc::new(Notify::new());
        let committer = Committer::new(database, Arc::clone(&clock), events);
        let stopped = Arc::clone(&stop);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let work = async move {
            work(receiver, &stopped, committer).await;
            drop(running);
        };
        std::thread::Builder::new().name("bids".to_owned()).spawn(move || runtime.block_on(work))?;
        Ok(Self { sender, clock, stop, ended })
    }

    /// Puts a bid at the end of the queue, and hands out where its answer will come.
    pub fn push(&self, bid: PlaceBid) -> Result<oneshot::Receiver<Answer>, NoRoom> {
        self.enter(bid, Entry::Bid)
    }

    /// The same for the closing of an auction.
    pub fn push_close(&self, close: CloseAuction) -> Result<oneshot::Receiver<CloseAnswer>, NoRoom> {
        self.enter(close, Entry::Close)
    }

    fn enter<T, A>(
        &self,
        asked: T,
        entry: fn(Waiting<T, A>) -> Entry,
    ) -> Result<oneshot::Receiver<A>, NoRoom> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting { asked, since: self.clock.now(), answer, inbox: Inbox::here() };
        self.sender.try_send(entry(waiting)).map_err(|_| NoRoom)?;
        Ok(answered)
    }

    /// Lets no further bid in, and returns when every bid that waits is answered.
    pub async fn finish(&self) {
        self.stop.notify_one();
        // Nothing is ever sent: this ends with the thread.
        let _ = self.ended.clone().changed().await;
    }
}

async fn work(mut receiver: mpsc::Receiver<Entry>, stopped: &Notify, mut committer: Committer) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            // What is in the queue by now is still handed out below.
            () = stopped.notified() => receiver.close(),
            taken = receiver.recv_many(&mut batch, BATCH_MAX) => {
                if taken == 0 {
                    return committer.end().await;
                }
                answer(&mut batch, &mut committer).await;
            }
        }
    }
}

/// Commits a batch and answers each of its entries, of which none stays. The queue outlives a bug: a panic costs its
/// batch an error, since whoever waits for an answer that was dropped is told that nothing was kept.
async fn answer(batch: &mut Vec<Entry>, committer: &mut Committer) {
    let verdicts = std::panic::AssertUnwindSafe(committer.commit(batch)).catch_unwind().await;
    if verdicts.is_err() {
        tracing::error!(entries = batch.len(), "judging a batch of bids panicked; none was kept");
    }
    let verdicts = verdicts.unwrap_or_default();
    tell(batch.drain(..).zip(verdicts));
}

/// Tells all their verdicts, those who wait on one thread together.
fn tell(judged: impl Iterator<Item = (Entry, Verdict)>) {
    let mut by_thread: Vec<(Inbox, Vec<(Entry, Verdict)>)> = Vec::new();
    for (entry, verdict) in judged {
        let Some(inbox) = entry.inbox() else {
            entry.tell(verdict);
            continue;
        };
        match by_thread.iter_mut().find(|(of, _)| of == inbox) {
            Some((_, together)) => together.push((entry, verdict)),
            None => by_thread.push((inbox.clone(), vec![(entry, verdict)])),
        }
    }
    for (inbox, together) in by_thread {
        inbox.give(async move { together.into_iter().for_each(|(entry, verdict)| entry.tell(verdict)) });
    }
}

//! Entries of the bid queue. Each carries its request, and its answer from when it is judged until the batch is committed.

use std::fmt;

use crate::bids::batch::state::BatchState;
use crate::bids::close::CloseAuction;
use crate::bids::place::PlaceBid;
use crate::ids::AuctionId;
use platform::net::reply::{Answered, Reply, Waiter};
use platform::time::Moment;

/// An entry that waited longer is refused unjudged: its bidder has given up, or bids on outdated information.
const WAIT_MAX_SECONDS: i64 = 10;

/// A request that is judged in the order of arrival.
pub trait Judged: fmt::Debug + Send + 'static {
    type Accepted: fmt::Debug + Send;
    type Error: From<QueueError> + fmt::Debug + Send;

    fn auction_id(&self) -> AuctionId;

    /// Judges the request on the state that the entries before it have left. If it is accepted, the state changes.
    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<Self::Accepted, Self::Error>;
}

/// What a request is answered with.
pub type Answer<J> = Result<<J as Judged>::Accepted, <J as Judged>::Error>;

/// Why the queue did not execute a request. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// Not judged: the queue is full, the request waited too long, or the server is shutting down.
    #[error("the queue is full")]
    Overloaded,
    #[error("writes pause for an update")]
    Paused,
    #[error("the disk is full")]
    StorageFull,
    /// The log has the cause.
    #[error("the database did not commit")]
    NotKept,
}

/// A request in the queue.
#[derive(Debug)]
pub struct Waiting<J: Judged> {
    pub request: J,
    since: Moment,
    reply: Reply<Answer<J>>,
    answer: Option<Answer<J>>,
}

/// Anything in the queue.
#[derive(Debug)]
pub enum Entry {
    Bid(Waiting<PlaceBid>),
    Close(Waiting<CloseAuction>),
}

impl<J: Judged> Waiting<J> {
    pub fn new(request: J, since: Moment, reply: Reply<Answer<J>>) -> Self {
        Self { request, since, reply, answer: None }
    }

    fn judge(&mut self, batch: &mut BatchState, now: Moment) {
        let too_late = now > self.since.plus_seconds(WAIT_MAX_SECONDS);
        let answer =
            if too_late { Err(QueueError::Overloaded.into()) } else { self.request.judge(batch, now) };
        self.answer = Some(answer);
    }

    fn fail(&mut self, error: QueueError) {
        self.answer = Some(Err(error.into()));
    }

    fn send(self) {
        if let Some(answer) = self.answer {
            self.reply.send(answer);
        }
    }
}

impl Entry {
    pub fn auction_id(&self) -> AuctionId {
        match self {
            Self::Bid(waiting) => waiting.request.auction_id(),
            Self::Close(waiting) => waiting.request.auction_id(),
        }
    }

    pub fn judge(&mut self, batch: &mut BatchState, now: Moment) {
        match self {
            Self::Bid(waiting) => waiting.judge(batch, now),
            Self::Close(waiting) => waiting.judge(batch, now),
        }
    }

    /// Replaces the answer: the batch was not committed.
    pub fn fail(&mut self, error: QueueError) {
        match self {
            Self::Bid(waiting) => waiting.fail(error),
            Self::Close(waiting) => waiting.fail(error),
        }
    }
}

impl Answered for Entry {
    fn waiter(&self) -> &Waiter {
        match self {
            Self::Bid(waiting) => waiting.reply.waiter(),
            Self::Close(waiting) => waiting.reply.waiter(),
        }
    }

    fn send(self) {
        match self {
            Self::Bid(waiting) => waiting.send(),
            Self::Close(waiting) => waiting.send(),
        }
    }
}

impl From<Waiting<PlaceBid>> for Entry {
    fn from(waiting: Waiting<PlaceBid>) -> Self {
        Self::Bid(waiting)
    }
}

impl From<Waiting<CloseAuction>> for Entry {
    fn from(waiting: Waiting<CloseAuction>) -> Self {
        Self::Close(waiting)
    }
}

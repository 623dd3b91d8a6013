//! Entries of the bid queue. Each carries its request, and its answer from when it is judged until the batch is committed.

use std::fmt;

use crate::bids::batch::state::BatchState;
use crate::bids::closing::auction::CloseAuction;
use crate::bids::closing::item::{CloseEndedItem, CloseItem};
use crate::bids::place::PlaceBid;
use crate::bids::withdraw::WithdrawBid;
use crate::ids::{AuctionId, ItemId, UserId};
use platform::http::problem::{Code, Problem};
use platform::net::reply::{Answered, Reply, Waiter};
use platform::time::Moment;
use platform::verb::Refusal;

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

impl QueueError {
    /// A request that can't be judged. The log says why.
    pub(super) fn not_kept(error: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!(error, "an entry of the bid queue could not be judged");
        Self::NotKept
    }
}

impl Refusal for QueueError {
    fn problem(&self) -> Problem {
        match self {
            Self::Overloaded => {
                Problem::new(Code::Overloaded, "Too many bids wait: nothing was changed.").retry_after(1)
            }
            Self::Paused => Problem::paused(),
            Self::StorageFull => Problem::storage_full(),
            Self::NotKept => {
                Problem::new(Code::Internal, "Something broke on our side: nothing was changed.")
            }
        }
    }
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
    CloseItem(Waiting<CloseItem>),
    CloseEndedItem(Waiting<CloseEndedItem>),
    Withdraw(Waiting<WithdrawBid>),
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

/// Executes the same code for every kind of entry.
macro_rules! each {
    ($entry:expr, $waiting:ident => $code:expr) => {
        match $entry {
            Entry::Bid($waiting) => $code,
            Entry::Close($waiting) => $code,
            Entry::CloseItem($waiting) => $code,
            Entry::CloseEndedItem($waiting) => $code,
            Entry::Withdraw($waiting) => $code,
        }
    };
}

impl Entry {
    pub fn auction_id(&self) -> AuctionId {
        each!(self, waiting => waiting.request.auction_id())
    }

    /// The item that the entry is judged on; none for an auction.
    pub fn item_id(&self) -> Option<ItemId> {
        match self {
            Self::Bid(waiting) => Some(waiting.request.item_id),
            Self::Close(_) => None,
            Self::CloseItem(waiting) => Some(waiting.request.item_id),
            Self::CloseEndedItem(waiting) => Some(waiting.request.item_id),
            Self::Withdraw(waiting) => Some(waiting.request.item_id),
        }
    }

    /// The user whose role in the auction decides about the entry on an item; none for the clock.
    pub fn user_id(&self) -> Option<UserId> {
        match self {
            Self::Bid(waiting) => Some(waiting.request.bidder.id),
            Self::CloseItem(waiting) => Some(waiting.request.user_id),
            Self::Withdraw(waiting) => Some(waiting.request.user_id),
            Self::Close(_) | Self::CloseEndedItem(_) => None,
        }
    }

    pub fn judge(&mut self, batch: &mut BatchState, now: Moment) {
        each!(self, waiting => waiting.judge(batch, now));
    }

    /// Replaces the answer: the batch was not committed.
    pub fn fail(&mut self, error: QueueError) {
        each!(self, waiting => waiting.fail(error));
    }
}

impl Answered for Entry {
    fn waiter(&self) -> &Waiter {
        each!(self, waiting => waiting.reply.waiter())
    }

    fn send(self) {
        each!(self, waiting => waiting.send());
    }
}

/// Makes entries of requests.
macro_rules! entries {
    ($($kind:ident($request:ty),)*) => {
        $(impl From<Waiting<$request>> for Entry {
            fn from(waiting: Waiting<$request>) -> Self {
                Self::$kind(waiting)
            }
        })*
    };
}

entries! {
    Bid(PlaceBid),
    Close(CloseAuction),
    CloseItem(CloseItem),
    CloseEndedItem(CloseEndedItem),
    Withdraw(WithdrawBid),
}

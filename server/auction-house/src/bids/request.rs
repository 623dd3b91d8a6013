//! Requests of the bid queue. Each waits with its answer, from when it is judged until its batch is
//! committed.

use tokio::sync::oneshot;

use crate::bids::batch::needs::Needs;
use crate::bids::batch::state::BatchState;
use crate::bids::queue_error::QueueError;
use platform::net::reply::{self, Answered, Reply, Waiter};
use platform::time::Moment;

/// A request that waited longer is refused unjudged: its user has given up, or acts on outdated information.
const WAIT_MAX_SECONDS: i64 = 10;

/// A request that is judged in the order of arrival. Its verb decides; the batch reads what the verb needs
/// before, and writes what it has accepted afterwards.
pub trait QueuedRequest: Send + 'static {
    type Accepted: Send;
    type Error: From<QueueError> + Send;

    /// What the batch has to read before the request is judged.
    fn needs(&self) -> Needs;

    /// Judges the request on the state that the requests before it have left. If it is accepted, the state
    /// changes.
    fn judge(&self, batch: &mut BatchState, now: Moment) -> Result<Self::Accepted, Self::Error>;
}

/// The answer to a request.
pub type Answer<R> = Result<<R as QueuedRequest>::Accepted, <R as QueuedRequest>::Error>;

/// A waiting request of any kind.
pub trait Waiting: Send {
    fn needs(&self) -> Needs;

    fn judge(&mut self, batch: &mut BatchState, now: Moment);

    /// Replaces the answer: the batch was not committed.
    fn fail(&mut self, error: QueueError);

    fn waiter(&self) -> &Waiter;

    fn send_answer(self: Box<Self>);
}

struct WaitingRequest<R: QueuedRequest> {
    request: R,
    since: Moment,
    reply: Reply<Answer<R>>,
    answer: Option<Answer<R>>,
}

/// A request that waits since `since`, and where its answer will arrive.
pub fn waiting<R: QueuedRequest>(
    request: R,
    since: Moment,
) -> (Box<dyn Waiting>, oneshot::Receiver<Answer<R>>) {
    let (reply, answer) = reply::channel();
    (Box::new(WaitingRequest { request, since, reply, answer: None }), answer)
}

impl<R: QueuedRequest> Waiting for WaitingRequest<R> {
    fn needs(&self) -> Needs {
        self.request.needs()
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

    fn waiter(&self) -> &Waiter {
        self.reply.waiter()
    }

    fn send_answer(self: Box<Self>) {
        if let Some(answer) = self.answer {
            self.reply.send(answer);
        }
    }
}

impl Answered for Box<dyn Waiting> {
    fn waiter(&self) -> &Waiter {
        (**self).waiter()
    }

    fn send(self) {
        self.send_answer();
    }
}

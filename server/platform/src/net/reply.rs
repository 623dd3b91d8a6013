//! Answers for tasks that wait on the connection threads, sent from another thread.
//!
//! Waking a task of another thread costs a system call; a thread wakes its own tasks without one. Therefore
//! each thread gets all of its replies in one message and sends them itself.

use tokio::sync::oneshot;

use super::threads::Mailbox;

/// Sends one answer to the waiting task.
#[derive(Debug)]
pub struct Reply<T> {
    sender: oneshot::Sender<T>,
    waiter: Waiter,
}

/// Where a task waits: on one of the connection threads, or elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiter(Option<Mailbox>);

/// A request with its answer, which is ready to be sent.
pub trait Answered: Send + 'static {
    fn waiter(&self) -> &Waiter;

    fn send(self);
}

/// A reply to a task of the calling thread, and where it waits for the answer. A reply that is dropped ends
/// the wait.
pub fn channel<T>() -> (Reply<T>, oneshot::Receiver<T>) {
    let (sender, receiver) = oneshot::channel();
    (Reply { sender, waiter: Waiter(Mailbox::of_this_thread()) }, receiver)
}

impl<T> Reply<T> {
    pub fn waiter(&self) -> &Waiter {
        &self.waiter
    }

    /// Sends the answer. Nothing happens if the waiting task has ended.
    pub fn send(self, answer: T) {
        drop(self.sender.send(answer));
    }
}

/// Sends all answers, with one message per thread.
pub fn send_all<A: Answered>(answers: impl IntoIterator<Item = A>) {
    let mut by_thread: Vec<(Mailbox, Vec<A>)> = Vec::new();
    for answer in answers {
        let Waiter(Some(mailbox)) = answer.waiter() else {
            answer.send();
            continue;
        };
        match by_thread.iter_mut().find(|(of, _)| of == mailbox) {
            Some((_, together)) => together.push(answer),
            None => by_thread.push((mailbox.clone(), vec![answer])),
        }
    }
    for (mailbox, together) in by_thread {
        mailbox.send(async move { together.into_iter().for_each(Answered::send) });
    }
}

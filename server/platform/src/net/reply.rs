//! Answers for tasks that wait on the connection threads, sent from another thread.
//!
//! Waking a task of another thread costs a system call; tasks that a thread wakes itself cost none. A batch of replies is
//! therefore handed to each thread in one piece, which sends them there.

use tokio::sync::oneshot;

use super::threads::Mailbox;

/// Sends one answer to the task that waits for it.
#[derive(Debug)]
pub struct Reply<T> {
    sender: oneshot::Sender<T>,
    waiter: Waiter,
}

/// Where a task waits: on one of the connection threads, or elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiter(Option<Mailbox>);

/// Something that can be answered now.
pub trait Answered: Send + 'static {
    fn waiter(&self) -> &Waiter;

    fn send(self);
}

/// A reply to a task of the calling thread, and where it waits for the answer. A reply that is dropped ends the wait.
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

/// Sends all answers, those for one thread together.
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

//! The connection threads. Each serves its own connections and reads their requests in the order of arrival.
//! On a work-stealing runtime a quarter of concurrent bids on 50 items was evaluated after a higher bid that
//! was sent later.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc::{UnboundedSender, WeakUnboundedSender, unbounded_channel};
use tokio_util::task::TaskTracker;

use crate::own_thread::run_on_own_thread;

/// A task that a thread runs concurrently with others, such as one connection.
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

thread_local! {
    static MAILBOX: RefCell<Option<WeakUnboundedSender<Task>>> = const { RefCell::new(None) };
}

/// The connection threads. Once this is dropped, each thread ends after its last connection.
pub struct Threads {
    /// Bounded by the number of connections and of batches of bids.
    mailboxes: Vec<Mailbox>,
    spawned: AtomicUsize,
}

/// Sends tasks to one connection thread. Waking a task from another thread costs a system call; a thread
/// wakes its own tasks without one.
#[derive(Debug, Clone)]
pub struct Mailbox(UnboundedSender<Task>);

impl Mailbox {
    /// The mailbox of the calling thread, if it is a connection thread.
    pub fn of_this_thread() -> Option<Self> {
        MAILBOX.with_borrow(|mailbox| mailbox.as_ref()?.upgrade().map(Self))
    }

    /// Sends a task to the thread. Nothing happens if the thread has ended.
    pub fn send(&self, task: impl Future<Output = ()> + Send + 'static) {
        // If the thread has ended, so has the waiting task.
        let _ = self.0.send(Box::pin(task));
    }
}

impl PartialEq for Mailbox {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_channel(&other.0)
    }
}

impl Threads {
    /// One thread for each core.
    pub fn for_this_machine() -> Result<Self, std::io::Error> {
        Self::start(std::thread::available_parallelism().map_or(1, usize::from))
    }

    pub fn start(count: usize) -> Result<Self, std::io::Error> {
        let mailboxes = (0..count).map(|_| start()).collect::<Result<_, _>>()?;
        Ok(Self { mailboxes, spawned: AtomicUsize::new(0) })
    }

    /// Runs a connection on the next thread, in turn.
    pub(super) fn spawn_on_next(&self, connection: impl Future<Output = ()> + Send + 'static) {
        let spawned = self.spawned.fetch_add(1, Ordering::Relaxed);
        if let Some(mailbox) =
            spawned.checked_rem(self.mailboxes.len()).and_then(|next| self.mailboxes.get(next))
        {
            mailbox.send(connection);
        }
    }
}

fn start() -> Result<Mailbox, std::io::Error> {
    let (mailbox, mut received) = unbounded_channel::<Task>();
    let own = mailbox.downgrade();
    let work = async move {
        MAILBOX.set(Some(own));
        let tasks = TaskTracker::new();
        while let Some(task) = received.recv().await {
            tasks.spawn(task);
        }
        tasks.close();
        tasks.wait().await;
    };
    run_on_own_thread("connections", work)?;
    Ok(Mailbox(mailbox))
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_thread_runs_the_tasks_of_its_mailbox_concurrently() {
        assert_eq!(Mailbox::of_this_thread(), None, "not a connection thread");
        let threads = Threads::start(1).unwrap();
        let (asked, asking) = oneshot::channel();
        let (answer, answered) = oneshot::channel();
        threads.spawn_on_next(async move {
            asked.send(Mailbox::of_this_thread()).unwrap();
            assert_eq!(answered.await, Ok("answer"), "by the same thread");
        });
        let mailbox = asking.await.unwrap().unwrap();
        assert!(threads.mailboxes.contains(&mailbox));
        drop(threads);
        let (done, end) = oneshot::channel();
        mailbox.send(async move { done.send(answer.send("answer")).unwrap() });
        assert_eq!(end.await, Ok(Ok(())));
    }
}

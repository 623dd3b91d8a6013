//! The threads that talk to connections. Each has its connections to itself and reads what they ask in the order in
//! which it came; threads that take work from each other shuffle it, and with it the order in which bids are judged.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedSender, WeakUnboundedSender, unbounded_channel};
use tokio_util::task::TaskTracker;

/// What a thread does beside all else: a connection, from its first request to its last.
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

thread_local! {
    static HERE: RefCell<Option<WeakUnboundedSender<Task>>> = const { RefCell::new(None) };
}

/// See the module. Dropped, each ends with its last connection.
pub struct Threads {
    /// No more waits in them than there are places, and batches of bids.
    inboxes: Vec<Inbox>,
    given: AtomicUsize,
}

/// Where one of the threads is given something to do. To wake its tasks one by one from another thread costs a call to
/// the system each; those that the thread wakes itself cost none.
#[derive(Debug, Clone)]
pub struct Inbox(UnboundedSender<Task>);

impl Inbox {
    /// The one of this thread, if it is one of those.
    pub fn here() -> Option<Self> {
        HERE.with_borrow(|inbox| inbox.as_ref()?.upgrade().map(Self))
    }

    /// Has the thread do it soon. It is not done where the thread has ended.
    pub fn give(&self, task: impl Future<Output = ()> + Send + 'static) {
        // Whoever waited for it was on that thread.
        let _ = self.0.send(Box::pin(task));
    }
}

impl PartialEq for Inbox {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_channel(&other.0)
    }
}

impl Threads {
    /// One for each core.
    pub fn for_this_machine() -> Result<Self, std::io::Error> {
        Self::start(std::thread::available_parallelism().map_or(1, usize::from))
    }

    pub fn start(count: usize) -> Result<Self, std::io::Error> {
        let inboxes = (0..count).map(|_| start()).collect::<Result<_, _>>()?;
        Ok(Self { inboxes, given: AtomicUsize::new(0) })
    }

    /// Gives a connection to the next of them.
    pub(super) fn give(&self, talk: impl Future<Output = ()> + Send + 'static) {
        let given = self.given.fetch_add(1, Ordering::Relaxed);
        if let Some(inbox) = given.checked_rem(self.inboxes.len()).and_then(|next| self.inboxes.get(next)) {
            inbox.give(talk);
        }
    }
}

fn start() -> Result<Inbox, std::io::Error> {
    let (inbox, mut given) = unbounded_channel::<Task>();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let work = async move {
        let tasks = TaskTracker::new();
        while let Some(task) = given.recv().await {
            tasks.spawn(task);
        }
        tasks.close();
        tasks.wait().await;
    };
    let here = inbox.downgrade();
    std::thread::Builder::new().name("connections".to_owned()).spawn(move || {
        HERE.set(Some(here));
        runtime.block_on(work);
    })?;
    Ok(Inbox(inbox))
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_thread_does_what_its_inbox_is_given_beside_all_else() {
        assert_eq!(Inbox::here(), None, "none of them");
        let threads = Threads::start(1).unwrap();
        let (asked, asking) = oneshot::channel();
        let (answer, answered) = oneshot::channel();
        threads.give(async move {
            asked.send(Inbox::here()).unwrap();
            assert_eq!(answered.await, Ok("told"), "by the same thread");
        });
        let inbox = asking.await.unwrap().unwrap();
        assert!(threads.inboxes.contains(&inbox));
        drop(threads);
        let (done, end) = oneshot::channel();
        inbox.give(async move { done.send(answer.send("told")).unwrap() });
        assert_eq!(end.await, Ok(Ok(())));
    }
}

//! The threads that talk to connections. Each has its connections to itself and reads what they ask in the order in
//! which it came; threads that take work from each other shuffle it, and with it the order in which bids are judged.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::task::TaskTracker;

/// A connection, from its first request to its last.
type Talk = Pin<Box<dyn Future<Output = ()> + Send>>;

/// See the module. Dropped, each ends with its last connection.
pub struct Threads {
    /// No more waits in them than there are places.
    inboxes: Vec<UnboundedSender<Talk>>,
    given: AtomicUsize,
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
            // A thread is there as long as its inbox.
            let _ = inbox.send(Box::pin(talk));
        }
    }
}

fn start() -> Result<UnboundedSender<Talk>, std::io::Error> {
    let (inbox, mut given) = unbounded_channel::<Talk>();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let talk = async move {
        let tasks = TaskTracker::new();
        while let Some(talk) = given.recv().await {
            tasks.spawn(talk);
        }
        tasks.close();
        tasks.wait().await;
    };
    std::thread::Builder::new().name("connections".to_owned()).spawn(move || runtime.block_on(talk))?;
    Ok(inbox)
}

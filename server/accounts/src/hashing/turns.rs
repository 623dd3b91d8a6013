//! Cores for hashing, which clients take in turns: the client that has used the least lately comes first, so
//! that a first sign-in waits for one hash, whatever others try.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Requests that wait at once.
const ALL_MAX: usize = 4_096;
/// Requests of one client that wait at once: a hall signs in within a minute.
const CLIENT_MAX: usize = 512;
/// The longest wait for a core.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// What a client has used counts half after this time.
const HALF_LIFE: Duration = Duration::from_secs(60);

/// Too many requests wait, or the wait was too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

/// Cores and the requests that wait for them. Clones share them.
pub struct Turns<C: Copy + Eq + Hash>(Arc<Mutex<State<C>>>);

struct State<C: Copy + Eq + Hash> {
    free: usize,
    /// Oldest first.
    waiting: Vec<Waiting<C>>,
    /// Hashes of each client, those of earlier times for less.
    used: HashMap<C, u32>,
    halved_at: Instant,
}

struct Waiting<C: Copy + Eq + Hash> {
    client: C,
    core: oneshot::Sender<Core<C>>,
}

/// A core, until it is dropped.
pub struct Core<C: Copy + Eq + Hash> {
    /// Absent in a core that was not delivered.
    turns: Option<Arc<Mutex<State<C>>>>,
}

impl<C: Copy + Eq + Hash> Turns<C> {
    /// At least one core.
    pub fn new(cores: usize) -> Self {
        let (free, halved_at) = (cores.max(1), Instant::now());
        Self(Arc::new(Mutex::new(State { free, waiting: Vec::new(), used: HashMap::new(), halved_at })))
    }

    /// Waits for the client's turn.
    pub async fn acquire(&self, client: C) -> Result<Core<C>, Busy> {
        let turn = {
            let mut state = self.0.lock();
            if state.free > 0 {
                state.free -= 1;
                state.count(client);
                return Ok(Core { turns: Some(Arc::clone(&self.0)) });
            }
            state.wait(client)?
        };
        // A core that is delivered too late returns by itself.
        let core = tokio::time::timeout(WAIT_MAX, turn).await;
        core.map_err(|_| Busy)?.map_err(|_| Busy)
    }
}

impl<C: Copy + Eq + Hash> State<C> {
    fn wait(&mut self, client: C) -> Result<oneshot::Receiver<Core<C>>, Busy> {
        self.waiting.retain(|waiting| !waiting.core.is_closed());
        let own = self.waiting.iter().filter(|waiting| waiting.client == client).count();
        if self.waiting.len() >= ALL_MAX || own >= CLIENT_MAX {
            return Err(Busy);
        }
        let (core, turn) = oneshot::channel();
        self.waiting.push(Waiting { client, core });
        Ok(turn)
    }

    fn count(&mut self, client: C) {
        let now = Instant::now();
        if now.duration_since(self.halved_at) >= HALF_LIFE {
            self.halved_at = now;
            self.used.retain(|_, used| {
                *used /= 2;
                *used > 0
            });
        }
        let used = self.used.entry(client).or_default();
        *used = used.saturating_add(1);
    }

    /// Gives the core to the oldest request of the client that has used the least, or keeps it free.
    fn go_on(&mut self, turns: &Arc<Mutex<Self>>) {
        loop {
            let used = |waiting: &Waiting<C>| self.used.get(&waiting.client).copied().unwrap_or(0);
            let next = self.waiting.iter().enumerate().min_by_key(|(_, waiting)| used(waiting));
            let Some(at) = next.map(|(at, _)| at) else {
                self.free += 1;
                return;
            };
            let Waiting { client, core } = self.waiting.remove(at);
            match core.send(Core { turns: Some(Arc::clone(turns)) }) {
                Ok(()) => return self.count(client),
                // It waits no more.
                Err(mut undelivered) => undelivered.turns = None,
            }
        }
    }
}

impl<C: Copy + Eq + Hash> Drop for Core<C> {
    fn drop(&mut self) {
        if let Some(turns) = self.turns.take() {
            turns.lock().go_on(&turns);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    /// Requests of this client that wait.
    fn waiting(turns: &Turns<u8>, client: u8) -> impl Future<Output = Result<Core<u8>, Busy>> + Unpin {
        let mut request = Box::pin(turns.acquire(client));
        assert!((&mut request).now_or_never().is_none(), "waits");
        request
    }

    #[tokio::test]
    async fn a_first_request_overtakes_those_of_clients_that_have_asked_for_more() {
        let turns = Turns::new(1);
        let core = turns.acquire(1).await.unwrap();
        let others: Vec<_> = (2..10).map(|client| turns.acquire(client)).collect();
        drop(others);
        let mut guessers: Vec<_> = [1, 1, 2, 2].map(|client| waiting(&turns, client)).into();
        drop(core);
        let core = guessers.remove(2).now_or_never().expect("client 2 has used nothing").unwrap();
        let victim = waiting(&turns, 3);
        drop(core);
        let core = victim.now_or_never().expect("the one that has used nothing").unwrap();
        drop(core);
        let core =
            guessers.remove(0).now_or_never().expect("the oldest of those that have used one").unwrap();
        drop(core);
        assert!(guessers.pop().is_some_and(|request| request.now_or_never().is_some()));
    }

    #[tokio::test]
    async fn a_request_that_waits_no_more_takes_no_core_and_the_queue_is_bounded() {
        let turns = Turns::new(1);
        let core = turns.acquire(1).await.unwrap();
        let mut mine: Vec<_> = (0..CLIENT_MAX).map(|_| waiting(&turns, 1)).collect();
        assert!(turns.acquire(1).await.is_err_and(|error| error == Busy));
        let other = waiting(&turns, 2);
        drop(mine.pop());
        let again = waiting(&turns, 1);
        drop((mine, again));
        drop(core);
        drop(other.now_or_never().expect("the only one that waits").unwrap());
        let state = turns.0.lock();
        assert_eq!((state.free, state.waiting.len()), (1, 0));
    }
}

//! Permits for work of which little may run at the same time. Clients take turns: a client with a thousand
//! requests waits behind itself, and a client with one request waits for one turn of each other client.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// How many permits there are, and how long a request waits for one.
#[derive(Debug, Clone, Copy)]
pub struct FairLimits {
    /// Permits of all clients together.
    pub running: usize,
    /// Permits of one client.
    pub share: usize,
    /// Requests that may wait.
    pub waiting: usize,
    /// Requests of one client that may wait.
    pub waiting_of_one: usize,
    /// How long a request may wait.
    pub wait: Duration,
}

/// Too many requests wait, or the wait was too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many requests wait for their turn")]
pub struct Busy;

/// Gives permits to clients in turn, which `C` identifies. Clones share the permits.
#[derive(Debug)]
pub struct FairLimiter<C: Copy + Eq + Hash>(Arc<Shared<C>>);

/// The permission to do the work, until it is dropped.
#[derive(Debug)]
#[must_use = "the work may run as long as the permit is kept"]
pub struct FairPermit<C: Copy + Eq + Hash> {
    /// Absent in a permit that was not delivered.
    limiter: Option<Arc<Shared<C>>>,
    client: C,
    /// The permit counts among those of all clients.
    is_running: bool,
}

#[derive(Debug)]
struct Shared<C: Copy + Eq + Hash> {
    limits: FairLimits,
    state: Mutex<State<C>>,
}

#[derive(Debug)]
struct State<C: Copy + Eq + Hash> {
    free: usize,
    waiting: usize,
    clients: HashMap<C, Requests<C>>,
    /// Clients with a waiting request and less than their share, in the order of their turns.
    turns: VecDeque<C>,
}

/// The requests of one client.
#[derive(Debug)]
struct Requests<C: Copy + Eq + Hash> {
    running: usize,
    waiting: VecDeque<oneshot::Sender<FairPermit<C>>>,
    has_turn: bool,
}

impl<C: Copy + Eq + Hash> Default for Requests<C> {
    fn default() -> Self {
        Self { running: 0, waiting: VecDeque::new(), has_turn: false }
    }
}

impl<C: Copy + Eq + Hash> Clone for FairLimiter<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C: Copy + Eq + Hash> FairLimiter<C> {
    pub fn new(limits: FairLimits) -> Self {
        let (clients, turns) = (HashMap::new(), VecDeque::new());
        let state = Mutex::new(State { free: limits.running, waiting: 0, clients, turns });
        Self(Arc::new(Shared { limits, state }))
    }

    /// Waits for the client's turn.
    pub async fn acquire(&self, client: C) -> Result<FairPermit<C>, Busy> {
        let turn = {
            let mut state = self.0.state.lock();
            match state.try_run(&self.0, client) {
                Some(permit) => return Ok(permit),
                None => state.wait(&self.0, client)?,
            }
        };
        // A permit that is delivered too late returns by itself.
        let permit = tokio::time::timeout(self.0.limits.wait, turn).await;
        permit.map_err(|_| Busy)?.map_err(|_| Busy)
    }

    /// A permit, if the client may have one at once.
    pub fn try_acquire(&self, client: C) -> Result<FairPermit<C>, Busy> {
        self.0.state.lock().try_run(&self.0, client).ok_or(Busy)
    }
}

impl<C: Copy + Eq + Hash> State<C> {
    /// A free permit is for any client below its share: those that wait have all of theirs.
    fn try_run(&mut self, shared: &Arc<Shared<C>>, client: C) -> Option<FairPermit<C>> {
        let running = self.clients.get(&client).map_or(0, |requests| requests.running);
        if self.free == 0 || running >= shared.limits.share {
            return None;
        }
        self.free -= 1;
        self.clients.entry(client).or_default().running += 1;
        Some(FairPermit { limiter: Some(Arc::clone(shared)), client, is_running: true })
    }

    fn wait(&mut self, shared: &Arc<Shared<C>>, client: C) -> Result<oneshot::Receiver<FairPermit<C>>, Busy> {
        let limits = &shared.limits;
        let requests = self.clients.entry(client).or_default();
        if self.waiting >= limits.waiting || requests.waiting.len() >= limits.waiting_of_one {
            self.forget_idle(client);
            return Err(Busy);
        }
        let (permit, turn) = oneshot::channel();
        requests.waiting.push_back(permit);
        self.waiting += 1;
        self.queue(shared, client);
        Ok(turn)
    }

    /// Puts the client at the end of the turns, if it has a request that may have one.
    fn queue(&mut self, shared: &Shared<C>, client: C) {
        if let Some(requests) = self.clients.get_mut(&client)
            && !requests.has_turn
            && !requests.waiting.is_empty()
            && requests.running < shared.limits.share
        {
            requests.has_turn = true;
            self.turns.push_back(client);
        }
    }

    /// Gives the free permits to the clients whose turn it is.
    fn go_on(&mut self, shared: &Arc<Shared<C>>) {
        while self.free > 0
            && let Some(client) = self.turns.pop_front()
        {
            if let Some(requests) = self.clients.get_mut(&client) {
                requests.has_turn = false;
                self.deliver(shared, client);
                self.queue(shared, client);
            }
            self.forget_idle(client);
        }
    }

    /// Gives a permit to the oldest request of the client that still waits.
    fn deliver(&mut self, shared: &Arc<Shared<C>>, client: C) {
        let Some(requests) = self.clients.get_mut(&client) else { return };
        while let Some(waiting) = requests.waiting.pop_front() {
            self.waiting -= 1;
            let permit = FairPermit { limiter: Some(Arc::clone(shared)), client, is_running: true };
            match waiting.send(permit) {
                Ok(()) => {
                    requests.running += 1;
                    self.free -= 1;
                    return;
                }
                // It waits no more.
                Err(mut undelivered) => undelivered.limiter = None,
            }
        }
    }

    fn forget_idle(&mut self, client: C) {
        let is_idle = |requests: &Requests<C>| requests.running == 0 && requests.waiting.is_empty();
        if self.clients.get(&client).is_some_and(is_idle) {
            self.clients.remove(&client);
        }
    }
}

impl<C: Copy + Eq + Hash> FairPermit<C> {
    /// Lets the requests of other clients go on. Until the permit is dropped it counts among those of its
    /// client, which has to wait for the rest of the work: a client that receives its answer.
    pub fn yield_to_others(&mut self) {
        if let Some(shared) = &self.limiter
            && std::mem::take(&mut self.is_running)
        {
            let mut state = shared.state.lock();
            state.free += 1;
            state.go_on(shared);
        }
    }
}

impl<C: Copy + Eq + Hash> Drop for FairPermit<C> {
    fn drop(&mut self) {
        let Some(shared) = self.limiter.take() else { return };
        let mut state = shared.state.lock();
        state.free += usize::from(self.is_running);
        if let Some(requests) = state.clients.get_mut(&self.client) {
            requests.running -= 1;
        }
        state.queue(&shared, self.client);
        state.go_on(&shared);
        state.forget_idle(self.client);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const LIMITS: FairLimits =
        FairLimits { running: 2, share: 2, waiting: 10, waiting_of_one: 6, wait: Duration::from_secs(10) };

    #[tokio::test]
    async fn a_client_with_one_request_waits_for_one_turn_of_a_client_with_many() {
        let limiter = FairLimiter::new(LIMITS);
        let first = limiter.acquire(1).await.unwrap();
        let second = limiter.acquire(1).await.unwrap();
        let mut many: Vec<_> = (0..5).map(|_| Box::pin(limiter.acquire(1))).collect();
        for waiting in &mut many {
            assert!(waiting.now_or_never().is_none(), "waits");
        }
        let mut one = Box::pin(limiter.acquire(2));
        assert!((&mut one).now_or_never().is_none(), "waits");
        drop(first);
        let other = one.now_or_never().expect("the turn of the other client").unwrap();
        assert!((&mut many[0]).now_or_never().is_none(), "waits behind itself");
        drop(second);
        let third = many.remove(0).now_or_never().expect("its own turn").unwrap();
        assert!((&mut many[0]).now_or_never().is_none());
        drop((third, other));
        assert!(many.remove(0).now_or_never().is_some());
        assert!(many.remove(0).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_client_has_its_share_and_the_rest_is_for_others() {
        let limiter = FairLimiter::new(FairLimits { share: 1, ..LIMITS });
        let first = limiter.acquire(1).await.unwrap();
        assert_eq!(limiter.try_acquire(1).map(drop), Err(Busy));
        let mut again = Box::pin(limiter.acquire(1));
        assert!((&mut again).now_or_never().is_none(), "waits behind itself");
        let _other = limiter.try_acquire(2).unwrap();
        drop(first);
        assert!(again.now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_permit_that_yields_lets_others_go_on_and_its_client_wait() {
        let limiter = FairLimiter::new(FairLimits { running: 1, share: 1, ..LIMITS });
        let mut first = limiter.acquire(1).await.unwrap();
        let mut other = Box::pin(limiter.acquire(2));
        assert!((&mut other).now_or_never().is_none());
        first.yield_to_others();
        drop(other.now_or_never().expect("goes on").unwrap());
        assert!(limiter.try_acquire(1).is_err());
        drop(first);
        assert!(limiter.try_acquire(1).is_ok());
        assert_eq!(limiter.0.state.lock().free, 1, "all permits are free again");
    }

    #[tokio::test]
    async fn a_request_that_waits_no_more_takes_no_permit_and_one_beyond_the_queue_is_refused() {
        let limiter = FairLimiter::new(FairLimits { running: 1, waiting: 2, waiting_of_one: 1, ..LIMITS });
        let first = limiter.acquire(1).await.unwrap();
        let mut gone = Box::pin(limiter.acquire(1));
        assert!((&mut gone).now_or_never().is_none());
        assert_eq!(limiter.acquire(1).await.map(drop), Err(Busy), "one of a client waits");
        let mut second = Box::pin(limiter.acquire(2));
        assert!((&mut second).now_or_never().is_none());
        assert_eq!(limiter.acquire(3).await.map(drop), Err(Busy), "two wait");
        drop(gone);
        drop(first);
        drop(second.now_or_never().expect("the next one").unwrap());
        let state = limiter.0.state.lock();
        assert!(state.clients.is_empty() && state.turns.is_empty());
        assert_eq!((state.free, state.waiting), (1, 0));
    }

    #[tokio::test]
    async fn a_wait_ends() {
        let wait = Duration::from_millis(20);
        let limiter = FairLimiter::new(FairLimits { running: 1, wait, ..LIMITS });
        let _first = limiter.acquire(1).await.unwrap();
        assert_eq!(limiter.acquire(2).await.map(drop), Err(Busy));
    }
}

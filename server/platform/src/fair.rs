//! Permits for work of which little may run at the same time. Clients take turns by the time that their work
//! takes: a client with a thousand requests waits behind itself, and one that asks for little goes before
//! those that ask for much.
//!
//! This is weighted fair queueing (Demers, Keshav and Shenker, 1989) with equal weights: the next turn is
//! that of the client whose work would end first if all worked at once. How long it will take, its last work
//! says. A client that has been away begins with the time that each of the others has had, so that nobody
//! saves up turns.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Clients that are remembered, at most: more than may wait.
const REMEMBERED_MAX: usize = 16_384;

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
    /// The permit counts among those of all clients, since then.
    running_since: Option<Instant>,
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
    /// Clients with a waiting request and less than their share.
    turns: BTreeMap<Turn, C>,
    /// The time that each client has had that always had a request: what one that comes anew begins with.
    each: Duration,
    /// Turns so far.
    order: u64,
}

/// The place of a client among those that wait for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    /// The time that the client will have had after its turn.
    end: Duration,
    /// The earlier of two with the same end goes first.
    order: u64,
}

/// The requests of one client.
#[derive(Debug)]
struct Requests<C: Copy + Eq + Hash> {
    running: usize,
    waiting: VecDeque<oneshot::Sender<FairPermit<C>>>,
    /// The time that it has had.
    had: Duration,
    /// The time of its last work; none for a new client.
    last: Duration,
    turn: Option<Turn>,
}

impl<C: Copy + Eq + Hash> Default for Requests<C> {
    fn default() -> Self {
        let (had, last) = (Duration::ZERO, Duration::ZERO);
        Self { running: 0, waiting: VecDeque::new(), had, last, turn: None }
    }
}

impl<C: Copy + Eq + Hash> Clone for FairLimiter<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C: Copy + Eq + Hash> FairLimiter<C> {
    pub fn new(limits: FairLimits) -> Self {
        let state = State {
            free: limits.running,
            waiting: 0,
            clients: HashMap::new(),
            turns: BTreeMap::new(),
            each: Duration::ZERO,
            order: 0,
        };
        Self(Arc::new(Shared { limits, state: Mutex::new(state) }))
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
        self.requests_of(client).running += 1;
        Some(FairPermit { limiter: Some(Arc::clone(shared)), client, running_since: Some(Instant::now()) })
    }

    fn wait(&mut self, shared: &Arc<Shared<C>>, client: C) -> Result<oneshot::Receiver<FairPermit<C>>, Busy> {
        let (limits, all) = (&shared.limits, self.waiting);
        let requests = self.requests_of(client);
        if all >= limits.waiting || requests.waiting.len() >= limits.waiting_of_one {
            self.forget_idle(client);
            return Err(Busy);
        }
        let (permit, turn) = oneshot::channel();
        requests.waiting.push_back(permit);
        self.waiting += 1;
        self.queue(shared, client);
        Ok(turn)
    }

    /// The requests of a client, which gets no more turns for the time that it was away.
    fn requests_of(&mut self, client: C) -> &mut Requests<C> {
        let requests = self.clients.entry(client).or_default();
        if requests.is_idle() {
            requests.had = requests.had.max(self.each);
        }
        requests
    }

    /// Gives the client its place among the turns, if it has a request that may have one.
    fn queue(&mut self, shared: &Shared<C>, client: C) {
        if let Some(requests) = self.clients.get_mut(&client)
            && requests.turn.is_none()
            && !requests.waiting.is_empty()
            && requests.running < shared.limits.share
        {
            let turn = Turn { end: requests.had + requests.last, order: self.order };
            self.order += 1;
            requests.turn = Some(turn);
            self.turns.insert(turn, client);
        }
    }

    /// Gives the free permits to the clients whose turn it is.
    fn go_on(&mut self, shared: &Arc<Shared<C>>) {
        while self.free > 0
            && let Some((_, client)) = self.turns.pop_first()
        {
            if let Some(requests) = self.clients.get_mut(&client) {
                requests.turn = None;
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
            let running_since = Some(Instant::now());
            let permit = FairPermit { limiter: Some(Arc::clone(shared)), client, running_since };
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

    /// Ends the work of a permit, which others may have now.
    fn release(&mut self, shared: &Shared<C>, client: C, running_since: Instant) {
        let took = running_since.elapsed();
        let running = shared.limits.running - self.free;
        self.free += 1;
        let Some(requests) = self.clients.get_mut(&client) else { return };
        requests.had += took;
        requests.last = took;
        if let Some(turn) = requests.turn.as_mut() {
            self.turns.remove(turn);
            turn.end = requests.had + took;
            self.turns.insert(*turn, client);
        }
        self.each = if self.turns.is_empty() {
            self.each.max(requests.had)
        } else {
            // As if all that run or wait had worked meanwhile, each for its part of the time.
            self.each + took / u32::try_from(running + self.turns.len()).unwrap_or(u32::MAX)
        };
    }

    /// Forgets a client without requests, once it has had no more than one that comes anew.
    fn forget_idle(&mut self, client: C) {
        let each = self.each;
        if self.clients.len() > REMEMBERED_MAX {
            self.clients.retain(|_, requests| !requests.is_idle());
        } else if self.clients.get(&client).is_some_and(|requests| requests.is_idle() && requests.had <= each)
        {
            self.clients.remove(&client);
        }
    }
}

impl<C: Copy + Eq + Hash> Requests<C> {
    fn is_idle(&self) -> bool {
        self.running == 0 && self.waiting.is_empty()
    }
}

impl<C: Copy + Eq + Hash> FairPermit<C> {
    /// Lets the requests of other clients go on. Until the permit is dropped it counts among those of its
    /// client, which has to wait for the rest of the work: a client that receives its answer.
    pub fn yield_to_others(&mut self) {
        if let (Some(shared), Some(since)) = (&self.limiter, self.running_since.take()) {
            let mut state = shared.state.lock();
            state.release(shared, self.client, since);
            state.go_on(shared);
        }
    }
}

impl<C: Copy + Eq + Hash> Drop for FairPermit<C> {
    fn drop(&mut self) {
        let Some(shared) = self.limiter.take() else { return };
        let mut state = shared.state.lock();
        if let Some(since) = self.running_since {
            state.release(&shared, self.client, since);
        }
        if let Some(requests) = state.clients.get_mut(&self.client) {
            requests.running -= 1;
        }
        state.queue(&shared, self.client);
        state.go_on(&shared);
        state.forget_idle(self.client);
    }
}

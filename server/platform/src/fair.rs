//! Permits for work of which little may run at the same time. Clients take turns by the time that their work
//! takes: a client with a thousand requests waits behind itself, and one that asks for little goes before
//! those that ask for much.
//!
//! This is weighted fair queueing (Demers, Keshav and Shenker, 1989) with equal weights: the next turn is
//! that of the client whose work would end first if all worked at once. How long it will take, its last work
//! says. A client that has been away begins with the time that each of the others has had, so that nobody
//! saves up turns.
//!
//! Turns alone don't help a client that comes while others do long work with all permits. So some permits may
//! be reserved for light clients, which use little time, or less than half of what each may have.

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

/// A client becomes heavy once it has used so much more than a light one may.
const HEAVY: Duration = Duration::from_millis(20);

/// A light client uses less than this part of the time of one permit, however many clients there are.
const LIGHT_PART: u32 = 8;

/// More use is forgotten, so that a heavy client which asks for little becomes a light one soon.
const REMEMBERED_USE_MAX: Duration = Duration::from_secs(1);

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
    /// The permit is none of those that are reserved for light clients.
    is_heavy: bool,
}

#[derive(Debug)]
struct Shared<C: Copy + Eq + Hash> {
    limits: FairLimits,
    /// Permits of heavy clients together, and of one.
    running_heavy_max: usize,
    share_of_heavy: usize,
    state: Mutex<State<C>>,
}

#[derive(Debug)]
struct State<C: Copy + Eq + Hash> {
    free: usize,
    running_heavy: usize,
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
    /// Whether it needs a permit that is not reserved.
    is_heavy: bool,
    /// The time that the client will have had after its turn.
    end: Duration,
    /// The earlier of two with the same end goes first.
    order: u64,
}

impl Turn {
    /// Turns before it are those of light clients.
    const FIRST_HEAVY: Self = Self { is_heavy: true, end: Duration::ZERO, order: 0 };
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
    /// What it has used beyond what a light client may use meanwhile.
    used: Duration,
    /// `each` when that was counted, and the moment.
    each: Duration,
    counted: Instant,
    turn: Option<Turn>,
}

impl<C: Copy + Eq + Hash> Default for Requests<C> {
    fn default() -> Self {
        let ([had, last, used, each], counted) = ([Duration::ZERO; 4], Instant::now());
        Self { running: 0, waiting: VecDeque::new(), had, last, used, each, counted, turn: None }
    }
}

impl<C: Copy + Eq + Hash> Clone for FairLimiter<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C: Copy + Eq + Hash> FairLimiter<C> {
    pub fn new(limits: FairLimits) -> Self {
        Self::reserving(0, limits)
    }

    /// Some of the permits are for light clients. If any are, a heavy client has one permit at a time.
    pub fn reserving(for_light: usize, limits: FairLimits) -> Self {
        let running_heavy_max = limits.running.saturating_sub(for_light);
        let share_of_heavy = if for_light == 0 { limits.share } else { 1 };
        let state = State {
            free: limits.running,
            running_heavy: 0,
            waiting: 0,
            clients: HashMap::new(),
            turns: BTreeMap::new(),
            each: Duration::ZERO,
            order: 0,
        };
        Self(Arc::new(Shared { limits, running_heavy_max, share_of_heavy, state: Mutex::new(state) }))
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

impl<C: Copy + Eq + Hash> Shared<C> {
    fn share(&self, is_heavy: bool) -> usize {
        if is_heavy { self.share_of_heavy } else { self.limits.share }
    }
}

impl<C: Copy + Eq + Hash> State<C> {
    /// A permit, if one is free that the client may have. None of those that wait may have it.
    fn try_run(&mut self, shared: &Arc<Shared<C>>, client: C) -> Option<FairPermit<C>> {
        let (free, heavy) = (self.free, self.running_heavy);
        let requests = self.requests_of(client);
        let is_heavy = requests.is_heavy();
        if free == 0
            || (is_heavy && heavy >= shared.running_heavy_max)
            || requests.running >= shared.share(is_heavy)
        {
            return None;
        }
        requests.running += 1;
        Some(self.begin(shared, client, is_heavy))
    }

    /// Takes a permit from the free ones.
    fn begin(&mut self, shared: &Arc<Shared<C>>, client: C, is_heavy: bool) -> FairPermit<C> {
        self.free -= 1;
        self.running_heavy += usize::from(is_heavy);
        let (limiter, running_since) = (Some(Arc::clone(shared)), Some(Instant::now()));
        FairPermit { limiter, client, running_since, is_heavy }
    }

    fn wait(&mut self, shared: &Arc<Shared<C>>, client: C) -> Result<oneshot::Receiver<FairPermit<C>>, Busy> {
        let (limits, all) = (&shared.limits, self.waiting);
        let requests = self.requests_of(client);
        if all >= limits.waiting || requests.waiting.len() >= limits.waiting_of_one {
            self.forget_idle();
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
        let now = Instant::now();
        let of_each = (self.each - requests.each) / 2;
        let light = of_each.max(now.duration_since(requests.counted) / LIGHT_PART);
        requests.used = requests.used.saturating_sub(light);
        (requests.each, requests.counted) = (self.each, now);
        requests
    }

    /// Gives the client its place among the turns, if it has a request that may have one.
    fn queue(&mut self, shared: &Shared<C>, client: C) {
        if let Some(requests) = self.clients.get_mut(&client)
            && requests.turn.is_none()
            && !requests.waiting.is_empty()
            && requests.running < shared.share(requests.is_heavy())
        {
            let turn = requests.next_turn(self.order);
            self.order += 1;
            requests.turn = Some(turn);
            self.turns.insert(turn, client);
        }
    }

    /// Gives the free permits to the clients whose turn it is.
    fn go_on(&mut self, shared: &Arc<Shared<C>>) {
        while self.free > 0
            && let Some((turn, client)) = self.next_turn(shared)
        {
            self.turns.remove(&turn);
            if let Some(requests) = self.clients.get_mut(&client) {
                requests.turn = None;
                self.deliver(shared, client, turn.is_heavy);
                self.queue(shared, client);
            }
            self.forget_idle();
        }
    }

    /// The first turn for which there is a permit.
    fn next_turn(&self, shared: &Shared<C>) -> Option<(Turn, C)> {
        let light = self.turns.range(..Turn::FIRST_HEAVY).next();
        let heavy = self.turns.range(Turn::FIRST_HEAVY..).next();
        let heavy = heavy.filter(|_| self.running_heavy < shared.running_heavy_max);
        let first = light.into_iter().chain(heavy).min_by_key(|(turn, _)| (turn.end, turn.order));
        first.map(|(turn, client)| (*turn, *client))
    }

    /// Gives a permit to the oldest request of the client that still waits.
    fn deliver(&mut self, shared: &Arc<Shared<C>>, client: C, is_heavy: bool) {
        while let Some(requests) = self.clients.get_mut(&client)
            && let Some(waiting) = requests.waiting.pop_front()
        {
            requests.running += 1;
            self.waiting -= 1;
            let Err(mut undelivered) = waiting.send(self.begin(shared, client, is_heavy)) else { return };
            // It waits no more.
            undelivered.limiter = None;
            self.end(is_heavy);
            self.requests_of(client).running -= 1;
        }
    }

    /// Gives a permit back to the free ones.
    fn end(&mut self, is_heavy: bool) {
        self.free += 1;
        self.running_heavy -= usize::from(is_heavy);
    }

    /// Ends the work of a permit, which others may have now.
    fn release(&mut self, shared: &Shared<C>, client: C, (running_since, is_heavy): (Instant, bool)) {
        let took = running_since.elapsed();
        let running = shared.limits.running - self.free;
        self.end(is_heavy);
        let requests = self.requests_of(client);
        requests.had += took;
        requests.last = took;
        requests.used = (requests.used + took).min(REMEMBERED_USE_MAX);
        let had = requests.had;
        if let Some(turn) = requests.turn {
            let next = requests.next_turn(turn.order);
            requests.turn = Some(next);
            self.turns.remove(&turn);
            self.turns.insert(next, client);
        }
        self.each = if self.turns.is_empty() {
            self.each.max(had)
        } else {
            // As if all that run or wait had worked meanwhile, each for its part of the time.
            self.each + took / u32::try_from(running + self.turns.len()).unwrap_or(u32::MAX)
        };
    }

    /// Forgets clients without requests, once there are many.
    fn forget_idle(&mut self) {
        if self.clients.len() > REMEMBERED_MAX {
            self.clients.retain(|_, requests| !requests.is_idle());
        }
    }
}

impl<C: Copy + Eq + Hash> Requests<C> {
    fn is_idle(&self) -> bool {
        self.running == 0 && self.waiting.is_empty()
    }

    fn is_heavy(&self) -> bool {
        self.used > HEAVY
    }

    fn next_turn(&self, order: u64) -> Turn {
        Turn { is_heavy: self.is_heavy(), end: self.had + self.last, order }
    }
}

impl<C: Copy + Eq + Hash> FairPermit<C> {
    /// Lets the requests of other clients go on. Until the permit is dropped it counts among those of its
    /// client, which has to wait for the rest of the work: a client that receives its answer.
    pub fn yield_to_others(&mut self) {
        if let (Some(shared), Some(since)) = (&self.limiter, self.running_since.take()) {
            let mut state = shared.state.lock();
            state.release(shared, self.client, (since, self.is_heavy));
            state.go_on(shared);
        }
    }
}

impl<C: Copy + Eq + Hash> Drop for FairPermit<C> {
    fn drop(&mut self) {
        let Some(shared) = self.limiter.take() else { return };
        let mut state = shared.state.lock();
        if let Some(since) = self.running_since {
            state.release(&shared, self.client, (since, self.is_heavy));
        }
        if let Some(requests) = state.clients.get_mut(&self.client) {
            requests.running -= 1;
        }
        state.queue(&shared, self.client);
        state.go_on(&shared);
        state.forget_idle();
    }
}

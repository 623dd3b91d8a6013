//! Cores for hashing, which clients take in turns. What was right counts no more: so the client that has
//! used the least in vain lately comes first, and among equals the one whose last turn is longest ago. A
//! first sign-in waits for one hash, whatever others try, also in a hall that signs in at one address.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

use platform::fair::Busy;

/// Requests that wait at once.
const ALL_MAX: usize = 4_096;
/// Requests of one client that wait at once: a hall signs in within a minute.
const CLIENT_MAX: usize = 512;
/// The longest wait for a core.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// Time after which hashes in vain count half.
const HALF_LIFE: Duration = Duration::from_secs(60);

/// Cores and the requests that wait for them. Clones share them.
pub struct Turns<C: Copy + Eq + Hash>(Arc<Mutex<State<C>>>);

struct State<C: Copy + Eq + Hash> {
    free: usize,
    /// Oldest first.
    waiting: Vec<Waiting<C>>,
    used: HashMap<C, Used>,
    /// Turns so far.
    turns: u64,
    halved_at: Instant,
}

/// Turns of a client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Used {
    /// Hashes that were not right, those of earlier times for less.
    in_vain: u32,
    /// The number of its last turn.
    last_turn: u64,
}

struct Waiting<C: Copy + Eq + Hash> {
    client: C,
    core: oneshot::Sender<Core<C>>,
}

/// A core, until it is dropped.
pub struct Core<C: Copy + Eq + Hash> {
    /// Absent in a core that was not delivered.
    turns: Option<Arc<Mutex<State<C>>>>,
    client: C,
}

impl<C: Copy + Eq + Hash> Turns<C> {
    /// At least one core.
    pub fn new(cores: usize) -> Self {
        let (free, halved_at) = (cores.max(1), Instant::now());
        let state = State { free, waiting: Vec::new(), used: HashMap::new(), turns: 0, halved_at };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Waits for the client's turn.
    pub async fn acquire(&self, client: C) -> Result<Core<C>, Busy> {
        let turn = {
            let mut state = self.0.lock();
            if state.free > 0 {
                state.free -= 1;
                state.count(client);
                return Ok(Core { turns: Some(Arc::clone(&self.0)), client });
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
                used.in_vain /= 2;
                used.in_vain > 0
            });
        }
        self.turns += 1;
        let used = self.used.entry(client).or_default();
        *used = Used { in_vain: used.in_vain.saturating_add(1), last_turn: self.turns };
    }

    /// Gives the core to the oldest request of the client whose turn it is, or keeps it free.
    fn go_on(&mut self, turns: &Arc<Mutex<Self>>) {
        loop {
            let used = |waiting: &Waiting<C>| self.used.get(&waiting.client).copied().unwrap_or_default();
            let next = self.waiting.iter().enumerate().min_by_key(|(_, waiting)| used(waiting));
            let Some(at) = next.map(|(at, _)| at) else {
                self.free += 1;
                return;
            };
            let Waiting { client, core } = self.waiting.remove(at);
            match core.send(Core { turns: Some(Arc::clone(turns)), client }) {
                Ok(()) => return self.count(client),
                // It waits no more.
                Err(mut undelivered) => undelivered.turns = None,
            }
        }
    }
}

impl<C: Copy + Eq + Hash> Core<C> {
    /// Takes back the count of this turn, whose hash was right.
    pub fn was_right(&self) {
        if let Some(turns) = &self.turns
            && let Some(used) = turns.lock().used.get_mut(&self.client)
        {
            used.in_vain = used.in_vain.saturating_sub(1);
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
    async fn right_ones_count_no_more_and_clients_that_have_used_nothing_in_vain_take_turns() {
        let turns = Turns::new(1);
        // A hall signs in, and a guesser comes for the first time.
        for _ in 0..20 {
            turns.acquire(1).await.unwrap().was_right();
        }
        let core = turns.acquire(2).await.unwrap();
        let (guess, mut hall) = (waiting(&turns, 2), vec![waiting(&turns, 1), waiting(&turns, 1)]);
        drop(core);
        let core = hall.remove(0).now_or_never().expect("the hall has guessed nothing").unwrap();
        let other = waiting(&turns, 3);
        core.was_right();
        drop(core);
        let core = other.now_or_never().expect("it has had no turn").unwrap();
        core.was_right();
        let again = waiting(&turns, 3);
        drop(core);
        let core = hall.remove(0).now_or_never().expect("its last turn was before").unwrap();
        core.was_right();
        drop(core);
        drop(again.now_or_never().expect("before the guesser").unwrap());
        assert!(guess.now_or_never().is_some_and(|core| core.is_ok()));
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

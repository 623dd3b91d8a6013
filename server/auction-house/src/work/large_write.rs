//! Requests that change many rows in one transaction, all of them or none. Bids wait for such a transaction,
//! so there is one at a time, and a rest after each of them in proportion to the time that it took: however
//! many are asked for, few bids meet one.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use platform::fair::{Busy, FairLimiter, FairLimits, FairPermit};
use platform::touched_rows::{ROWS_OF_A_WRITE, TouchedRows};
use tokio::time::Instant;

use crate::ids::UserId;

/// With the rest a request waits less than the 15 s after which the scripts of the hall give up. So many wait
/// that a few accounts don't keep others from waiting, too.
const LIMITS: FairLimits =
    FairLimits { running: 1, share: 1, waiting: 1_024, waiting_of_one: 8, wait: Duration::from_secs(9) };
/// The rest takes this many times as long as what is rested from: one bid in 25 meets a large transaction.
const REST_FACTOR: u32 = 24;
const REST_MAX: Duration = Duration::from_secs(5);

/// The turns of the users who change many rows. Clones share them.
#[derive(Debug, Clone)]
pub struct LargeWrites {
    turns: FairLimiter<UserId>,
    rest_until: Arc<Mutex<Instant>>,
}

/// The turn of a request.
#[must_use = "the turn lasts as long as this is kept"]
pub struct LargeWrite {
    _permit: FairPermit<UserId>,
    writes: LargeWrites,
    /// Absent outside of requests.
    request: Option<Arc<TouchedRows>>,
}

impl Default for LargeWrites {
    fn default() -> Self {
        Self { turns: FairLimiter::new(LIMITS), rest_until: Arc::new(Mutex::new(Instant::now())) }
    }
}

impl LargeWrites {
    /// Waits for the user's turn to change about so many rows, and for the rest from the turn before. Few
    /// rows need no turn.
    ///
    /// # Errors
    /// Too many wait.
    pub async fn begin(&self, user: UserId, rows: usize) -> Result<Option<LargeWrite>, Busy> {
        if (rows as u64) < ROWS_OF_A_WRITE {
            return Ok(None);
        }
        let permit = self.turns.acquire(user).await?;
        let until = *self.rest_until.lock();
        tokio::time::sleep_until(until).await;
        let request = TouchedRows::of_request();
        request.iter().for_each(|request| request.begin_turn());
        Ok(Some(LargeWrite { _permit: permit, writes: self.clone(), request }))
    }
}

/// The rest begins.
impl Drop for LargeWrite {
    fn drop(&mut self) {
        let held = self.request.as_ref().map_or(Duration::ZERO, |request| request.end_turn());
        *self.writes.rest_until.lock() = Instant::now() + (held * REST_FACTOR).min(REST_MAX);
    }
}

#[cfg(test)]
mod tests {
    use platform::time::Moment;

    use super::*;

    fn user() -> UserId {
        UserId::new(Moment::from_millis(0).unwrap())
    }

    #[tokio::test]
    async fn turns_are_taken_one_after_the_other() {
        let writes = LargeWrites::default();
        let first = writes.begin(user(), 200).await.unwrap();
        assert!(writes.begin(user(), 99).await.unwrap().is_none(), "few rows need no turn");
        let (others, other) = (writes.clone(), user());
        let second = tokio::spawn(async move { others.begin(other, 200).await.map(drop) });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        second.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_turn_begins_after_the_rest_from_the_one_before() {
        let (writes, at) = (LargeWrites::default(), Instant::now());
        *writes.rest_until.lock() = at + Duration::from_millis(30);
        let turn = writes.begin(user(), 200).await.unwrap();
        assert!(at.elapsed() >= Duration::from_millis(30));
        drop(turn);
        assert!(*writes.rest_until.lock() <= Instant::now(), "nothing was written");
    }
}

//! Token buckets by key. Unlike a general rate limiter, a token can be returned, one try can cost several,
//! and the caller passes the time.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::Mutex;

use crate::time::Moment;

/// Capacity of a bucket and the time to gain one token.
#[derive(Debug, Clone, Copy)]
pub struct RefillRate {
    pub burst: i64,
    pub millis_each: i64,
}

/// Wait before the next try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many tries: wait {retry_after_seconds} s")]
pub struct TooMany {
    /// At least 1.
    pub retry_after_seconds: u32,
}

/// Number of keys at which the first sweep removes full buckets.
const KEYS: usize = 4096;

/// One token bucket for each key.
pub struct Bucket<K> {
    rate: RefillRate,
    state: Mutex<State<K>>,
}

struct State<K> {
    /// A key without an entry has a full bucket.
    full_from: HashMap<K, Fill>,
    /// The number of keys at which the next sweep removes full buckets.
    sweep_at: usize,
}

/// When a bucket is full.
#[derive(Debug, Clone, Copy)]
struct Fill {
    /// In milliseconds since 1970.
    from: i64,
    /// It owes tokens, up to as many as it holds: an empty bucket was charged.
    owes: bool,
}

impl<K: Hash + Eq + Clone> Bucket<K> {
    pub fn new(rate: RefillRate) -> Self {
        Self { rate, state: Mutex::new(State { full_from: HashMap::new(), sweep_at: KEYS }) }
    }

    /// Takes a token of `key`, if there is one.
    pub fn take(&self, key: &K, now: Moment) -> Result<(), TooMany> {
        self.take_many(key, 1, now)
    }

    /// Takes this many tokens of `key`, at most a full bucket, if there are so many.
    pub fn take_many(&self, key: &K, tokens: i64, now: Moment) -> Result<(), TooMany> {
        let tokens = tokens.min(self.rate.burst);
        self.take_between(key, (tokens, tokens), now).map(|_| ())
    }

    /// Takes `cost` tokens of `key`, or as many as are left, if there is any. Returns how many it has taken.
    pub fn take_some(&self, key: &K, cost: i64, now: Moment) -> Result<i64, TooMany> {
        self.take_between(key, (1, cost), now)
    }

    fn take_between(&self, key: &K, (least, most): (i64, i64), now: Moment) -> Result<i64, TooMany> {
        let now = now.millis();
        let mut state = self.state.lock();
        if state.full_from.len() >= state.sweep_at {
            state.full_from.retain(|_, full| full.from > now);
            state.sweep_at = KEYS.max(2 * state.full_from.len());
        }
        let from = self.full_from(&mut state, key, now);
        self.check_at(from, least, now)?;
        let left = (now + self.window() - from) / self.rate.millis_each;
        let taken = most.min(left);
        let from = from + taken * self.rate.millis_each;
        state.full_from.insert(key.clone(), Fill { from, owes: false });
        Ok(taken)
    }

    /// Takes tokens of `key` for what was done already, also those that it does not have yet, up to a full
    /// bucket of them.
    pub fn owe(&self, key: &K, tokens: i64, now: Moment) {
        let now = now.millis();
        let mut state = self.state.lock();
        let from = self.full_from(&mut state, key, now) + tokens * self.rate.millis_each;
        let from = from.min(now + 2 * self.window());
        state.full_from.insert(key.clone(), Fill { from, owes: from > now + self.window() });
    }

    /// Whether `key` has a token.
    pub fn check(&self, key: &K, now: Moment) -> Result<(), TooMany> {
        let now = now.millis();
        self.check_at(self.full_from(&mut self.state.lock(), key, now), 1, now)
    }

    /// Returns tokens that were taken.
    pub fn give_back(&self, key: &K, count: i64) {
        let mut state = self.state.lock();
        if let Some(full) = state.full_from.get_mut(key) {
            full.from -= count * self.rate.millis_each;
        }
    }

    /// The time in which an empty bucket fills, in milliseconds.
    fn window(&self) -> i64 {
        self.rate.burst * self.rate.millis_each
    }

    /// After the clock was set back, the bucket is empty now, or owes what it holds, and fills from now on.
    fn full_from(&self, state: &mut State<K>, key: &K, now: i64) -> i64 {
        let Some(full) = state.full_from.get_mut(key) else { return now };
        let windows = if full.owes { 2 } else { 1 };
        full.from = full.from.min(now + windows * self.window());
        full.owes &= full.from > now + self.window();
        full.from.max(now)
    }

    /// Whether a bucket that is full at this time has so many tokens now.
    fn check_at(&self, full_from: i64, tokens: i64, now: i64) -> Result<(), TooMany> {
        let wait = full_from + tokens * self.rate.millis_each - now - self.window();
        if wait <= 0 {
            return Ok(());
        }
        let wait = u64::try_from(wait).unwrap_or(0);
        Err(TooMany { retry_after_seconds: u32::try_from(wait.div_ceil(1000)).unwrap_or(u32::MAX).max(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    fn bucket() -> Bucket<&'static str> {
        Bucket::new(RefillRate { burst: 3, millis_each: 10_000 })
    }

    #[test]
    fn gives_a_burst_then_one_at_a_time() {
        let bucket = bucket();
        for _ in 0..3 {
            assert_eq!(bucket.take(&"a", at(100)), Ok(()));
        }
        assert_eq!(bucket.take(&"a", at(101)), Err(TooMany { retry_after_seconds: 9 }));
        assert_eq!(bucket.take(&"b", at(101)), Ok(()), "another key has its own bucket");
        assert_eq!(bucket.take(&"a", at(110)), Ok(()));
        assert!(bucket.take(&"a", at(110)).is_err());
    }

    #[test]
    fn several_tokens_are_taken_together_or_not_at_all() {
        let bucket = bucket();
        assert_eq!(bucket.take_many(&"a", 2, at(100)), Ok(()));
        assert_eq!(bucket.take_many(&"a", 2, at(100)), Err(TooMany { retry_after_seconds: 10 }));
        assert_eq!(bucket.take(&"a", at(100)), Ok(()));
        assert_eq!(bucket.take_many(&"b", 100, at(100)), Ok(()), "more than a full bucket has");
        assert!(bucket.take(&"b", at(100)).is_err());
    }

    #[test]
    fn an_empty_bucket_owes_what_was_done_already_and_no_more_than_it_holds() {
        let bucket = bucket();
        bucket.owe(&"a", 2, at(100));
        assert_eq!(bucket.take(&"a", at(100)), Ok(()));
        bucket.owe(&"a", 2, at(100));
        assert_eq!(bucket.take(&"a", at(100)), Err(TooMany { retry_after_seconds: 30 }));
        assert_eq!(bucket.take(&"a", at(130)), Ok(()));
        bucket.owe(&"b", 1_000, at(100));
        assert_eq!(bucket.take(&"b", at(100)), Err(TooMany { retry_after_seconds: 40 }));
        assert_eq!(bucket.take(&"b", at(140)), Ok(()));
    }

    #[test]
    fn a_returned_token_can_be_taken_again() {
        let bucket = bucket();
        for _ in 0..20 {
            assert_eq!(bucket.take(&"a", at(100)), Ok(()));
            bucket.give_back(&"a", 1);
        }
    }

    #[test]
    fn a_try_can_cost_several_tokens_and_takes_the_last_ones() {
        let bucket = bucket();
        assert_eq!(bucket.take_some(&"a", 2, at(100)), Ok(2));
        assert_eq!(bucket.check(&"a", at(100)), Ok(()));
        assert_eq!(bucket.take_some(&"a", 2, at(100)), Ok(1));
        assert_eq!(bucket.check(&"a", at(100)), Err(TooMany { retry_after_seconds: 10 }));
        assert_eq!(bucket.take_some(&"a", 2, at(110)), Ok(1));
    }

    #[test]
    fn a_clock_that_is_set_back_lengthens_no_wait_beyond_an_empty_bucket() {
        let bucket = bucket();
        for key in ["a", "b"] {
            for _ in 0..3 {
                assert_eq!(bucket.take(&key, at(10_000)), Ok(()));
            }
        }
        assert_eq!(bucket.take(&"a", at(100)), Err(TooMany { retry_after_seconds: 10 }));
        assert_eq!(bucket.take(&"a", at(110)), Ok(()), "it fills from then on");
        assert_eq!(bucket.check(&"b", at(100)), Err(TooMany { retry_after_seconds: 10 }));
        assert_eq!(bucket.check(&"b", at(110)), Ok(()));
    }
}

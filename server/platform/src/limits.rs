//! Tokens by key: so many at once, then one each so often. Unlike a general rate limiter it gives a token
//! back, and goes by the clock that is passed in.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::Mutex;

use crate::time::Moment;

/// How much a bucket holds and how fast it fills.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    pub burst: i64,
    pub millis_each: i64,
}

/// Wait before the next try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many tries: wait {retry_after_seconds} s")]
pub struct TooMany {
    /// At least 1.
    pub retry_after_seconds: u64,
}

/// So many keys are kept before those are looked for that can go.
const KEYS: usize = 4096;

pub struct Bucket<K> {
    rate: Rate,
    kept: Mutex<Kept<K>>,
}

struct Kept<K> {
    /// The moment, in milliseconds, from which the key's bucket is full. Past ones are as good as none.
    full_from: HashMap<K, i64>,
    /// The number of keys at which the next sweep is worth its time.
    sweep_at: usize,
}

impl<K: Hash + Eq + Clone> Bucket<K> {
    pub fn new(rate: Rate) -> Self {
        Self { rate, kept: Mutex::new(Kept { full_from: HashMap::new(), sweep_at: KEYS }) }
    }

    /// Takes a token of `key`, if there is one.
    pub fn take(&self, key: &K, now: Moment) -> Result<(), TooMany> {
        let now = now.millis();
        let Rate { burst, millis_each } = self.rate;
        let window = burst * millis_each;
        let mut kept = self.kept.lock();
        if kept.full_from.len() >= kept.sweep_at {
            kept.full_from.retain(|_, full| *full > now);
            kept.sweep_at = KEYS.max(2 * kept.full_from.len());
        }
        // A clock that was set back must not shut anyone out for longer than an empty bucket does.
        let from = kept.full_from.get(key).copied().unwrap_or(now).clamp(now, now + window);
        let after = from + millis_each;
        if after - now > window {
            let wait = u64::try_from(after - now - window).unwrap_or(0);
            return Err(TooMany { retry_after_seconds: wait.div_ceil(1000).max(1) });
        }
        kept.full_from.insert(key.clone(), after);
        Ok(())
    }

    /// Puts a token back that was taken.
    pub fn give_back(&self, key: &K) {
        let mut kept = self.kept.lock();
        if let Some(full) = kept.full_from.get_mut(key) {
            *full -= self.rate.millis_each;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    fn bucket() -> Bucket<&'static str> {
        Bucket::new(Rate { burst: 3, millis_each: 10_000 })
    }

    #[test]
    fn gives_a_burst_then_one_at_a_time() {
        let bucket = bucket();
        for _ in 0..3 {
            assert_eq!(bucket.take(&"a", at(100)), Ok(()));
        }
        assert_eq!(bucket.take(&"a", at(101)), Err(TooMany { retry_after_seconds: 9 }));
        assert_eq!(bucket.take(&"b", at(101)), Ok(()), "another key has its own");
        assert_eq!(bucket.take(&"a", at(110)), Ok(()));
        assert!(bucket.take(&"a", at(110)).is_err());
    }

    #[test]
    fn takes_back_what_was_taken() {
        let bucket = bucket();
        for _ in 0..20 {
            assert_eq!(bucket.take(&"a", at(100)), Ok(()));
            bucket.give_back(&"a");
        }
    }

    #[test]
    fn a_clock_set_back_shuts_nobody_out_for_long() {
        let bucket = bucket();
        for _ in 0..3 {
            assert_eq!(bucket.take(&"a", at(10_000)), Ok(()));
        }
        assert_eq!(bucket.take(&"a", at(100)), Err(TooMany { retry_after_seconds: 10 }));
    }
}

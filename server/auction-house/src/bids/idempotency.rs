//! Idempotency keys (SPEC, section 6): a request that is repeated with its key places one bid. All bids pass
//! one queue, so a repeat waits for the first.

pub use platform::idempotency::{IdempotencyKey, KeyedRequest};
use platform::time::Moment;

/// Keys are kept for at least this long, and until their item closes.
const RETENTION_SECONDS: i64 = 72 * 3600;
/// How often expired keys are deleted.
const PURGE_EVERY_SECONDS: i64 = 3600;

/// When to delete expired keys.
#[derive(Debug)]
pub struct KeyPurge {
    last: Moment,
}

impl KeyPurge {
    pub fn starting(now: Moment) -> Self {
        Self { last: now }
    }

    /// The moment before which keys of closed items expire, if a purge is due.
    pub fn due(&mut self, now: Moment) -> Option<Moment> {
        if now < self.last.plus_seconds(PURGE_EVERY_SECONDS) {
            return None;
        }
        self.last = now;
        Some(now.plus_seconds(-RETENTION_SECONDS))
    }
}

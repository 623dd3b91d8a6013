//! What a bidder repeats is placed once (contract, section 6): the key of a request, and for how long the
//! answer to an accepted bid is kept. The one queue of all bids makes a repeat wait for the first.

pub use platform::idempotency::{IdempotencyKey, KeyedRequest};
use platform::time::Moment;

/// Keys are kept for at least this long, and until their item closes.
const RETENTION_SECONDS: i64 = 72 * 3600;
/// How often keys that are past it are looked for.
const PURGE_EVERY_SECONDS: i64 = 3600;

/// When to look for keys that nobody may repeat any more.
#[derive(Debug)]
pub struct Purge {
    last: Moment,
}

impl Purge {
    pub fn starting(now: Moment) -> Self {
        Self { last: now }
    }

    /// The moment before which keys of closed items may go, if it is time to look.
    pub fn due(&mut self, now: Moment) -> Option<Moment> {
        if now < self.last.plus_seconds(PURGE_EVERY_SECONDS) {
            return None;
        }
        self.last = now;
        Some(now.plus_seconds(-RETENTION_SECONDS))
    }
}

//! The delay before a server that has ended unexpectedly is started again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const MAX: Duration = Duration::from_secs(10);
/// A server with this uptime has recovered.
const RECOVERED: Duration = Duration::from_secs(60);

/// Doubles with each end that follows soon.
#[derive(Debug)]
pub struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Backoff {
    /// The delay after a server with this uptime.
    pub fn after(&mut self, uptime: Duration) -> Duration {
        if uptime >= RECOVERED {
            self.0 = FIRST;
        }
        let delay = self.0;
        self.0 = MAX.min(self.0 * 2);
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_to_a_maximum_and_is_reset_after_a_recovery() {
        let mut backoff = Backoff::default();
        let delays: Vec<u128> = (0..9).map(|_| backoff.after(Duration::ZERO).as_millis()).collect();
        assert_eq!(delays, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
        assert_eq!(backoff.after(RECOVERED), FIRST);
        assert_eq!(backoff.after(Duration::ZERO), FIRST * 2);
    }
}

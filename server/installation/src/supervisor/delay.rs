//! How long to wait before a server that has ended by itself is started again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const MAX: Duration = Duration::from_secs(10);
/// Who has served for so long has recovered.
const RECOVERED: Duration = Duration::from_secs(60);

/// Grows with each end that follows soon.
#[derive(Debug)]
pub struct Delay(Duration);

impl Default for Delay {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Delay {
    /// The pause after a server that has served for `served`.
    pub fn after(&mut self, served: Duration) -> Duration {
        if served >= RECOVERED {
            self.0 = FIRST;
        }
        let pause = self.0;
        self.0 = MAX.min(self.0 * 2);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_to_a_bound_and_begins_anew_after_a_good_time() {
        let mut delay = Delay::default();
        let pauses: Vec<u128> = (0..9).map(|_| delay.after(Duration::ZERO).as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
        assert_eq!(delay.after(RECOVERED), FIRST);
        assert_eq!(delay.after(Duration::ZERO), FIRST * 2);
    }
}
